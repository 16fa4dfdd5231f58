import type { AccountKind } from './ledger.ts';

/** The kinds of a user's accounts by the names that callers use. */
export const userAccountKinds = { main: 'user', additional: 'user_additional' } as const satisfies Record<
  string,
  AccountKind
>;

/** A kind of account from which a user can spend. */
export type UserAccountKind = (typeof userAccountKinds)[keyof typeof userAccountKinds];
