import useMediaQuery from '@material-ui/core/useMediaQuery';

const NARROW = '(max-width: 599.95px)';

/**
 * Whether there is room only for cards instead of tables, and for a bar of actions at
 * the bottom. Known at the first render: pages are never drawn on a server.
 */
export function useNarrow(): boolean {
  return useMediaQuery(NARROW, { noSsr: true });
}
