import { pendingKey } from '../idempotency/pending-key.ts';

/** Kept as long as the server holds an amount that nobody confirms. Where it goes is no part of its intent, since a mark can be guessed. */
export const pendingWithdrawal = pendingKey('cashier.withdrawal', 900_000);
