/**
 * What the ledger must book of settlements: fees and settlements of files, and the ends of mismatches. One person proposes a booking, and
 * another approves it. Only the approval writes a journal.
 */
import {
  type BookingPage,
  type BookingQuery,
  type BookingView,
  cashierName,
  type DecideBooking,
  type ResolveMismatch,
} from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Database, Queryable, Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { postJournal } from '../ledger/ledger.ts';
import type { Actor } from '../operators/setting-history.ts';
import { momentAndId, pagedList } from '../requests/page-cursor.ts';
import type { FileAtWork } from './file-at-work.ts';
import { lockBooks } from './lock-books.ts';
import { refuseSamePerson } from './second-person.ts';

const bookingList = pagedList('settlement-bookings', momentAndId);

interface BookingRow {
  readonly bookingId: string;
  readonly kind: BookingView['kind'];
  readonly state: BookingView['state'];
  readonly provider: string;
  readonly fileId: string;
  readonly mismatchId: string | null;
  readonly account: BookingView['account'];
  readonly currency: string;
  readonly amount: bigint;
  readonly reason: string;
  readonly proposedBy: string;
  readonly proposedKey: string | null;
  readonly proposed: Date;
  readonly proposedText: string;
  readonly decidedBy: string | null;
  readonly decided: Date | null;
}

const COLUMNS = `id as "bookingId", kind, state, provider, file_id as "fileId", mismatch_id as "mismatchId", account, currency, amount, reason,
  proposed_by as "proposedBy", proposed_key as "proposedKey", proposed_at as proposed, proposed_at::text as "proposedText",
  decided_by as "decidedBy", decided_at as decided`;

/**
 * Proposes the fees of a settlement file, or what a statement says that providers paid. The fee of a duplicate was proposed with the line
 * that settled its entry.
 */
export async function proposeBookings(
  transaction: Transaction,
  { operatorId, fileId, provider, source }: FileAtWork,
  { by, keyId }: Actor,
): Promise<void> {
  const fees = `select 'fees' as kind, $3 as provider, 'provider_fee' as account, currency, sum(fee)::bigint as amount
    from settlement_line line where operator_id = $1 and file_id = $2 and not exists (select 1 from settlement_mismatch doubled
      where doubled.operator_id = $1 and doubled.file_id = $2 and doubled.class = 'duplicate' and doubled.line_id = line.id)
    group by currency`;
  const settlements = `select 'settlement' as kind, batch.provider, 'settlement_account' as account, line.currency,
      sum(line.amount)::bigint as amount
    from settlement_line line join settlement_match match on match.operator_id = $1 and match.line_id = line.id
    join settlement_batch batch on batch.operator_id = $1 and batch.id = match.entry_id
    where line.operator_id = $1 and line.file_id = $2 and match.entry_kind = 'settlement' and $3 <> ''
    group by batch.provider, line.currency`;
  await transaction.query({
    text: `insert into settlement_booking (operator_id, kind, provider, file_id, account, currency, amount, reason, proposed_by, proposed_key)
      select $1, kind, provider, $2, account, currency, amount, 'file', $4, $5
      from (${source === 'bank' ? settlements : fees}) due where amount <> 0`,
    values: [operatorId, fileId, provider, by, keyId ?? null],
  });
}

interface OpenMismatch {
  readonly class: string;
  readonly state: string;
  readonly fileId: string;
  readonly source: 'provider' | 'bank' | 'chain';
  readonly provider: string;
  /** The provider of the sum that a bank line is about. */
  readonly batchProvider: string | null;
  readonly currency: string;
  readonly expected: bigint;
  readonly found: bigint;
}

/**
 * Proposes how a mismatch ends, once per `decisionId`.
 * @throws DomainError not-found, state-conflict or idempotency-conflict
 */
export function resolveOnce(
  database: Database,
  operatorId: string,
  mismatchId: string,
  request: ResolveMismatch,
  keyId?: string,
): Promise<BookingView> {
  const { decisionId, account, decidedBy, reason } = request;
  return database.transaction(async (transaction) => {
    const [mismatch] = await transaction.query<OpenMismatch>({
      text: `select class, mismatch.state, mismatch.file_id as "fileId", file.source, mismatch.provider, batch.provider as "batchProvider",
          mismatch.currency, expected, found
        from settlement_mismatch mismatch
        join settlement_file file on file.operator_id = $1 and file.id = mismatch.file_id and file.state = 'done'
        left join settlement_batch batch on batch.operator_id = $1 and batch.id = mismatch.entry_id
        where mismatch.operator_id = $1 and mismatch.id = $2 for no key update of mismatch`,
      values: [operatorId, mismatchId],
    });
    if (mismatch === undefined) throw new DomainError('not-found', 'There is no such mismatch.');
    const known = await findBooking(transaction, operatorId, decisionId);
    if (known !== undefined) return answerOf(known, mismatchId, request);
    if (mismatch.state !== 'open') {
      throw new DomainError('state-conflict', 'The mismatch is not open.', { params: { state: mismatch.state } });
    }
    if (account === 'settlement_account' && mismatch.class !== 'balance') {
      throw new DomainError(
        'state-conflict',
        'Only a difference of a chain can be booked on the account settlement_account.',
      );
    }
    const amount = account === 'none' ? 0n : amountOf(mismatch);
    const proposed = await transaction.query({
      text: `insert into settlement_booking (operator_id, id, kind, provider, file_id, mismatch_id, account, currency, amount, reason,
          proposed_by, proposed_key) values ($1, $2, 'mismatch', $3, $4, $5, $6, $7, $8, $9, $10, $11)
        on conflict (operator_id, id) do nothing returning 1`,
      values: [
        operatorId,
        decisionId,
        mismatch.batchProvider ?? mismatch.provider,
        mismatch.fileId,
        mismatchId,
        account,
        mismatch.currency,
        amount,
        reason,
        decidedBy,
        keyId ?? null,
      ],
    });
    // The lock is of this mismatch alone: meanwhile the decisionId was used for another one.
    if (proposed.length === 0)
      return answerOf(await bookingOf(transaction, operatorId, decisionId), mismatchId, request);
    await moveMismatch(transaction, operatorId, mismatchId, 'proposed');
    return viewOf(await bookingOf(transaction, operatorId, decisionId));
  });
}

/** What the provider owes less: the ledger expects one sum, and the provider settles another. @throws DomainError state-conflict */
function amountOf({ class: name, source, batchProvider, expected, found }: OpenMismatch): bigint {
  const isBookable = name !== 'date' && name !== 'currency' && (source !== 'bank' || batchProvider !== null);
  if (isBookable && expected !== found) return expected - found;
  throw new DomainError(
    'state-conflict',
    'This mismatch has no amount that could be booked. Resolve it with the account none.',
  );
}

function answerOf(known: BookingRow, mismatchId: string, { account, decidedBy }: ResolveMismatch): BookingView {
  if (known.mismatchId === mismatchId && known.account === account && known.proposedBy === decidedBy)
    return viewOf(known);
  throw new DomainError('idempotency-conflict', 'The decisionId was already used for another decision.');
}

/**
 * Approves or rejects a booking. An approval books it and ends its mismatch. A rejected mismatch is open again.
 * @throws DomainError not-found or state-conflict
 */
export function decideBooking(
  database: Database,
  operatorId: string,
  bookingId: string,
  { decision, decidedBy }: DecideBooking,
  keyId?: string,
): Promise<BookingView> {
  const state = decision === 'approve' ? 'approved' : 'rejected';
  return database.transaction(async (transaction) => {
    // A line that is being compared sees the booking, or ends it.
    await lockBooks(transaction, { operatorId });
    const booking = await findBooking(transaction, operatorId, bookingId, 'for no key update');
    if (booking === undefined) throw new DomainError('not-found', 'There is no such booking.');
    if (booking.state !== 'proposed') {
      if (booking.state === state && booking.decidedBy === decidedBy) return viewOf(booking);
      throw new DomainError('state-conflict', 'The booking was decided before.', { params: { state: booking.state } });
    }
    if (state === 'approved') {
      await refuseSamePerson(transaction, operatorId, { ...booking, what: 'the booking' }, decidedBy, keyId);
    }
    await transaction.query({
      text: `update settlement_booking set state = $3, decided_by = $4, decided_key = $5, decided_at = now()
        where operator_id = $1 and id = $2`,
      values: [operatorId, bookingId, state, decidedBy, keyId ?? null],
    });
    if (state === 'approved' && booking.amount !== 0n) await book(transaction, operatorId, booking);
    if (booking.mismatchId !== null) {
      await moveMismatch(transaction, operatorId, booking.mismatchId, state === 'approved' ? 'resolved' : 'open');
    }
    return viewOf(await bookingOf(transaction, operatorId, bookingId));
  });
}

async function book(transaction: Transaction, operatorId: string, booking: BookingRow): Promise<void> {
  const { bookingId, provider, account, currency: asset, amount } = booking;
  if (account === 'none') return;
  await postJournal(transaction, {
    operatorId,
    kind: 'settlement_booking',
    source: 'settlement',
    ref: bookingId,
    note: booking.kind,
    lines: [
      { owner: provider, asset, kind: 'provider_clearing', amount },
      { owner: '', asset, kind: account, amount: -amount },
    ],
  });
}

/** Rejects what waits about mismatches that a line has ended. */
export async function rejectBookingsOf(
  transaction: Transaction,
  operatorId: string,
  mismatchIds: readonly string[],
): Promise<void> {
  if (mismatchIds.length === 0) return;
  await transaction.query({
    text: `update settlement_booking set state = 'rejected', decided_by = $3, decided_at = now()
      where operator_id = $1 and mismatch_id = any($2::uuid[]) and state = 'proposed'`,
    values: [operatorId, mismatchIds, cashierName],
  });
}

async function moveMismatch(
  transaction: Transaction,
  operatorId: string,
  mismatchId: string,
  to: 'open' | 'proposed' | 'resolved',
): Promise<void> {
  await transaction.query({
    text: `update settlement_mismatch set state = $3, ended_at = case when $3 = 'resolved' then now() end
      where operator_id = $1 and id = $2`,
    values: [operatorId, mismatchId, to],
  });
}

async function findBooking(
  queryable: Queryable,
  operatorId: string,
  bookingId: string,
  lock = '',
): Promise<BookingRow | undefined> {
  const [row] = await queryable.query<BookingRow>({
    text: `select ${COLUMNS} from settlement_booking where operator_id = $1 and id = $2 ${lock}`,
    values: [operatorId, bookingId],
  });
  return row;
}

async function bookingOf(queryable: Queryable, operatorId: string, bookingId: string): Promise<BookingRow> {
  const row = await findBooking(queryable, operatorId, bookingId);
  if (row === undefined) throw new Error(`There is no booking ${bookingId}`);
  return row;
}

/** Oldest first. */
export async function bookingPage(
  queryable: Queryable,
  operatorId: string,
  { state, limit, cursor }: BookingQuery,
): Promise<BookingPage> {
  const after = bookingList.placeOf(cursor);
  const rows = await queryable.query<BookingRow>({
    text: `select ${COLUMNS} from settlement_booking where operator_id = $1 and ($2::text is null or state = $2)
        and ($3::timestamptz is null or (proposed_at, id) > ($3::timestamptz, $4::uuid))
      order by proposed_at, id limit $5`,
    values: [operatorId, state ?? null, after?.at ?? null, after?.id ?? null, limit + 1],
  });
  const { page, next } = bookingList.pageOf(rows, limit, ({ proposedText, bookingId }) => ({
    at: proposedText,
    id: bookingId,
  }));
  return { bookings: page.map(viewOf), ...next };
}

function viewOf({ mismatchId, amount, proposed, decidedBy, decided, ...row }: BookingRow): BookingView {
  const { proposedKey: _key, proposedText: _text, ...shown } = row;
  return {
    ...shown,
    ...(mismatchId !== null && { mismatchId }),
    amount: toDecimalString(amount, decimalsOf(row.currency)),
    proposed: proposed.toISOString(),
    ...(decidedBy !== null && { decidedBy }),
    ...(decided !== null && { decided: decided.toISOString() }),
  };
}
