/**
 * The one door for withdrawals (WD-2, SRV-3): call-back, poller and the provider's own answer all come through here. One
 * transaction locks the row, decides, posts or voids the hold, and tells; what cannot be decided is parked, never guessed.
 */
import { declineMessage } from '@opencashier/core/withdrawal/decline-message';
import { judgeWithdrawalReport } from '@opencashier/core/withdrawal/withdrawal-approval';
import type { WithdrawalState } from '@opencashier/core/withdrawal/withdrawal-lifecycle';
import type { Transaction } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { isUuid } from '../database/uuid.ts';
import { type AccountKind, postJournal } from '../ledger/ledger.ts';
import type { PaymentsCore } from '../lifecycle/payments-core.ts';
import type { StoredFailure } from '../lifecycle/provider-failure.ts';
import { STILL_PARKED } from '../provider-events/evidence-store.ts';
import { withdrawalEvidence } from '../provider-events/withdrawal-evidence.ts';
import type { WithdrawalEvidence } from '../providers/withdrawal-provider.ts';
import { approvalsNeededNow } from './approval-settings.ts';
import { suspendLatePayout } from './late-withdrawal.ts';
import { arrivesOf, payoutLines } from './payout.ts';
import { readWithdrawal, type WithdrawalRow, withdrawalColumns } from './withdrawal-row.ts';
import { moveWithdrawal, type WithdrawalMove } from './withdrawal-store.ts';
import type { AppliedWithdrawalEvidence } from './withdrawals.ts';

const STATE_OF_OUTCOME: Readonly<Record<WithdrawalEvidence['outcome'], WithdrawalState>> = {
  pending: 'submitted',
  paid: 'paid',
  declined: 'declined',
  returned: 'returned',
};

/** @param failure kept for a replay of the confirm that was refused by this report */
export function applyWithdrawal(
  core: PaymentsCore,
  reported: WithdrawalEvidence,
  failure?: StoredFailure,
): Promise<AppliedWithdrawalEvidence> {
  const evidence = withOurIdOnly(reported);
  const { provider, withdrawalId: payment } = evidence;
  return core.spans.begin('withdrawal apply', { provider }, { payment }, async (span) => {
    const result = await applyWhole(core, evidence, failure);
    span.note({ outcome: result.outcome });
    return result;
  });
}

async function applyWhole(
  core: PaymentsCore,
  evidence: WithdrawalEvidence,
  failure: StoredFailure | undefined,
): Promise<AppliedWithdrawalEvidence> {
  let result: AppliedWithdrawalEvidence;
  try {
    result = await core.database.transaction((transaction) => applyOnce(core, transaction, evidence, failure));
  } catch (error) {
    if (constraintOf(error) !== 'withdrawal_provider_ref_once') throw error;
    core.logger.error(idsOf(evidence), 'provider gave one reference to two withdrawals: parked');
    result = await core.database.transaction(async (transaction) => {
      await withdrawalEvidence.record(transaction, evidence);
      await withdrawalEvidence.settle(transaction, evidence, { status: 'parked', outcome: 'reused-ref' });
      return { outcome: 'parked' };
    });
  }
  if (result.outcome === 'moved') core.onChange();
  return result;
}

/** An id that we never gave names no withdrawal of ours; the provider's own reference may. */
function withOurIdOnly(evidence: WithdrawalEvidence): WithdrawalEvidence {
  const { withdrawalId, ...rest } = evidence;
  return withdrawalId === undefined || isUuid(withdrawalId) ? evidence : rest;
}

async function applyOnce(
  core: PaymentsCore,
  transaction: Transaction,
  evidence: WithdrawalEvidence,
  failure: StoredFailure | undefined,
): Promise<AppliedWithdrawalEvidence> {
  const { state: record, isStuck } = await withdrawalEvidence.record(transaction, evidence);
  if (record === 'applied' || record === 'changed') {
    if (record === 'changed') core.logger.error(idsOf(evidence), 'one event told with two contents: the first stands');
    return { outcome: 'unchanged' };
  }
  const row = await lockFor(transaction, evidence);
  const { needed } =
    row?.state === 'held' ? await approvalsNeededNow(transaction, row, core.clock.now()) : { needed: 0 };
  const verdict = row === undefined ? 'unknown-withdrawal' : judge(row, evidence, needed);
  if (row === undefined || (verdict !== 'move' && verdict !== 'none')) {
    if (record === 'new') core.logger.error({ ...idsOf(evidence), why: verdict }, 'report on a withdrawal parked');
    if (isStuck) core.logger.error({ ...idsOf(evidence), why: verdict }, STILL_PARKED);
    await withdrawalEvidence.settle(transaction, evidence, {
      status: 'parked',
      outcome: verdict,
      ...(row && { paymentId: row.id }),
    });
    return { outcome: 'parked', ...(row && { withdrawalId: row.id }) };
  }
  if (verdict === 'move') await carryOut(core, transaction, row, evidence, failure);
  await withdrawalEvidence.settle(transaction, evidence, { status: 'applied', outcome: verdict, paymentId: row.id });
  core.failpoint?.('settle-uncommitted');
  return { outcome: verdict === 'move' ? 'moved' : 'unchanged', withdrawalId: row.id };
}

/** By our id where the report names it, else by the provider's; a report that names two different withdrawals names none. */
async function lockFor(transaction: Transaction, evidence: WithdrawalEvidence): Promise<WithdrawalRow | undefined> {
  const rows = await transaction.query<WithdrawalRow>({
    name: 'withdrawal-lock-for-evidence',
    text: `select ${withdrawalColumns} from withdrawal
      where id = $1 or (provider = $2 and provider_ref = $3) order by id for update`,
    values: [evidence.withdrawalId ?? null, evidence.provider, evidence.providerRef ?? null],
  });
  const [row] = rows;
  if (row === undefined || rows.length > 1) return undefined;
  return evidence.withdrawalId !== undefined && row.id !== evidence.withdrawalId ? undefined : readWithdrawal(row);
}

type Verdict = 'move' | 'none' | 'other-provider' | 'other-ref' | 'other-amount' | 'forbidden' | 'not-paid-yet';

/** A report is authentic when it comes here, which does not make it right: it is compared with our own row. */
function judge(row: WithdrawalRow, evidence: WithdrawalEvidence, needed: number): Verdict {
  if (row.provider !== evidence.provider) return 'other-provider';
  if (row.providerRef !== null && evidence.providerRef !== undefined && row.providerRef !== evidence.providerRef) {
    return 'other-ref';
  }
  if (isOtherAmount(row, evidence)) return 'other-amount';
  const move = judgeWithdrawalReport(row.state, stateOf(row, evidence), needed);
  if (move !== 'forbidden') return move === 'move' ? 'move' : 'none';
  // Reports come in any order: what came back was paid first, and that will be told too.
  return evidence.outcome === 'returned' ? 'not-paid-yet' : 'forbidden';
}

/** What is paid or comes back must be named. What another report names, such as a refusal, must not be another payout's. */
function isOtherAmount(row: WithdrawalRow, { outcome, currency, paidMinor }: WithdrawalEvidence): boolean {
  const arrives = arrivesOf(row);
  const isMoney = outcome === 'paid' || outcome === 'returned';
  const isOther = (told: unknown, ours: unknown): boolean => told !== ours && (isMoney || told !== undefined);
  return isOther(currency, arrives.currency) || isOther(paidMinor, arrives.minor);
}

const RELEASED: readonly WithdrawalState[] = ['declined', 'cancelled', 'expired', 'late_paid', 'late_settled'];

/** What was paid after its amount was released cannot be posted any more. */
function stateOf(row: WithdrawalRow, { outcome }: WithdrawalEvidence): WithdrawalState {
  return outcome === 'paid' && RELEASED.includes(row.state) ? 'late_paid' : STATE_OF_OUTCOME[outcome];
}

async function carryOut(
  core: PaymentsCore,
  transaction: Transaction,
  row: WithdrawalRow,
  evidence: WithdrawalEvidence,
  failure: StoredFailure | undefined,
): Promise<void> {
  const to = stateOf(row, evidence);
  if (to === 'returned') await giveBack(transaction, row);
  if (to === 'late_paid') {
    await suspendLatePayout(transaction, row);
    core.logger.error(
      { ...idsOf(evidence), withdrawalId: row.id },
      'paid after the money was given back: under review',
    );
  }
  await moveWithdrawal(transaction, row, {
    to,
    cause: 'provider',
    ...(evidence.providerRef !== undefined && { providerRef: evidence.providerRef }),
    ...(to === 'declined' && { reason: 'withdrawal.reason.declined' }),
    ...(to === 'returned' && { reason: 'withdrawal.reason.returned' }),
    ...((to === 'declined' || to === 'returned') && declineOf(evidence)),
    ...(to === 'late_paid' && { reason: 'withdrawal.reason.late' }),
    ...(failure !== undefined && { failure }),
  });
}

/** What the user is told of why; the provider's words are made safe here, however they came. */
function declineOf({ cause, message }: WithdrawalEvidence): Pick<WithdrawalMove, 'declineCause' | 'declineMessage'> {
  const words = declineMessage(message);
  return {
    ...(cause !== undefined && { declineCause: cause }),
    ...(words !== undefined && { declineMessage: words }),
  };
}

/** Money that was paid and came back goes to the account that it left, the fee with it. */
async function giveBack(transaction: Transaction, row: WithdrawalRow): Promise<void> {
  const kind: AccountKind = row.accountType === 'main' ? 'user' : 'user_additional';
  const lines = [
    ...payoutLines(row, { owner: row.provider, kind: 'provider_clearing' }).map((line) => ({
      ...line,
      amount: -line.amount,
    })),
    { owner: '', asset: row.currency, kind: 'withdrawal_fee' as const, amount: -row.fee },
    { owner: row.userId, asset: row.currency, kind, amount: row.amount },
  ];
  const result = await postJournal(transaction, {
    operatorId: row.operatorId,
    kind: 'withdrawal_return',
    withdrawalId: row.id,
    source: 'hold',
    ref: row.id,
    lines: lines.filter((line) => line.amount !== 0n),
  });
  if (result === 'duplicate') throw new Error(`Withdrawal ${row.id} had come back before`);
}

function idsOf(evidence: WithdrawalEvidence): object {
  return { provider: evidence.provider, eventId: evidence.eventId, outcome: evidence.outcome };
}
