/** The mark that the user pressed "I have paid". It is in the history's state, so a reload keeps it and no link can set it. */
export const reportedPaid = { reportedPaid: true } as const;

/** @param state the state of the history entry */
export const hasReportedPaid = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && Reflect.get(state, 'reportedPaid') === true;
