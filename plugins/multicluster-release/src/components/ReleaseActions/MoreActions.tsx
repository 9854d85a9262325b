import { useId, useState } from 'react';
import Menu from '@material-ui/core/Menu';
import MenuItem from '@material-ui/core/MenuItem';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import ExpandMore from '@material-ui/icons/ExpandMore';
import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';
import { Button } from '../Button';
import { useTexts } from '../../hooks';
import { actionReason } from '../../text';
import { quietColor } from '../ReleaseStatus';
import type { ActionItem } from './actionItems';

const useStyles = makeStyles(theme => ({
  button: { textTransform: 'none' },
  item: { display: 'block', whiteSpace: 'normal' },
  reason: { color: quietColor(theme) },
}));

/** What has no place in the bar, behind one button; what is denied says why. */
export function MoreActions(props: {
  items: ActionItem[];
  release: ReleaseView;
  onChoose: (key: ActionItem['key']) => void;
}) {
  const { items, release, onChoose } = props;
  const texts = useTexts();
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
        {texts.text('action.more')}
      </Button>
      <Menu
        id={menuId}
        open={anchor !== undefined}
        anchorEl={anchor}
        onClose={() => setAnchor(undefined)}
      >
        {items.map(({ key, label, state }) => (
          <MenuItem
            key={key}
            className={classes.item}
            aria-disabled={!state.allowed}
            onClick={state.allowed ? () => choose(key) : undefined}
          >
            {label}
            {!state.allowed && (
              <Typography variant="caption" component="div" className={classes.reason}>
                {actionReason(state, release, texts)}
              </Typography>
            )}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
