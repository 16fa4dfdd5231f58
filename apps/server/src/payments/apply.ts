/**
 * The one door (SRV-3): call-back, poller and staff all come through here. One transaction locks the deposit, decides, books,
 * moves and tells; what cannot be decided is parked. Nothing that a provider reports is ever dropped.
 */
import { declineReason } from '@opencashier/core/deposit/decline-cause';
import type { Database, Transaction } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import type { Spans } from '../observability/spans.ts';
import type { ProviderEvidence } from '../providers/provider.ts';
import { book, Contradiction } from './booking.ts';
import { creditLines } from './credit-lines.ts';
import { payDebtByDeposit } from './debt-from-deposit.ts';
import { type Decision, decide, type MoneyThatLeft } from './decide.ts';
import { forgetSeen, noteDetails } from './deposit-details.ts';
import { depositEvidence } from './deposit-evidence.ts';
import { type DepositRow, depositColumns, readDeposit } from './deposit-row.ts';
import { type DepositMove, moveDeposit, queuePush } from './deposit-store.ts';
import { STILL_PARKED } from './evidence-store.ts';
import type { Failpoint } from './failpoints.ts';
import { transferOf } from './further-transfer.ts';
import type { AppliedEvidence } from './payments.ts';
import type { PaymentsLogger } from './payments-engine.ts';
import { liveRefund, postRefund, refundStateOf } from './refund-store.ts';
import { RETURNED, reviewNext, suspendedLines } from './suspense.ts';
import { moneyThatLeft, partsThatLeft, reverse, reversePart, reverseReturned, takeOutOfSuspense } from './take-back.ts';
import { openUnassigned } from './unassigned-money.ts';

export interface ApplyOptions {
  readonly database: Database;
  readonly logger: PaymentsLogger;
  readonly spans: Spans;
  /** Told after a commit that left something to send or to try again. */
  readonly onChange: () => void;
  readonly failpoint?: (name: Failpoint) => void;
}

export function applyEvidence(options: ApplyOptions, reported: ProviderEvidence): Promise<AppliedEvidence> {
  const evidence = withOurIdOnly(reported);
  const { provider, depositId: payment } = evidence;
  return options.spans.begin('deposit apply', { provider }, { payment }, async (span) => {
    const result = await applyWhole(options, evidence);
    span.note({ outcome: result.outcome, ...(result.depositId !== undefined && { payment: result.depositId }) });
    return result;
  });
}

async function applyWhole(options: ApplyOptions, evidence: ProviderEvidence): Promise<AppliedEvidence> {
  let result: AppliedEvidence;
  try {
    result = await options.database.transaction((transaction) => applyOnce(options, transaction, evidence));
  } catch (error) {
    const why = contradictionOf(error);
    if (why === undefined) throw error;
    options.logger.error({ ...idsOf(evidence), why }, 'report contradicts the books: parked');
    result = await options.database.transaction(async (transaction) => {
      await depositEvidence.record(transaction, evidence);
      await depositEvidence.settle(transaction, evidence, { status: 'parked', outcome: why });
      return { outcome: 'parked' };
    });
  }
  if (result.outcome !== 'unchanged') options.onChange();
  return result;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An id that we never gave names no deposit of ours; the provider's own reference may. */
function withOurIdOnly(evidence: ProviderEvidence): ProviderEvidence {
  const { depositId, ...rest } = evidence;
  return depositId === undefined || UUID.test(depositId) ? evidence : rest;
}

/** A payment that was booked for another deposit before, or a reference that belongs to another. */
function contradictionOf(error: unknown): string | undefined {
  if (error instanceof Contradiction) return error.message;
  const constraint = constraintOf(error);
  return constraint === 'deposit_provider_ref_once' || constraint === 'one_credit' ? constraint : undefined;
}

async function applyOnce(
  options: ApplyOptions,
  transaction: Transaction,
  reported: ProviderEvidence,
): Promise<AppliedEvidence> {
  const record = await depositEvidence.record(transaction, reported);
  const known = record.paymentId === undefined ? {} : { depositId: record.paymentId };
  if (record.state === 'applied') return { outcome: 'unchanged', ...known };
  if (record.state === 'changed') {
    options.logger.error(idsOf(reported), 'one event told with two contents: the first stands');
    return { outcome: 'unchanged', ...known };
  }
  const found = (await lockFor(transaction, reported)) ?? (await openUnassigned(transaction, reported));
  if (found === 'reused-ref' || found === undefined) {
    const why = found ?? reported.contradiction ?? 'unknown-deposit';
    if (record.state === 'new') options.logger.warn({ ...idsOf(reported), why }, 'report parked');
    if (record.isStuck) options.logger.error({ ...idsOf(reported), why }, STILL_PARKED);
    await depositEvidence.settle(transaction, reported, { status: 'parked', outcome: why });
    return { outcome: 'parked' };
  }
  const { row, evidence } = await transferOf(transaction, found, reported);
  const named =
    evidence.refundId === undefined ? undefined : await refundStateOf(transaction, row.id, evidence.refundId);
  const left = await leftBefore(transaction, row, evidence);
  const decision = decide(row, evidence, named, left);
  const refund = decision.kind === 'reverse' ? await liveRefund(transaction, row.id) : undefined;
  if (refund === undefined) alert(options.logger, evidence, row, decision, record.state === 'new');
  if (decision.kind === 'park') {
    if (record.isStuck) options.logger.error({ ...idsOf(evidence), deposit: row.id, why: decision.why }, STILL_PARKED);
    await depositEvidence.settle(transaction, evidence, { status: 'parked', outcome: decision.why, paymentId: row.id });
    return { outcome: 'parked', depositId: row.id };
  }
  const noted = await noteDetails(transaction, row, evidence);
  if (noted !== undefined && decision.kind === 'none') await queuePush(transaction, noted);
  // What we asked for ourselves takes nothing from the user but what was held for it.
  if (refund !== undefined) await postRefund(transaction, noted ?? row, refund, 'provider');
  else await carryOut(transaction, noted ?? row, evidence, decision);
  await depositEvidence.settle(transaction, evidence, { status: 'applied', outcome: decision.kind, paymentId: row.id });
  if (decision.kind !== 'none') {
    await depositEvidence.wake(transaction, { ...row, providerRef: row.providerRef ?? evidence.providerRef });
    if (row.furtherOf !== null) await depositEvidence.wake(transaction, { ...reported, id: row.furtherOf });
  }
  options.failpoint?.('credit-uncommitted');
  const outcome = noted !== undefined && decision.kind === 'none' ? 'moved' : outcomeOf(decision);
  return { outcome, depositId: row.id };
}

function leftBefore(
  transaction: Transaction,
  row: DepositRow,
  evidence: ProviderEvidence,
): Promise<MoneyThatLeft | undefined> {
  if (evidence.outcome === 'reversed') return moneyThatLeft(transaction, row, evidence);
  return evidence.outcome === 'returned' ? partsThatLeft(transaction, row) : Promise.resolve(undefined);
}

/** By our id where the report names it, else by the provider's; a report that names two different deposits names none. */
async function lockFor(
  transaction: Transaction,
  evidence: ProviderEvidence,
): Promise<DepositRow | 'reused-ref' | undefined> {
  const rows = await transaction.query<DepositRow>({
    name: 'deposit-lock-for-evidence',
    text: `select ${depositColumns} from deposit
      where id = $1 or (provider = $2 and provider_ref = $3) order by id for update`,
    values: [evidence.depositId ?? null, evidence.provider, evidence.providerRef],
  });
  const [row, ...others] = rows.map(readDeposit);
  if (others.length > 0) return furtherOf(row, others) ?? 'reused-ref';
  return evidence.depositId !== undefined && row !== undefined && row.id !== evidence.depositId ? 'reused-ref' : row;
}

/** A further transfer that its provider still tells of under the deposit whose address it came to. */
function furtherOf(row: DepositRow | undefined, [other, ...more]: readonly DepositRow[]): DepositRow | undefined {
  if (row === undefined || other === undefined || more.length > 0) return undefined;
  if (row.furtherOf === other.id) return row;
  return other.furtherOf === row.id ? other : undefined;
}

async function carryOut(
  transaction: Transaction,
  row: DepositRow,
  evidence: ProviderEvidence,
  decision: Decision,
): Promise<void> {
  const move = (change: Omit<DepositMove, 'cause' | 'providerRef'>): Promise<DepositRow> =>
    moveDeposit(transaction, row, { cause: 'provider', providerRef: evidence.providerRef, ...change });
  switch (decision.kind) {
    case 'none':
    case 'park':
      return;
    case 'forget':
      await queuePush(transaction, await forgetSeen(transaction, row));
      return;
    case 'move':
      await move({ to: decision.to, ...reasonOfEnding(decision.to, evidence) });
      return;
    case 'credit':
      await book(transaction, row, evidence, 'deposit_credit', [
        { owner: row.provider, asset: row.currency, kind: 'provider_clearing', amount: -decision.amount },
        ...creditLines(row, decision.amount),
      ]);
      await move({
        paidDebt: await payDebtByDeposit(transaction, row, evidence.providerRef, decision.amount),
        to: 'credited',
        paid: decision.amount,
        credited: decision.amount,
        received: decision.amount,
      });
      return;
    case 'suspend':
      if (await isBookedAlready(transaction, row, evidence)) return;
      await book(
        transaction,
        row,
        evidence,
        'suspense_in',
        [
          { owner: row.provider, asset: decision.asset, kind: 'provider_clearing', amount: -decision.amount },
          { owner: '', asset: decision.asset, kind: 'suspense', amount: decision.amount },
        ],
        evidence.outcome === 'returned' ? RETURNED : undefined,
      );
      await move({
        to: decision.to,
        review: decision.review,
        ...reviewedPayment(row, evidence),
        ...(decision.review !== 'returned' && { reason: `transaction.reason.${decision.review}` }),
        ...(decision.review !== 'second-payment' &&
          row.paid === null && {
            paid: decision.amount,
            ...(decision.asset === row.currency && { received: decision.amount }),
          }),
      });
      return;
    case 'reverse': {
      const { amount: takenBack, row: after } = await reverse(transaction, row, evidence);
      const { providerRef } = evidence;
      const reason = 'transaction.reason.reversed';
      await moveDeposit(transaction, after, { to: 'reversed', cause: 'provider', providerRef, takenBack, reason });
      return;
    }
    case 'reverse-part':
      await reversePart(transaction, row, evidence, decision.amount);
      return;
    case 'reverse-returned':
      await reverseReturned(transaction, row, evidence);
      return;
    case 'unsuspend-beside':
      await takeOutOfSuspense(transaction, row, [evidence.providerRef], evidence);
      return;
    case 'unsuspend':
      await book(
        transaction,
        row,
        evidence,
        'suspense_out',
        await suspendedLines(transaction, row, evidence.providerRef),
      );
      await reviewNext(
        transaction,
        await move({ to: decision.to, review: null, reason: 'transaction.reason.refunded' }),
        'provider',
      );
  }
}

/** A review that is open stays of what it is; a new one of money beside the deposit's own says of which. */
function reviewedPayment(row: DepositRow, { outcome, providerRef }: ProviderEvidence): { readonly reviewRef?: string } {
  const isBeside = outcome === 'returned' || (row.providerRef !== null && row.providerRef !== providerRef);
  if (!isBeside) return {};
  if (row.review === null) return { reviewRef: providerRef };
  return row.reviewRef === null ? {} : { reviewRef: row.reviewRef };
}

/** A second payment under one deposit may be told of by several events. */
async function isBookedAlready(
  transaction: Transaction,
  row: DepositRow,
  evidence: ProviderEvidence,
): Promise<boolean> {
  const found = await transaction.query({
    text: `select 1 from journal where deposit_id = $1 and kind = 'suspense_in' and ext_source = $2 and ext_ref = $3`,
    values: [row.id, row.provider, evidence.providerRef],
  });
  return found.length > 0;
}

function reasonOfEnding(to: DepositMove['to'], evidence: ProviderEvidence): { readonly reason?: string } {
  if (to === 'declined') return { reason: declineReason(evidence.cause) };
  return to === 'expired' || to === 'cancelled' ? { reason: `transaction.reason.${to}` } : {};
}

function outcomeOf(decision: Exclude<Decision, { kind: 'park' }>): AppliedEvidence['outcome'] {
  if (decision.kind === 'credit') return 'credited';
  if (decision.kind === 'suspend') return 'parked';
  return decision.kind === 'none' ? 'unchanged' : 'moved';
}

/** People are told once of what they have to look at, not at every retry. */
function alert(
  logger: PaymentsLogger,
  evidence: ProviderEvidence,
  row: DepositRow,
  decision: Decision,
  isNew: boolean,
): void {
  const ids = { ...idsOf(evidence), deposit: row.id };
  if (decision.kind === 'suspend') logger.error({ ...ids, review: decision.review }, 'money put into suspense');
  else if (decision.kind === 'none' && decision.alert)
    logger.error({ ...ids, why: decision.alert }, 'report contradicts');
  else if (decision.kind === 'park' && isNew) {
    // Money is there that no review shows: nobody else says so.
    const level = decision.why === 'unknown-currency' ? 'error' : 'warn';
    logger[level]({ ...ids, why: decision.why }, 'report parked');
  } else if (decision.kind === 'reverse' || decision.kind === 'reverse-part')
    logger.error(ids, 'credited money was taken back');
  else if (decision.kind === 'unsuspend-beside') logger.error(ids, 'money in suspense was taken back');
  else if (decision.kind === 'reverse-returned') logger.error(ids, 'money that had come back was taken back again');
}

function idsOf(evidence: ProviderEvidence): object {
  return { provider: evidence.provider, eventId: evidence.eventId, outcome: evidence.outcome };
}
