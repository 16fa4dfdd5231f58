import { pendingKey } from '../idempotency/pending-key.ts';

/** Kept as long as a deposit waits for its payment (§9). */
export const pendingDeposit = pendingKey('cashier.deposit', 600_000);
