/** "I have paid" on the way to the status: kept in the history, so that a reload still knows and no link can pretend it. */
export const reportedPaid = { reportedPaid: true } as const;

/** @param state what the history handed to the screen */
export const hasReportedPaid = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && Reflect.get(state, 'reportedPaid') === true;
