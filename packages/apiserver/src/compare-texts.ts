/** Compares by code units, like Go; an absent text is empty. */
export const compareTexts = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0)
