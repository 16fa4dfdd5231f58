/**
 * Reads a provider's own list of some days from its API, page by page, and matches it like a settlement file (SRV-1, SRV-2). Each page
 * is kept with its cursor, so an interrupted list goes on where it stopped. A provider that does not answer says nothing: no entry is
 * missing there before the list is complete.
 */
import { createHash } from 'node:crypto';
import type { SettlementFileView, SettlementMapping } from '@opencashier/contract/operator';
import type { Database, Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { counted } from '../languages/counted.ts';
import type { Actor } from '../operators/setting-history.ts';
import { type ListedMovement, type ListPage, MOST_LISTED } from '../providers/connection-kind.ts';
import { type FileAtWork, type FileLease, holdFile, takeFile } from './file-at-work.ts';
import { fileView } from './file-page.ts';
import { forgetMatches, insertLines, justTakenBack } from './import-file.ts';
import { lockBooks } from './lock-books.ts';
import { matchFile } from './match-file.ts';
import { keepSums } from './provider-sums.ts';
import { boundedAmount, keptText, type ReadLine } from './read-line.ts';

export interface ListRequest extends Actor {
  readonly operatorId: string;
  readonly provider: string;
  readonly connection: { readonly id: string; readonly name: string };
  /** Whether the list has every payout and return. */
  readonly hasPayouts: boolean;
  /** The first and the last day in UTC, both included. */
  readonly from: string;
  readonly to: string;
  /** Asks the provider. It never throws. */
  readonly read: (cursor: string | undefined) => Promise<ListPage>;
  /** Pages of this call. Absent: all. */
  readonly mostPages?: number;
  readonly onProgress?: (words: string) => void;
}

export interface ListedFile {
  /** `reading`: further pages follow. Repeat the call to read them. */
  readonly outcome: 'imported' | 'known' | 'reading';
  readonly file: SettlementFileView;
}

/** More pages than this are no list of some days. */
const MOST_PAGES = 50_000;

/** What `matchFile` asks of a mapping. A list has an entry as soon as the provider has it. */
const LIST_RULES: Extract<SettlementMapping, { format: 'csv' }> = {
  format: 'csv',
  encoding: 'utf-8',
  delimiter: ',',
  linesAbove: 0,
  endsWithLineBreak: true,
  columns: { amount: 'amount', date: 'date', kind: 'kind' },
  kinds: { payment: 'payment', refund: 'refund', chargeback: 'chargeback' },
  unit: 'minor',
  decimalSeparator: '.',
  sign: 'signed',
  feeSign: 'positive',
  dateForm: 'yyyy-mm-dd',
  settlesWithinDays: 1,
  daysApart: 3,
};

interface Begun {
  readonly id: string;
  readonly hash: Buffer;
  readonly state: 'reading' | 'matching' | 'done';
  readonly lines: number;
  readonly cursor: string | null;
  readonly isBusy: boolean;
  readonly isOver: boolean;
  /** Undefined: the list is done. */
  readonly lease?: FileLease;
}

/**
 * @throws DomainError state-conflict while another call reads the list, before the last day is over, or when another list has some of the
 * days. Also when the provider refuses the key; temporarily-unavailable when it does not answer
 */
export async function importList(database: Database, request: ListRequest): Promise<ListedFile> {
  const { operatorId, provider, from, to, connection } = request;
  const begun = await beginList(database, request);
  if (begun.lease === undefined) return { outcome: 'known', file: await fileView(database, operatorId, begun.id) };
  const file: FileAtWork = {
    operatorId,
    provider,
    fileId: begun.id,
    source: 'provider',
    connectionId: connection.id,
    hash: begun.hash,
    lines: begun.lines,
    firstDay: from,
    lastDay: to,
    totals: [],
    lease: begun.lease,
  };
  if (begun.state === 'reading') {
    const isComplete = await readPages(database, request, file, begun);
    if (!isComplete) return { outcome: 'reading', file: await fileView(database, operatorId, begun.id) };
  }
  const kinds = { ...LIST_RULES.kinds, ...(request.hasPayouts && ({ payout: 'payout', return: 'return' } as const)) };
  await matchFile(database, file, { ...LIST_RULES, kinds }, request, request.onProgress);
  return { outcome: 'imported', file: await fileView(database, operatorId, begun.id) };
}

async function beginList(database: Database, request: ListRequest): Promise<Begun> {
  const { operatorId, provider, connection, from, to, by, keyId } = request;
  const hash = createHash('sha256').update(`list ${connection.id} ${from} ${to}`).digest();
  return database.transaction(async (transaction) => {
    await lockLists(transaction, request);
    await transaction.query({
      text: `insert into settlement_file (operator_id, provider, source, mapping, name, hash, state, first_day, last_day, connection_id, by,
          key_id) values ($1, $2, 'provider', 'list', $3, $4, 'reading', $5, $6, $7, $8, $9)
        on conflict (operator_id, provider, hash) where state <> 'taken-back' do nothing`,
      values: [
        operatorId,
        provider,
        `list of ${connection.name} ${from} ${to}`,
        hash,
        from,
        to,
        connection.id,
        by,
        keyId ?? null,
      ],
    });
    const [file] = await transaction.query<Begun>({
      text: `select id, hash, state, lines, list_cursor as cursor, coalesce(busy_until > now(), false) as "isBusy",
          (last_day + 1)::timestamp at time zone 'UTC' <= now() as "isOver"
        from settlement_file where operator_id = $1 and provider = $2 and hash = $3 and state <> 'taken-back' for no key update`,
      values: [operatorId, provider, hash],
    });
    if (file === undefined) throw justTakenBack();
    if (!file.isOver) throw new DomainError('state-conflict', `The day ${to} is not over in UTC.`);
    if (file.state === 'done') return file;
    if (file.isBusy) {
      throw new DomainError('state-conflict', 'This list is being read. Try again in two minutes.', {
        params: { state: file.state },
      });
    }
    await refuseOverlap(transaction, request, file.id);
    await forgetMatches(transaction, operatorId, file.id);
    return { ...file, lease: await takeFile(transaction, operatorId, file.id) };
  });
}

/** Two lists of a connection begin one after the other, so that each sees the days of the other. */
async function lockLists(transaction: Transaction, { operatorId, connection }: ListRequest): Promise<void> {
  await transaction.query({
    text: 'select 1 from provider_connection where operator_id = $1 and id = $2 for no key update',
    values: [operatorId, connection.id],
  });
}

/** A day in two lists would settle each of its payments twice. A list without lines that nobody reads has no day yet. */
async function refuseOverlap(
  transaction: Transaction,
  { operatorId, connection, from, to }: ListRequest,
  fileId: string,
): Promise<void> {
  const [other] = await transaction.query<{ from: string; to: string }>({
    text: `select first_day::text as "from", last_day::text as "to" from settlement_file
      where operator_id = $1 and connection_id = $2 and id <> $3 and first_day <= $5::date and last_day >= $4::date
        and state <> 'taken-back' and (state <> 'reading' or lines > 0 or busy_until > now()) order by first_day limit 1`,
    values: [operatorId, connection.id, fileId, from, to],
  });
  if (other === undefined) return;
  const message = `The list from ${other.from} to ${other.to} has some of these days. Ask for days that it does not have.`;
  throw new DomainError('state-conflict', message, { params: { from: other.from, to: other.to } });
}

/** @returns whether the list is complete */
async function readPages(database: Database, request: ListRequest, file: FileAtWork, begun: Begun): Promise<boolean> {
  let cursor = begun.cursor ?? undefined;
  let lines = begun.lines;
  const most = Math.min(request.mostPages ?? MOST_PAGES, MOST_PAGES);
  try {
    for (let pages = 0; pages < most; pages += 1) {
      const page = await request.read(cursor);
      if (page.kind !== 'page') throw unanswered(page);
      if (page.movements.length > MOST_LISTED || (page.next !== undefined && page.next === cursor)) {
        throw unanswered({ kind: 'unknown', why: 'its pages do not end' });
      }
      const before: { readonly cursor: string | undefined; readonly lines: number } = { cursor, lines };
      await database.transaction((transaction) => keepPage(transaction, request, file, page, before));
      cursor = page.next;
      lines += page.movements.length;
      request.onProgress?.(`${counted(lines, 'line')} read`);
      if (cursor === undefined) return true;
    }
  } catch (error) {
    await release(database, file);
    throw error;
  }
  await release(database, file);
  return false;
}

function unanswered({ kind, why }: Exclude<ListPage, { kind: 'page' }>): DomainError {
  const words = `The provider gave no list (${why}). Nothing was compared, and nothing counts as missing.`;
  if (kind === 'refused') return new DomainError('state-conflict', words);
  return new DomainError('temporarily-unavailable', `${words} Repeat the call: it goes on where it stopped.`);
}

async function keepPage(
  transaction: Transaction,
  request: ListRequest,
  file: FileAtWork,
  { movements, next }: Extract<ListPage, { kind: 'page' }>,
  before: { readonly cursor: string | undefined; readonly lines: number },
): Promise<void> {
  const { operatorId, fileId } = file;
  if (before.lines === 0) {
    // A list without lines that stood still has no day, so another one may have begun with some of its days.
    await lockLists(transaction, request);
    await refuseOverlap(transaction, request, fileId);
  }
  // The last page names the sums. No file is taken back meanwhile.
  if (next === undefined) await lockBooks(transaction, file);
  // Under its lock the file must still be where this call left it.
  const [row] = await transaction.query({
    text: `select 1 from settlement_file where operator_id = $1 and id = $2 and state = 'reading'
        and list_cursor is not distinct from $3 and lines = $4 for no key update`,
    values: [operatorId, fileId, before.cursor ?? null, before.lines],
  });
  if (row === undefined)
    throw new DomainError('state-conflict', 'Another call reads this list. Try again in two minutes.');
  await holdFile(transaction, file);
  if (movements.length > 0) {
    await insertLines(
      transaction,
      file,
      movements.map((movement, index) => lineOf(movement, before.lines + index + 1)),
    );
  }
  await transaction.query({
    text: `update settlement_file set lines = lines + $3, list_cursor = $4 where operator_id = $1 and id = $2`,
    values: [operatorId, fileId, movements.length, next ?? null],
  });
  if (next === undefined) await endReading(transaction, file);
}

/** The sums of the whole list, and what its settlements must bring to the bank. */
async function endReading(transaction: Transaction, file: FileAtWork): Promise<void> {
  const { operatorId, fileId } = file;
  await keepSums(transaction, file, {
    from: `select reference_list[1] as reference, currency, -sum(amount)::bigint as amount, max(day) as day from settlement_line
      where operator_id = $1 and file_id = $3 and kind = 'settlement' and reference_list[1] is not null group by reference_list[1], currency`,
    values: [],
    isReported: true,
  });
  await transaction.query({
    text: `update settlement_file set state = 'matching', totals = coalesce((
        select jsonb_agg(jsonb_build_object('currency', currency, 'amount', amount::text, 'fees', fees::text) order by currency)
        from (select currency, sum(amount) as amount, sum(fee) as fees from settlement_line
          where operator_id = $1 and file_id = $2 group by currency) summed), '[]')
      where operator_id = $1 and id = $2`,
    values: [operatorId, fileId],
  });
}

/** Lets the next call go on at once. */
async function release(database: Database, { operatorId, fileId, lease }: FileAtWork): Promise<void> {
  await database.query({
    text: `update settlement_file set busy_until = null where operator_id = $1 and id = $2 and state = 'reading'
      and busy_until <= $3::timestamptz`,
    values: [operatorId, fileId, lease.until],
  });
}

function lineOf({ references, ownId, amountMinor, feeMinor, day, ...rest }: ListedMovement, n: number): ReadLine {
  const place = { line: n };
  return {
    ...rest,
    n,
    references: references.map(keptText).filter((one) => one !== undefined),
    ownId: keptText(ownId),
    amount: boundedAmount(amountMinor, place),
    fee: boundedAmount(feeMinor, place),
    date: day,
  };
}
