/** A decision of staff about a waiting withdrawal, and the submission after the last needed approval (SRV-1). */

import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { BUSY_S } from '../payment-ports/provider-failure.ts';
import { submitWithdrawal } from './confirm-withdrawal.ts';
import { decidedWithdrawal, recordWithdrawalDecision } from './withdrawal-decision.ts';
import type { DecidedWithdrawal, WithdrawalDecision } from './withdrawals.ts';

/**
 * Stores a decision. The last needed approval also submits the withdrawal to the provider. If the node dies in
 * between, the reconciler submits the withdrawal.
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
