/** What stands in the place of a Secret's value. */
export const MASK = '(masked)';

/** What a diff says about a Secret's value, before and after alike. */
export const VALUE_CHANGED = 'value changed';
