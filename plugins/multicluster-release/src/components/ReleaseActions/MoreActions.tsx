import { useId, useState } from 'react';
import Button from '@material-ui/core/Button';
import Menu from '@material-ui/core/Menu';
import MenuItem from '@material-ui/core/MenuItem';
import { makeStyles } from '@material-ui/core/styles';
import ExpandMore from '@material-ui/icons/ExpandMore';
import { useTexts } from '../../hooks';
import type { ActionItem } from './actionItems';

const useStyles = makeStyles({ button: { textTransform: 'none' } });

/** What is needed seldom, behind one button. */
export function MoreActions(props: {
  items: ActionItem[];
  onChoose: (key: ActionItem['key']) => void;
}) {
  const { items, onChoose } = props;
  const { text } = useTexts();
  const classes = useStyles();
  const menuId = useId();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const choose = (key: ActionItem['key']) => {
    setAnchor(undefined);
    onChoose(key);
  };
  if (items.length === 0) {
    return null;
  }
  return (
    <>
      <Button
        variant="outlined"
        className={classes.button}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        aria-controls={anchor ? menuId : undefined}
        endIcon={<ExpandMore />}
        onClick={event => setAnchor(event.currentTarget)}
      >
        {text('action.more')}
      </Button>
      <Menu
        id={menuId}
        open={anchor !== undefined}
        anchorEl={anchor}
        onClose={() => setAnchor(undefined)}
      >
        {items.map(({ key, label }) => (
          <MenuItem key={key} onClick={() => choose(key)}>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
