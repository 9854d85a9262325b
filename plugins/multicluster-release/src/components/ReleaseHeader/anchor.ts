/** Where the buttons are, for the link that skips to them. */
export const ACTIONS_ANCHOR = 'multicluster-release-actions';
