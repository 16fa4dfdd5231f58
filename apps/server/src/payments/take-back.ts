/**
 * Money that its provider takes back (SRV-2): from what the user still has, and the rest is a debt that freezes the account. What had
 * come back may be taken once more, each sum of it once; the database itself refuses to book one twice.
 */
import { decimalsOf } from '@opencashier/core/money/currencies';
import { takeBack } from '@opencashier/core/money/debt';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Transaction } from '../database/database.ts';
import { freezeUser, lockUserBalance, type PostingLine } from '../ledger/ledger.ts';
import type { ProviderEvidence } from '../providers/provider.ts';
import type { StoredBox } from '../sweepstake/bought-box.ts';
import { boxReversal } from '../sweepstake/box-postings.ts';
import { queueWebhook } from '../webhooks/queue-webhook.ts';
import { bonusBackLines } from './bonus-postings.ts';
import { book } from './booking.ts';
import type { MoneyThatLeft } from './decide.ts';
import type { DepositRow } from './deposit-row.ts';
import { depositHookData, moveDeposit } from './deposit-store.ts';
import { RETURNED, reviewNext, suspendedLines, underReview } from './suspense.ts';

/** What a reversal of all that is left came to. */
export interface Reversed {
  /** What was taken from the user, in minor units. */
  readonly amount: bigint;
  /** The deposit after the reviews of what is gone have ended. */
  readonly row: DepositRow;
}

/**
 * Takes back what the user has of the credit. Where the whole payment is gone, so is what had come back of it and waits in suspense;
 * a part that happens to be all that is left takes nothing from there.
 */
export async function reverse(
  transaction: Transaction,
  row: DepositRow,
  evidence: ProviderEvidence,
): Promise<Reversed> {
  const amount = (await leftOf(transaction, row)) ?? row.credited ?? 0n;
  const sums = await returnedSums(transaction, row);
  if (row.box === null) {
    await takeFromUser(transaction, row, evidence, { asset: row.currency, amount }, () =>
      bonusBackLines(transaction, row),
    );
  } else await takeBox(transaction, row, row.box, evidence, amount);
  const given = sums.filter(({ isDecided }) => isDecided);
  const waiting = evidence.part === undefined ? sums.filter(({ isDecided }) => !isDecided) : [];
  const refs = waiting.map(({ ref }) => ref);
  const after = await takeOutOfSuspense(transaction, row, refs, evidence);
  const by = { kind: 'deposit_reversal', ref: evidence.providerRef } as const;
  for (const { ref } of [...given, ...waiting]) await noteTaken(transaction, row, ref, by);
  return { amount, row: after };
}

async function takeBox(
  transaction: Transaction,
  row: DepositRow,
  box: StoredBox,
  evidence: ProviderEvidence,
  amount: bigint,
): Promise<void> {
  const { lines: back, owed } = await boxReversal(transaction, row, box, amount);
  const paid: PostingLine = { owner: row.provider, asset: row.currency, kind: 'provider_clearing', amount };
  await book(transaction, row, evidence, 'deposit_reversal', [paid, ...back]);
  for (const asset of owed) await freezeUser(transaction, row.operatorId, row.userId, asset);
}

/** Keeps by which journal a sum that had come back was taken, so that it is not taken again. */
async function noteTaken(
  transaction: Transaction,
  row: DepositRow,
  returnedRef: string,
  by: { readonly kind: 'deposit_reversal' | 'suspense_out'; readonly ref: string },
): Promise<void> {
  await transaction.query({
    name: 'returned-sum-taken',
    text: `insert into returned_sum_taken (returned_id, taken_by) select came.id, taking.id from journal came, journal taking
      where came.ext_source = $1 and came.ext_ref = $2 and came.kind = 'suspense_in'
        and taking.ext_source = $1 and taking.ext_ref = $3 and taking.kind = $4`,
    values: [row.provider, returnedRef, by.ref, by.kind],
  });
}

/** Names the journal of a part, beside the one of the whole payment. */
const partRef = (row: DepositRow, part: string): string => `${row.providerRef ?? row.id}:part:${part}`;

/** Takes a part of the credit back. The deposit stays credited, and its bonus stays with the user. */
export async function reversePart(
  transaction: Transaction,
  row: DepositRow,
  { part = '' }: ProviderEvidence,
  amount: bigint,
): Promise<void> {
  const sum = { asset: row.currency, amount };
  await takeFromUser(transaction, row, { providerRef: partRef(row, part) }, sum);
  await tellReversal(transaction, row, sum);
}

/**
 * What the user has by the credit: less all that was taken back, and what had come back and was given to the user. Undefined: nothing
 * was taken back.
 */
export async function leftOf(transaction: Transaction, row: DepositRow): Promise<bigint | undefined> {
  return (await sumsOf(transaction, row)).left;
}

/** What the books say of the parts of a deposit's money that left and came back. */
async function sumsOf(
  transaction: Transaction,
  row: DepositRow,
): Promise<Required<Pick<MoneyThatLeft, 'left' | 'hasParts' | 'waiting' | 'sentAway'>>> {
  const [found] = await transaction.query<{
    taken: bigint | null;
    hasParts: boolean | null;
    given: bigint;
    waiting: bigint;
    sent: string[];
  }>({
    name: 'deposit-sums-that-left',
    text: `with moved as (
        select journal.kind, journal.ext_ref, posting.amount, ended.id is not null as is_decided,
          exists (select 1 from posting sent join account on account.id = sent.account_id
            where sent.journal_id = ended.id and account.kind = 'provider_clearing') as is_gone,
          exists (select 1 from returned_sum_taken where returned_id = journal.id) as is_taken
        from journal join posting on posting.journal_id = journal.id
        join account on account.id = posting.account_id and account.kind = 'provider_clearing' and account.asset = $3
        left join journal ended on journal.kind = 'suspense_in' and ended.kind = 'suspense_out'
          and ended.ext_source = journal.ext_source and ended.ext_ref = journal.ext_ref
        where journal.deposit_id = $1
          and (journal.kind = 'deposit_reversal' or (journal.kind = 'suspense_in' and journal.note = $2)))
      select (sum(amount) filter (where kind = 'deposit_reversal'))::bigint as taken,
        bool_or(kind = 'deposit_reversal' and starts_with(ext_ref, $5)) or exists (select 1 from evidence where deposit_id = $1
          and provider = $4 and body ->> 'outcome' = 'returned' and body ->> 'part' is not null and status = 'applied') as "hasParts",
        coalesce(-sum(amount) filter (where kind = 'suspense_in' and is_decided and not is_gone), 0)::bigint as given,
        coalesce(-sum(amount) filter (where kind = 'suspense_in' and not is_decided), 0)::bigint as waiting,
        array(select (-amount)::text from moved where kind = 'suspense_in' and is_gone and not is_taken
            and exists (select 1 from evidence where deposit_id = $1 and provider = $4 and body ->> 'outcome' = 'returned'
              and body ->> 'providerRef' = moved.ext_ref and body ->> 'part' is not null)
          except all select body ->> 'paidMinor' from evidence where deposit_id = $1 and provider = $4
            and body ->> 'outcome' = 'reversed' and body ->> 'part' is not null and status = 'applied' and outcome = 'none'
        ) as sent
      from moved`,
    values: [row.id, RETURNED, row.currency, row.provider, partRef(row, '')],
  });
  const { taken = null, hasParts, given = 0n, waiting = 0n, sent = [] } = found ?? {};
  const left = taken === null || row.credited === null ? undefined : row.credited - taken + given;
  return { left, hasParts: hasParts === true, waiting, sentAway: sent.map(BigInt) };
}

async function tellReversal(
  transaction: Transaction,
  row: DepositRow,
  { asset, amount }: { readonly asset: string; readonly amount: bigint },
): Promise<void> {
  await queueWebhook(transaction, {
    operatorId: row.operatorId,
    type: 'deposit.reversed',
    at: row.serverTime.toISOString(),
    data: { ...depositHookData(row), amount: toDecimalString(amount, decimalsOf(asset)), currency: asset },
  });
}

/**
 * Takes back a sum that had come back: out of suspense where nobody has decided about it yet, else from the user who was given it.
 * Which of several does not matter to the books but to the user: what nobody was given goes first.
 */
export async function reverseReturned(
  transaction: Transaction,
  row: DepositRow,
  evidence: ProviderEvidence,
): Promise<void> {
  const [sum] = await returnedSums(transaction, row);
  if (sum === undefined) throw new Error(`Nothing of deposit ${row.id} has come back`);
  if (!sum.isDecided) {
    await takeOutOfSuspense(transaction, row, [sum.ref], evidence);
    return noteTaken(transaction, row, sum.ref, { kind: 'suspense_out', ref: sum.ref });
  }
  await takeFromUser(transaction, row, { providerRef: sum.ref }, sum);
  await tellReversal(transaction, row, sum);
}

/**
 * What nobody was given is gone, and where people were asked about it, they need not decide any more.
 * @returns the deposit, of which what lies there still may be under review now
 */
export async function takeOutOfSuspense(
  transaction: Transaction,
  row: DepositRow,
  refs: readonly string[],
  { eventId }: Pick<ProviderEvidence, 'eventId'>,
): Promise<DepositRow> {
  if (refs.length === 0) return row;
  const reviewed = await underReview(transaction, row);
  for (const ref of refs) {
    const lines = await suspendedLines(transaction, row, ref);
    await book(transaction, row, { providerRef: ref }, 'suspense_out', lines, `taken back: ${eventId}`);
  }
  if (reviewed === undefined || !refs.includes(reviewed.ref)) return row;
  const after = await moveDeposit(transaction, row, { to: row.state, cause: 'provider', review: null });
  return reviewNext(transaction, after, 'provider');
}

async function takeFromUser(
  transaction: Transaction,
  row: DepositRow,
  named: Pick<ProviderEvidence, 'providerRef'>,
  { asset, amount }: { readonly asset: string; readonly amount: bigint },
  furtherLines?: () => Promise<readonly PostingLine[]>,
): Promise<void> {
  const { operatorId, userId: owner } = row;
  const { balance } = await lockUserBalance(transaction, operatorId, owner, asset);
  const { taken, owed } = takeBack(amount, balance);
  const lines: PostingLine[] = [
    { owner: row.provider, asset, kind: 'provider_clearing', amount },
    { owner, asset, kind: 'user', amount: -taken },
    { owner, asset, kind: 'reversal_debt', amount: -owed },
    ...((await furtherLines?.()) ?? []),
  ];
  await book(transaction, row, named, 'deposit_reversal', lines);
  if (owed > 0n) await freezeUser(transaction, operatorId, owner, asset);
}

/** A sum that had left, is there again and was not taken since. */
interface ReturnedSum {
  readonly ref: string;
  readonly asset: string;
  readonly amount: bigint;
  /** The user has it, or it has paid a debt; else it lies in suspense. */
  readonly isDecided: boolean;
}

/** What nobody was given first, then the oldest. What people have sent elsewhere is not there any more. */
async function returnedSums(transaction: Transaction, row: DepositRow): Promise<ReturnedSum[]> {
  return transaction.query<ReturnedSum>({
    name: 'deposit-returned-sums',
    text: `select journal.ext_ref as ref, posting.asset, posting.amount, ended.id is not null as "isDecided" from journal
      join posting on posting.journal_id = journal.id
      join account on account.id = posting.account_id and account.kind = 'suspense'
      left join journal ended on ended.kind = 'suspense_out' and ended.ext_source = journal.ext_source
        and ended.ext_ref = journal.ext_ref
      where journal.deposit_id = $1 and journal.kind = 'suspense_in' and journal.note = $2
        and not exists (select 1 from posting sent join account clearing on clearing.id = sent.account_id
          where sent.journal_id = ended.id and clearing.kind = 'provider_clearing')
        and not exists (select 1 from journal again where again.kind = 'deposit_reversal'
          and again.ext_source = journal.ext_source and again.ext_ref = journal.ext_ref)
        and not exists (select 1 from returned_sum_taken where returned_id = journal.id)
      order by "isDecided", journal.at, journal.ext_ref`,
    values: [row.id, RETURNED],
  });
}

/** Of a deposit of which no time is to be counted: what was taken back in parts. */
export async function partsThatLeft(transaction: Transaction, row: DepositRow): Promise<MoneyThatLeft> {
  const isBack = (await returnedSums(transaction, row)).length > 0;
  return { isBack, isReportDue: true, ...(await sumsOf(transaction, row)) };
}

/** Compares what the books say of a deposit's money with what its provider tells, and has told, to be gone. */
export async function moneyThatLeft(
  transaction: Transaction,
  row: DepositRow,
  { providerRef }: Pick<ProviderEvidence, 'providerRef'>,
): Promise<MoneyThatLeft> {
  // No times are to be counted of what is still there, or is of another payment.
  if (row.providerRef !== null && providerRef !== row.providerRef) {
    return { isBack: false, isReportDue: true, beside: await placeOf(transaction, row, providerRef) };
  }
  if (row.state === 'credited') return partsThatLeft(transaction, row);
  const isBack = (await returnedSums(transaction, row)).length > 0;
  const { times, refunds, told, toldOfRefunds } = await timesOf(transaction, row);
  const isReportDue = isBack ? told < times : told + toldOfRefunds < times + refunds;
  return { isBack, isReportDue, ...(await sumsOf(transaction, row)) };
}

interface Times {
  /** How often the money left by our books, without our own refunds. */
  readonly times: number;
  readonly refunds: number;
  readonly told: number;
  readonly toldOfRefunds: number;
}

/**
 * Parts and what came back of them do not count here: each of their reports says its own amount. What a reversal of the whole took
 * out of suspense is part of that reversal.
 */
async function timesOf(transaction: Transaction, row: DepositRow): Promise<Times> {
  const [count] = await transaction.query<Times>({
    name: 'deposit-money-that-left',
    text: `select
        (select count(*)::int from journal where deposit_id = $1
          and ((kind = 'deposit_reversal' and not starts_with(ext_ref, $4)) or (kind = 'suspense_out'
          and exists (select 1 from posting join account on account.id = posting.account_id
            where posting.journal_id = journal.id and account.kind = 'provider_clearing')
          and (ext_ref = $2 or exists (select 1 from journal back where back.kind = 'suspense_in' and back.note = $3
            and back.ext_source = journal.ext_source and back.ext_ref = journal.ext_ref
            and not exists (select 1 from returned_sum_taken taken join journal taking on taking.id = taken.taken_by
              where taken.returned_id = back.id and taking.kind = 'deposit_reversal')
            and (exists (select 1 from returned_sum_taken where returned_id = back.id) or not exists (
              select 1 from evidence part where part.deposit_id = $1 and part.body ->> 'outcome' = 'returned'
                and part.body ->> 'providerRef' = back.ext_ref and part.body ->> 'part' is not null))))))) as times,
        (select count(*)::int from deposit_refund where deposit_id = $1 and state = 'refunded') as refunds,
        told.times as told, told.refunds as "toldOfRefunds"
      from (select count(*) filter (where body ->> 'refundId' is null)::int as times,
          count(*) filter (where body ->> 'refundId' is not null)::int as refunds
        from evidence where deposit_id = $1 and body ->> 'outcome' = 'reversed' and status = 'applied' and outcome <> 'dismissed'
          and body ->> 'providerRef' = $2 and (body ->> 'part' is null or outcome = 'reverse')) told`,
    values: [row.id, row.providerRef, RETURNED, partRef(row, '')],
  });
  if (count === undefined) throw new Error('A count without a row');
  return count;
}

async function placeOf(transaction: Transaction, row: DepositRow, ref: string): Promise<MoneyThatLeft['beside']> {
  const [found] = await transaction.query<{ isGone: boolean }>({
    name: 'deposit-payment-beside',
    text: `select exists (select 1 from journal back where back.kind = 'suspense_out'
        and back.ext_source = $2 and back.ext_ref = $3) as "isGone"
      from journal where deposit_id = $1 and kind = 'suspense_in' and ext_source = $2 and ext_ref = $3`,
    values: [row.id, row.provider, ref],
  });
  if (found === undefined) return undefined;
  return found.isGone ? 'gone' : 'there';
}
