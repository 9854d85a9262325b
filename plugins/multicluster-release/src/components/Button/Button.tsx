import { forwardRef } from 'react';
import MuiButton, { type ButtonProps } from '@material-ui/core/Button';
import { makeStyles } from '@material-ui/core/styles';

const useStyles = makeStyles({
  focused: { outline: '2px solid currentColor', outlineOffset: 2 },
});

/**
 * A button whose focus is an outline. The library's own pulsing light is drawn by
 * something that comes a moment after the button: where the focus comes with the
 * button at once, as by a quick Tab, that ends the whole page with an error.
 */
export const Button = forwardRef<HTMLButtonElement, ButtonProps>((props, ref) => {
  const { focused } = useStyles();
  return <MuiButton ref={ref} disableFocusRipple focusVisibleClassName={focused} {...props} />;
});
