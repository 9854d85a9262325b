import type { Theme } from '@material-ui/core/styles';

/** For what stands beside the main text. The theme's own secondary colour is too weak on the page's ground. */
export function quietColor(theme: Theme): string {
  return theme.palette.type === 'dark' ? '#BDBDBD' : '#5F6368';
}
