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
import { boxReversal } from '../sweepstake/box-postings.ts';
import { queueWebhook } from '../webhooks/queue-webhook.ts';
import { bonusBackLines } from './bonus-postings.ts';
import { book } from './booking.ts';
import type { MoneyThatLeft } from './decide.ts';
import type { DepositRow } from './deposit-row.ts';
import { depositHookData, moveDeposit } from './deposit-store.ts';
import { RETURNED, reviewNext, suspendedLines, underReview } from './suspense.ts';

/** Takes back what is left of the credit of a deposit. @returns how much that is, in minor units */
export async function reverse(transaction: Transaction, row: DepositRow, evidence: ProviderEvidence): Promise<bigint> {
  const amount = (await leftOf(transaction, row)) ?? row.credited ?? 0n;
  if (row.box !== null) {
    const { lines: back, owed } = await boxReversal(transaction, row, row.box, amount);
    const paid: PostingLine = { owner: row.provider, asset: row.currency, kind: 'provider_clearing', amount };
    await book(transaction, row, evidence, 'deposit_reversal', [paid, ...back]);
    for (const asset of owed) await freezeUser(transaction, row.operatorId, row.userId, asset);
    return amount;
  }
  await takeFromUser(transaction, row, evidence, { asset: row.currency, amount }, () =>
    bonusBackLines(transaction, row),
  );
  return amount;
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

/** What of the credit was not taken back in parts; what had come back of them counts as taken. Undefined: nothing was taken. */
export async function leftOf(transaction: Transaction, row: DepositRow): Promise<bigint | undefined> {
  const [found] = await transaction.query<{ taken: bigint | null }>({
    name: 'deposit-parts-taken',
    text: `select sum(posting.amount)::bigint as taken from journal join posting on posting.journal_id = journal.id
      join account on account.id = posting.account_id and account.kind = 'provider_clearing' and account.asset = $3
      where journal.deposit_id = $1 and journal.kind = 'deposit_reversal' and starts_with(journal.ext_ref, $2)`,
    values: [row.id, partRef(row, ''), row.currency],
  });
  return found?.taken == null || row.credited === null ? undefined : row.credited - found.taken;
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
  if (!sum.isDecided) return takeOutOfSuspense(transaction, row, sum.ref, evidence);
  await takeFromUser(transaction, row, { providerRef: sum.ref }, sum);
  await tellReversal(transaction, row, sum);
}

/** What nobody was given is gone, and where people were asked about it, they need not decide any more. */
export async function takeOutOfSuspense(
  transaction: Transaction,
  row: DepositRow,
  ref: string,
  { eventId }: Pick<ProviderEvidence, 'eventId'>,
): Promise<void> {
  const reviewed = await underReview(transaction, row);
  const lines = await suspendedLines(transaction, row, ref);
  await book(transaction, row, { providerRef: ref }, 'suspense_out', lines, `taken back: ${eventId}`);
  if (reviewed?.ref !== ref) return;
  const after = await moveDeposit(transaction, row, { to: row.state, cause: 'provider', review: null });
  await reviewNext(transaction, after, 'provider');
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
      order by "isDecided", journal.at, journal.ext_ref`,
    values: [row.id, RETURNED],
  });
}

/** Of a deposit of which no time is to be counted: what was taken back in parts. */
export async function partsThatLeft(transaction: Transaction, row: DepositRow): Promise<MoneyThatLeft> {
  const isBack = (await returnedSums(transaction, row)).length > 0;
  return { isBack, isReportDue: true, left: await leftOf(transaction, row) };
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
  const [count] = await transaction.query<{ times: number; refunds: number; told: number; toldOfRefunds: number }>({
    name: 'deposit-money-that-left',
    text: `select
        (select count(*)::int from journal where deposit_id = $1 and (kind = 'deposit_reversal' or (kind = 'suspense_out'
          and exists (select 1 from posting join account on account.id = posting.account_id
            where posting.journal_id = journal.id and account.kind = 'provider_clearing')
          and (ext_ref = $2 or exists (select 1 from journal back where back.kind = 'suspense_in' and back.note = $3
            and back.ext_source = journal.ext_source and back.ext_ref = journal.ext_ref))))) as times,
        (select count(*)::int from deposit_refund where deposit_id = $1 and state = 'refunded') as refunds,
        told.times as told, told.refunds as "toldOfRefunds"
      from (select count(*) filter (where body ->> 'refundId' is null)::int as times,
          count(*) filter (where body ->> 'refundId' is not null)::int as refunds
        from evidence where deposit_id = $1 and body ->> 'outcome' = 'reversed' and status = 'applied' and outcome <> 'dismissed'
          and body ->> 'providerRef' = $2) told`,
    values: [row.id, row.providerRef, RETURNED],
  });
  if (count === undefined) throw new Error('A count without a row');
  const { times, refunds, told, toldOfRefunds } = count;
  const isReportDue = isBack ? told < times : told + toldOfRefunds < times + refunds;
  return { isBack, isReportDue };
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
