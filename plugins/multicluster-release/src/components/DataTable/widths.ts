/** Cards instead of tables, bar of actions at the bottom. */
export const NARROW = '(max-width: 599.95px)';
