/**
 * The one door (SRV-3): call-back, poller and staff all come through here. One transaction locks the deposit, decides, books,
 * moves and tells; what cannot be decided is parked. Nothing that a provider reports is ever dropped.
 */
import type { Database, Transaction } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { freezeUser, lockUserBalance, type PostingLine, postJournal } from '../ledger/ledger.ts';
import type { Spans } from '../observability/spans.ts';
import type { ProviderEvidence } from '../providers/provider.ts';
import { boxReversal } from '../sweepstake/box-postings.ts';
import { bonusBackLines } from './bonus-postings.ts';
import { creditLines } from './credit-lines.ts';
import { type Decision, decide } from './decide.ts';
import { noteDetails } from './deposit-details.ts';
import { depositEvidence } from './deposit-evidence.ts';
import { type DepositRow, depositColumns, readDeposit } from './deposit-row.ts';
import { type DepositMove, moveDeposit, queuePush } from './deposit-store.ts';
import type { Failpoint } from './failpoints.ts';
import { transferOf } from './further-transfer.ts';
import type { AppliedEvidence } from './payments.ts';
import type { PaymentsLogger } from './payments-engine.ts';
import { liveRefund, postRefund, refundStateOf } from './refund-store.ts';
import { reviewSecondPayments } from './second-payments.ts';
import { openUnassigned } from './unassigned-money.ts';

/** A fact that our own books contradict: parked, for people. */
class Contradiction extends Error {
  override readonly name = 'Contradiction';
}

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
    const why = found ?? 'unknown-deposit';
    if (record.state === 'new') options.logger.warn({ ...idsOf(reported), why }, 'report parked');
    await depositEvidence.settle(transaction, reported, { status: 'parked', outcome: why });
    return { outcome: 'parked' };
  }
  const { row, evidence } = await transferOf(transaction, found, reported);
  const named =
    evidence.refundId === undefined ? undefined : await refundStateOf(transaction, row.id, evidence.refundId);
  const hasReturned = evidence.outcome === 'reversed' && (await hasReturnedMoney(transaction, row));
  const decision = decide(row, evidence, named, hasReturned);
  const refund = decision.kind === 'reverse' ? await liveRefund(transaction, row.id) : undefined;
  if (refund === undefined) alert(options.logger, evidence, row, decision, record.state === 'new');
  if (decision.kind === 'park') {
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
    case 'move':
      await move({ to: decision.to, ...reasonOfEnding(decision.to) });
      return;
    case 'credit':
      await book(transaction, row, evidence, 'deposit_credit', [
        { owner: row.provider, asset: row.currency, kind: 'provider_clearing', amount: -decision.amount },
        ...creditLines(row, decision.amount),
      ]);
      await move({
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
        ...(decision.review !== 'returned' && { reason: `transaction.reason.${decision.review}` }),
        ...(decision.review !== 'second-payment' &&
          row.paid === null && {
            paid: decision.amount,
            ...(decision.asset === row.currency && { received: decision.amount }),
          }),
      });
      return;
    case 'reverse':
      await reverse(transaction, row, evidence);
      await move({ to: 'reversed', reason: 'transaction.reason.reversed' });
      return;
    case 'unsuspend':
      await book(transaction, row, evidence, 'suspense_out', await suspendedLines(transaction, row));
      await reviewSecondPayments(
        transaction,
        await move({ to: decision.to, review: null, reason: 'transaction.reason.refunded' }),
        'provider',
      );
  }
}

async function book(
  transaction: Transaction,
  row: DepositRow,
  evidence: ProviderEvidence,
  kind: string,
  lines: readonly PostingLine[],
  note?: string,
): Promise<void> {
  const result = await postJournal(transaction, {
    operatorId: row.operatorId,
    kind,
    depositId: row.id,
    source: row.provider,
    ref: evidence.providerRef,
    ...(note !== undefined && { note }),
    lines,
  });
  if (result === 'duplicate') throw new Contradiction('booked-before');
}

/** The journal's own word for money that had left and is there again. */
const RETURNED = 'returned';

async function hasReturnedMoney(transaction: Transaction, row: DepositRow): Promise<boolean> {
  const found = await transaction.query({
    text: `select 1 from journal where deposit_id = $1 and kind = 'suspense_in' and note = $2 limit 1`,
    values: [row.id, RETURNED],
  });
  return found.length > 0;
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

/** Takes credited money back: from what the user still has; the rest is a debt, and the account is frozen. */
async function reverse(transaction: Transaction, row: DepositRow, evidence: ProviderEvidence): Promise<void> {
  const amount = row.credited ?? 0n;
  if (row.box !== null) {
    const { lines: back, owed } = await boxReversal(transaction, row, row.box, amount);
    const paid: PostingLine = { owner: row.provider, asset: row.currency, kind: 'provider_clearing', amount };
    await book(transaction, row, evidence, 'deposit_reversal', [paid, ...back]);
    for (const asset of owed) await freezeUser(transaction, row.operatorId, row.userId, asset);
    return;
  }
  const { balance } = await lockUserBalance(transaction, row.operatorId, row.userId, row.currency);
  const taken = balance < amount ? balance : amount;
  const owed = amount - taken;
  const lines: PostingLine[] = [
    { owner: row.provider, asset: row.currency, kind: 'provider_clearing', amount },
    { owner: row.userId, asset: row.currency, kind: 'user', amount: -taken },
    { owner: row.userId, asset: row.currency, kind: 'reversal_debt', amount: -owed },
    ...(await bonusBackLines(transaction, row)),
  ];
  await book(
    transaction,
    row,
    evidence,
    'deposit_reversal',
    lines.filter((line) => line.amount !== 0n),
  );
  if (owed > 0n) await freezeUser(transaction, row.operatorId, row.userId, row.currency);
}

/** The way back of what lies in suspense for the payment of a deposit. */
export async function suspendedLines(transaction: Transaction, row: DepositRow): Promise<PostingLine[]> {
  const lines = await transaction.query<PostingLine>({
    text: `select account.owner, account.asset, account.kind, -posting.amount as amount
      from journal join posting on posting.journal_id = journal.id join account on account.id = posting.account_id
      where journal.deposit_id = $1 and journal.kind = 'suspense_in' and journal.ext_ref = $2`,
    values: [row.id, row.providerRef],
  });
  if (lines.length === 0) throw new Contradiction('nothing-in-suspense');
  return lines;
}

function reasonOfEnding(to: DepositMove['to']): { readonly reason?: string } {
  return to === 'declined' || to === 'expired' || to === 'cancelled' ? { reason: `transaction.reason.${to}` } : {};
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
  } else if (decision.kind === 'reverse') logger.error(ids, 'credited money was taken back');
}

function idsOf(evidence: ProviderEvidence): object {
  return { provider: evidence.provider, eventId: evidence.eventId, outcome: evidence.outcome };
}
