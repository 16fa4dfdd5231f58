/** A decision about a withdrawal that waits, and what follows from the last approval that it needs (SRV-1). */

import type { PaymentsCore } from '../lifecycle/payments-core.ts';
import { BUSY_S } from '../lifecycle/provider-failure.ts';
import { submitWithdrawal } from './confirm-withdrawal.ts';
import { decidedWithdrawal, recordWithdrawalDecision } from './withdrawal-decision.ts';
import type { DecidedWithdrawal, WithdrawalDecision } from './withdrawals.ts';

/**
 * Decides, and tells the provider where that was the last approval that was needed. A node that dies in between leaves it to
 * reconciliation, which finds it confirmed and never told.
 * @throws DomainError not-found, state-conflict (`params.state`), idempotency-conflict
 */
export async function decideWithdrawal(core: PaymentsCore, decision: WithdrawalDecision): Promise<DecidedWithdrawal> {
  const { row, isLast } = await recordWithdrawalDecision(core, decision, BUSY_S);
  core.failpoint?.('approval-decided');
  core.onChange();
  if (isLast) {
    core.failpoint?.('withdrawal-confirmed');
    await submitWithdrawal(core, row);
  }
  return decidedWithdrawal(core.database, decision);
}
