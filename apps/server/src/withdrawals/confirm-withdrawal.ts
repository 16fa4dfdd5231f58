/**
 * Confirms a withdrawal: commits the confirmation, then calls the provider under our id. The provider's answer is
 * applied like any report.
 */
import type { ResponseOf, WithdrawalTransaction, withdrawalCodeSend } from '@opencashier/contract/api';
import { arrivesOf } from '@opencashier/core/payout/aggregate';
import { declineMessage } from '@opencashier/core/withdrawal/decline-message';
import { type CodeVerdict, judgeCode, sendAnotherCode } from '../confirmation-codes/confirmation-code.ts';
import type { Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { readUserRules, requireOpen } from '../operators/user-rules.ts';
import { providerOf } from '../payment-ports/connected-providers.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { BUSY_S, errorOf, PROVIDER_TIMEOUT_MS, type StoredFailure } from '../payment-ports/provider-failure.ts';
import { completeRefunds, declineRefunds } from '../payout-refunds/payout-refunds.ts';
import type { ProviderWithdrawResult, WithdrawalReport } from '../providers/withdrawal-provider.ts';
import { type AnswerOfCall, applyWithdrawal } from './apply-withdrawal.ts';
import { approvalsNeededNow, moveToAwaitingApproval } from './approval-settings.ts';
import { cardPayoutOf } from './card-withdrawal.ts';
import { requestPayout } from './run-payout-effects.ts';
import {
  readWithdrawal,
  type WithdrawalRow,
  withdrawalColumns,
  withdrawalHookData,
  withdrawalView,
} from './withdrawal-row.ts';
import { findWithdrawal, isAccountFrozen, moveWithdrawal, type WithdrawalKey } from './withdrawal-store.ts';

/** Seconds after which a client that met a busy withdrawal should ask again. */
const IN_FLIGHT_RETRY_S = 2;

const FROZEN = 'The account is frozen. The withdrawal ends and the hold is released';
const UNKNOWN_OUTCOME = 'The outcome is being checked. Do not withdraw again';

/**
 * Confirms a held withdrawal (WD-2); see `Withdrawals.confirm`.
 * @param code needed when the withdrawal has a confirmation code; see `confirmation-code`
 */
export async function confirmWithdrawal(
  core: PaymentsCore,
  key: WithdrawalKey,
  code: string | undefined,
): Promise<WithdrawalTransaction> {
  const { row, isOurs, verdict } = await core.database.transaction(async (transaction) => {
    const found = await findWithdrawal(transaction, key, true);
    if (found === undefined) throw new DomainError('not-found', 'Withdrawal not found');
    if (found.state !== 'held') return { row: found, isOurs: false };
    if (found.isOverdue)
      throw new DomainError('state-conflict', 'The time to confirm this withdrawal has run out. The hold is released');
    if (await isAccountFrozen(transaction, found)) throw new DomainError('state-conflict', FROZEN);
    requireOpen(await readUserRules(transaction, key), 'withdrawal', found.request.language);
    const judged = await judgeCode(core, transaction, found, code);
    if (judged.kind !== 'good')
      return { row: await refuse(transaction, found, judged), isOurs: false, verdict: judged };
    // The frozen check has locked the account, so concurrent confirms run one after the other.
    const approvals = await approvalsNeededNow(transaction, found, core.clock.now());
    if (approvals.needed > 0)
      return { row: await moveToAwaitingApproval(transaction, found, approvals), isOurs: false };
    const after = await requestPayout(transaction, found, { cause: 'user', busyS: BUSY_S });
    core.failpoint?.('confirm-uncommitted');
    return { row: after, isOurs: true };
  });
  if (verdict !== undefined) {
    core.onChange();
    throw failureOfCode(verdict);
  }
  // Sends the webhook to the operator and the push to the user's other screens.
  if (row.state === 'awaiting_approval') core.onChange();
  core.failpoint?.('withdrawal-confirmed');
  if (isOurs) return answerOf(await submitWithdrawal(core, row));
  if (row.state === 'submitted_unknown') {
    if (row.isBusy) throw inFlight();
    return answerOf(await resubmitWithdrawal(core, row));
  }
  return answerOf(row);
}

const CODE_SPENT: StoredFailure = {
  code: 'code-attempts',
  message: 'Too many wrong codes. The withdrawal has ended and the hold is released',
};

/** Cancels the withdrawal after too many wrong codes, which releases its hold. */
async function refuse(transaction: Transaction, row: WithdrawalRow, verdict: CodeVerdict): Promise<WithdrawalRow> {
  if (verdict.kind !== 'spent') return row;
  return moveWithdrawal(transaction, row, {
    to: 'cancelled',
    cause: 'code',
    reason: 'withdrawal.reason.code',
    failure: CODE_SPENT,
  });
}

function failureOfCode(verdict: CodeVerdict): DomainError {
  switch (verdict.kind) {
    case 'wrong':
      return new DomainError('code-wrong', 'The code is wrong', {
        params: { attemptsLeft: String(verdict.attemptsLeft) },
      });
    case 'expired':
      return new DomainError('code-expired', 'The code has expired. Request a new code');
    case 'spent':
      return errorOf(CODE_SPENT);
    default:
      return new DomainError('invalid-request', 'This withdrawal needs a confirmation code', {
        fields: [{ path: 'code', message: 'is required' }],
      });
  }
}

/**
 * Sends another code for a held withdrawal, through the operator; see `sendAnotherCode`.
 * @throws DomainError not-found, state-conflict when no code is needed
 */
export async function resendCode(
  core: PaymentsCore,
  key: WithdrawalKey,
): Promise<ResponseOf<typeof withdrawalCodeSend>> {
  const confirmation = await core.database.transaction(async (transaction) => {
    const found = await findWithdrawal(transaction, key, true);
    if (found === undefined) throw new DomainError('not-found', 'Withdrawal not found');
    const sent =
      found.state === 'held' && !found.isOverdue
        ? await sendAnotherCode(core, transaction, found, withdrawalHookData(found))
        : undefined;
    if (sent === undefined) throw new DomainError('state-conflict', 'This withdrawal needs no confirmation code');
    return sent;
  });
  core.onChange();
  return { withdrawalId: key.publicId, confirmation };
}

/** The answer to a confirm, from the present state of the withdrawal. */
function answerOf(row: WithdrawalRow | 'busy'): WithdrawalTransaction {
  if (row === 'busy') throw inFlight();
  if (row.state === 'submitted_unknown' || row.state === 'checking')
    throw new DomainError('unknown-outcome', UNKNOWN_OUTCOME);
  if (row.failure !== null) throw errorOf(row.failure);
  if (row.state === 'cancelled' || row.state === 'expired' || row.state === 'declined' || row.state === 'refused') {
    throw new DomainError('state-conflict', 'This withdrawal has ended and the hold is released');
  }
  return withdrawalView(row);
}

function inFlight(): DomainError {
  return new DomainError('in-flight', 'This withdrawal is being submitted. Ask for its status', {
    retryAfterSeconds: IN_FLIGHT_RETRY_S,
  });
}

/**
 * Calls the provider again under the same id, one node at a time. The first node died, or the provider did not
 * answer. An accepted payout by refunds is submitted again where a refund failed and is replaced.
 */
export async function resubmitWithdrawal(core: PaymentsCore, row: WithdrawalRow): Promise<WithdrawalRow | 'busy'> {
  const [claimed] = await core.database.query<WithdrawalRow>({
    name: 'withdrawal-resubmit',
    text: `update withdrawal set busy_until = now() + make_interval(secs => $2), submissions = submissions + 1
      where operator_id = $3 and id = $1 and (state = 'submitted_unknown' or (state = 'submitted' and request ? 'card'))
        and (busy_until is null or busy_until <= now())
      returning ${withdrawalColumns}`,
    values: [row.id, BUSY_S, row.operatorId],
  });
  return claimed === undefined ? 'busy' : submitWithdrawal(core, readWithdrawal(claimed));
}

/**
 * Sends the withdrawal to the provider and applies the answer. The row must be committed and marked busy. Only the
 * storing runs inside a transaction.
 */
export async function submitWithdrawal(core: PaymentsCore, row: WithdrawalRow): Promise<WithdrawalRow> {
  const result = await callProvider(core, row);
  // Every failure has a line with the payment and the provider before any other line about it.
  if (result.kind === 'unknown' || result.kind === 'failed') {
    const { kind: outcome, code } = result;
    core.logger.warn({ payment: row.id, provider: row.provider, outcome, code }, 'provider gave no good answer');
  }
  core.failpoint?.('withdrawal-answered');
  if (result.kind === 'unknown' && result.refusedRefunds !== undefined) {
    await declineRefunds(core.database, row, result.refusedRefunds);
    core.failpoint?.('payout-refunds-declined');
  }
  const answer = reportOf(core, row, result);
  if (answer !== undefined) await applyWithdrawal(core, answer.report, answer);
  core.failpoint?.('withdrawal-applied');
  // The answer is stored, so the row is free for the next call. A failure leaves the row to a later call that has taken it.
  const [after] = await core.database.query<WithdrawalRow>({
    name: 'withdrawal-freed',
    text: `update withdrawal set busy_until = case when submissions > $3 then busy_until end
      where operator_id = $1 and id = $2 returning ${withdrawalColumns}`,
    values: [row.operatorId, row.id, row.submissions],
  });
  if (after === undefined) throw new Error(`Withdrawal ${row.id} no longer exists`);
  core.failpoint?.('withdrawal-freed');
  return readWithdrawal(after);
}

async function callProvider(core: PaymentsCore, row: WithdrawalRow): Promise<ProviderWithdrawResult> {
  const half = (await providerOf(core, row))?.withdrawals;
  if (half === undefined) return { kind: 'unknown', code: 'no-provider' };
  const toCard = cardPayoutOf(row);
  const refunds = toCard && (await completeRefunds(core.database, toCard));
  core.failpoint?.('withdrawal-calling');
  if (toCard !== undefined && refunds === undefined) {
    core.logger.error(
      { withdrawalId: row.id, provider: row.provider },
      'a part of the payout has left, and the payments of the card do not suffice for the rest',
    );
    return { kind: 'unknown', code: 'refunds-do-not-suffice' };
  }
  const abort = new AbortController();
  let cancelTimer = (): void => undefined;
  const timeout = new Promise<ProviderWithdrawResult>((resolve) => {
    cancelTimer = core.clock.setTimer(() => {
      abort.abort();
      resolve({ kind: 'unknown', code: 'timeout' });
    }, PROVIDER_TIMEOUT_MS);
  });
  const arrives = arrivesOf(row);
  const answer = half
    .withdraw({
      withdrawalId: row.id,
      paymentMethod: row.paymentMethod,
      amountMinor: row.amount,
      receivesMinor: arrives.minor,
      currency: arrives.currency,
      country: row.country,
      fields: row.request.fields,
      providerOptions: row.request.providerOptions,
      ...(refunds && { refunds }),
      language: row.request.language ?? 'en',
      signal: abort.signal,
    })
    .catch((error: unknown): ProviderWithdrawResult => {
      core.logger.error({ withdrawalId: row.id, provider: row.provider, err: error }, 'provider call failed');
      return { kind: 'unknown', code: 'thrown' };
    });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    cancelTimer();
  }
}

interface Answer extends AnswerOfCall {
  readonly report: WithdrawalReport;
}

/** The provider's answer as a report. Undefined when the outcome is unknown: the reconciler asks later. */
function reportOf(core: PaymentsCore, row: WithdrawalRow, result: ProviderWithdrawResult): Answer | undefined {
  const report = (outcome: 'pending' | 'declined'): WithdrawalReport => ({
    provider: row.provider,
    ...(row.connectionId !== null && { connectionId: row.connectionId }),
    withdrawalId: row.id,
    outcome,
    eventId: `answer:${row.id}:${outcome}`,
    at: new Date(core.clock.now()).toISOString(),
  });
  switch (result.kind) {
    case 'accepted':
      return { report: { ...report('pending'), providerRef: result.providerRef } };
    case 'declined': {
      const { code, cause } = result;
      const message = declineMessage(result.message);
      const failure: StoredFailure =
        message === undefined
          ? { code: 'provider-error', message: `The provider declined: ${code}` }
          : { code: 'banking.merchantClientError', message };
      const why = { reason: code, ...(cause !== undefined && { cause }), ...(message !== undefined && { message }) };
      return { report: { ...report('declined'), ...why }, failure };
    }
    case 'failed': {
      // An earlier call may have succeeded, although this call failed.
      if (row.submissions > 1) return undefined;
      const failure: StoredFailure = { code: 'provider-error', message: `The provider failed: ${result.code}` };
      // Under an id of its own: it may change nothing, and a certain decline may come later.
      const failed = { ...report('declined'), eventId: `answer:${row.id}:failed`, reason: result.code };
      return { report: failed, failure, isOfOnlyCall: true };
    }
    case 'unknown':
      return undefined;
  }
}
