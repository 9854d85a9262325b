/** Who presses buttons; the first one starts the releases. */
export const PEOPLE = ['user:default/ann', 'user:default/bob', 'user:default/eve'];
