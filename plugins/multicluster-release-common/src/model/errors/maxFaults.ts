/** More faults than a person reads at once; explaining each costs time that a sender could make us spend. */
export const MAX_FAULTS = 100;
