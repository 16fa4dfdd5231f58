/** "I have paid" on the way to the status: kept in the history, so that a reload still knows and no link can pretend it. */
export const saidPaid = { saidPaid: true } as const;

/** @param state what the history handed to the screen */
export const hasSaidPaid = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && Reflect.get(state, 'saidPaid') === true;
