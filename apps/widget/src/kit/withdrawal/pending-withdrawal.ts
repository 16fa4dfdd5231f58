import { pendingKey } from '../idempotency/pending-key.ts';

/**
 * Kept as long as the server holds an unconfirmed amount. The destination is not part of the intent's hash, because a short text can be
 * guessed from its hash.
 */
export const pendingWithdrawal = pendingKey('cashier.withdrawal', 900_000);
