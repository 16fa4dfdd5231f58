import { pendingKey } from '../idempotency/pending-key.ts';

/** The key of a pending deposit is kept as long as the deposit waits for its payment (§9). */
export const pendingDeposit = pendingKey('cashier.deposit', 600_000);
