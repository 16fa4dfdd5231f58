/**
 * Imports a settlement file: reads it once to check it, writes its lines, and matches them with the ledger. Nobody sees the file before it
 * is done, so a file is imported wholly or not at all. An import that was interrupted begins again with the same file.
 */
import type { SettlementFileView, SettlementMapping, TriedLines } from '@opencashier/contract/operator';
import { createBatchSums } from '@opencashier/core/reconciliation/batches';
import { readConnection } from '../connections/connection-store.ts';
import type { Database, Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { counted } from '../languages/counted.ts';
import type { Actor } from '../operators/setting-history.ts';
import { type FileAtWork, type FileLease, holdFile, takeFile } from './file-at-work.ts';
import { dryRunView, fileView } from './file-page.ts';
import { lockBooks } from './lock-books.ts';
import { findMapping } from './mappings.ts';
import { matchFile } from './match-file.ts';
import { keepSums } from './provider-sums.ts';
import type { OpenFile, ReadLine } from './read-line.ts';
import { readLines, refuseDaysAhead, type Scan, scanFile } from './scan-file.ts';
import { tryLines } from './try-lines.ts';

export interface ImportRequest extends Actor {
  readonly operatorId: string;
  readonly provider: string;
  /** The name of the mapping. */
  readonly mapping: string;
  /** The name of the file. */
  readonly name: string;
  readonly open: OpenFile;
  /** The file is of this account at the provider alone. Absent: of all accounts. */
  readonly connectionId?: string | undefined;
  /** Keeps nothing. */
  readonly isDryRun?: boolean;
  /** Says how far the import is. */
  readonly onProgress?: (words: string) => void;
}

export interface Imported {
  readonly outcome: 'imported' | 'known' | 'dry-run';
  readonly file: SettlementFileView;
  /** Of a dry run. */
  readonly tried?: TriedLines;
}

/**
 * @throws DomainError not-found for the mapping or the connection, invalid-request with line and column. state-conflict: another import
 * runs, the file was imported for another connection, or it cannot be of one
 */
export async function importFile(database: Database, request: ImportRequest): Promise<Imported> {
  const { operatorId, provider, open, onProgress } = request;
  const { connectionId } = request;
  const mapping = await findMapping(database, operatorId, provider, request.mapping);
  if (connectionId !== undefined) await requireConnection(database, request, connectionId, mapping);
  const scan = await scanFile(open, mapping);
  if (request.isDryRun === true) return dryRun(database, request, mapping, scan);
  const begun = await beginFile(database, request, mapping, scan);
  if (begun.isDone) return { outcome: 'known', file: await fileView(database, operatorId, begun.fileId) };
  onProgress?.(`${counted(scan.lines, 'line')} read`);
  const { fileId, lease } = begun;
  const file = { operatorId, provider, fileId, source: sourceOf(mapping), connectionId, lease, ...scan };
  if (!begun.isWritten) {
    await writeLines(database, file, readLines(open(), mapping));
    onProgress?.('lines written');
  }
  await matchFile(database, file, mapping, request, onProgress);
  return { outcome: 'imported', file: await fileView(database, operatorId, begun.fileId) };
}

/** @returns `known` for bytes that were imported, since an import would change nothing, whatever the mapping says now */
async function dryRun(
  database: Database,
  request: ImportRequest,
  mapping: SettlementMapping,
  scan: Scan,
): Promise<Imported> {
  const { operatorId, provider, connectionId, open } = request;
  const [known] = await database.query<{ id: string; connectionId: string | null }>({
    text: `select id, connection_id as "connectionId" from settlement_file
      where operator_id = $1 and provider = $2 and hash = $3 and state = 'done'`,
    values: [operatorId, provider, scan.hash],
  });
  if (known !== undefined) {
    requireSameConnection(known.connectionId, connectionId, 'done');
    return { outcome: 'known', file: await fileView(database, operatorId, known.id) };
  }
  await refuseDaysAhead(database, scan);
  const scope = { operatorId, provider, connectionId, daysApart: mapping.daysApart };
  const tried = await tryLines(database, scope, sourceOf(mapping), mapping, open);
  return { outcome: 'dry-run', file: dryRunView(request, scan), tried };
}

/** Statements of banks settle the sums of providers, unless their lines are payments of users. */
export function sourceOf(mapping: SettlementMapping): 'provider' | 'bank' {
  if (mapping.format === 'csv')
    return mapping.columns.kind === undefined && mapping.kind === 'settlement' ? 'bank' : 'provider';
  return mapping.credit === 'settlement' || mapping.debit === 'settlement' ? 'bank' : 'provider';
}

async function requireConnection(
  database: Database,
  { operatorId, provider }: ImportRequest,
  connectionId: string,
  mapping: SettlementMapping,
): Promise<void> {
  const row = await readConnection(database, operatorId, connectionId);
  if (row === undefined) throw new DomainError('not-found', 'The operator has no such connection.');
  if (row.provider !== provider || sourceOf(mapping) === 'bank') {
    const message = `The connection is an account at ${row.provider}. Only a settlement file of ${row.provider} can be of it.`;
    throw new DomainError('state-conflict', message);
  }
}

/** @param known of the same bytes that were imported before */
function requireSameConnection(known: string | null, asked: string | undefined, state: string): void {
  if ((known ?? undefined) === asked) return;
  throw new DomainError('state-conflict', 'This file was imported for another connection, or for none.', {
    params: { state },
  });
}

async function beginFile(
  database: Database,
  { operatorId, provider, name, mapping: mappingName, by, keyId, connectionId }: ImportRequest,
  mapping: SettlementMapping,
  scan: Scan,
): Promise<
  | { readonly fileId: string; readonly isDone: true }
  | { readonly fileId: string; readonly isDone: false; readonly isWritten: boolean; readonly lease: FileLease }
> {
  const totals = scan.totals.map(({ currency, amount, fees }) => ({ currency, amount: `${amount}`, fees: `${fees}` }));
  return database.transaction(async (transaction) => {
    const made = await transaction.query({
      text: `insert into settlement_file (operator_id, provider, source, mapping, name, hash, state, lines, first_day, last_day,
          totals, by, key_id, connection_id) values ($1, $2, $3, $4, $5, $6, 'reading', $7, $8, $9, $10, $11, $12, $13)
        on conflict (operator_id, provider, hash) where state <> 'taken-back' do nothing returning 1`,
      values: [
        operatorId,
        provider,
        sourceOf(mapping),
        mappingName,
        name,
        scan.hash,
        scan.lines,
        scan.firstDay,
        scan.lastDay,
        JSON.stringify(totals),
        by,
        keyId ?? null,
        connectionId ?? null,
      ],
    });
    // A file that was begun before is known, or goes on, whatever an earlier build has let in.
    if (made.length > 0) await refuseDaysAhead(transaction, scan);
    const [file] = await transaction.query<{ id: string; state: string; isBusy: boolean; connectionId: string | null }>(
      {
        text: `select id, state, coalesce(busy_until > now(), false) as "isBusy", connection_id as "connectionId" from settlement_file
        where operator_id = $1 and provider = $2 and hash = $3 and state <> 'taken-back' for no key update`,
        values: [operatorId, provider, scan.hash],
      },
    );
    if (file === undefined) throw justTakenBack();
    requireSameConnection(file.connectionId, connectionId, file.state);
    const isWritten = file.state !== 'reading';
    if (file.state === 'done') return { fileId: file.id, isDone: true };
    if (file.isBusy) {
      throw new DomainError('state-conflict', 'This file is being imported. Try again in two minutes.', {
        params: { state: file.state },
      });
    }
    await forget(transaction, operatorId, file.id, isWritten);
    const lease = await takeFile(transaction, operatorId, file.id);
    return { fileId: file.id, isDone: false, isWritten, lease };
  });
}

/** Two people took the known file back while this import asked for it. */
export function justTakenBack(): DomainError {
  return new DomainError('state-conflict', 'This file was just taken back. Import it again.', {
    params: { state: 'taken-back' },
  });
}

/** Rows that one statement takes away, so that it ends in time. */
const FORGOTTEN_AT_ONCE = 50_000;

/** Takes away what an interrupted import has left. Lines that are complete stay. */
async function forget(transaction: Transaction, operatorId: string, fileId: string, isWritten: boolean): Promise<void> {
  await forgetMatches(transaction, operatorId, fileId);
  if (isWritten) return;
  await takeAway(
    transaction,
    [operatorId, fileId],
    'settlement_line',
    `id in (select id from settlement_line
    where operator_id = $1 and file_id = $2 limit ${FORGOTTEN_AT_ONCE})`,
  );
}

/** Takes away what an interrupted comparison has left. */
export async function forgetMatches(transaction: Transaction, operatorId: string, fileId: string): Promise<void> {
  const values = [operatorId, fileId];
  await takeAway(
    transaction,
    values,
    'settlement_match',
    `line_id in (select line.id from settlement_line line
    join settlement_match match on match.operator_id = $1 and match.line_id = line.id
    where line.operator_id = $1 and line.file_id = $2 limit ${FORGOTTEN_AT_ONCE})`,
  );
  await takeAway(
    transaction,
    values,
    'settlement_mismatch',
    `id in (select id from settlement_mismatch
    where operator_id = $1 and file_id = $2 limit ${FORGOTTEN_AT_ONCE})`,
  );
}

/** @param values the operator and the file */
async function takeAway(
  transaction: Transaction,
  values: readonly string[],
  table: 'settlement_line' | 'settlement_match' | 'settlement_mismatch',
  condition: string,
): Promise<void> {
  for (let gone = FORGOTTEN_AT_ONCE; gone === FORGOTTEN_AT_ONCE; ) {
    const [row] = await transaction.query<{ n: number }>({
      text: `with gone as (delete from ${table} where operator_id = $1 and ${condition} returning 1) select count(*)::int as n from gone`,
      values: [...values],
    });
    gone = row?.n ?? 0;
  }
}

/** Lines of one statement. More would make the statement long. */
const LINES_AT_ONCE = 2_000;
/** Between references in one text: no file has this character, because readers remove it. */
const SEPARATOR = '\u001f';

async function writeLines(database: Database, file: FileAtWork, lines: AsyncIterable<ReadLine>): Promise<void> {
  const { operatorId, fileId, source } = file;
  const sums = createBatchSums();
  const reported: { reference: string; currency: string; amount: bigint; date: string }[] = [];
  let waiting: ReadLine[] = [];
  const flush = async (): Promise<void> => {
    if (waiting.length > 0) {
      await database.transaction(async (transaction) => {
        await holdFile(transaction, file);
        await insertLines(transaction, file, waiting);
      });
    }
    waiting = [];
  };
  for await (const line of lines) {
    waiting.push(line);
    if (source === 'provider') {
      const { kind, batch, references, currency, amount, fee, date } = line;
      if (batch !== undefined) sums.add({ kind, batch, currency, amount, fee, date });
      const reference = batch ?? references[0];
      if (kind === 'settlement' && reference !== undefined)
        reported.push({ reference, currency, amount: -amount, date });
    }
    if (waiting.length === LINES_AT_ONCE) await flush();
  }
  await flush();
  // The sum that the provider reports comes before the sum of its lines, which may be in two files.
  const summed = sums
    .entries()
    .map(({ reference = '', currency, amount, date }) => ({ reference, currency, amount, date }));
  const batches = reported.length > 0 ? reported : summed;
  await database.transaction(async (transaction) => {
    await lockBooks(transaction, file);
    await holdFile(transaction, file);
    await keepSums(transaction, file, {
      from: `select reference, currency, sum(amount)::bigint as amount, max(day) as day
        from unnest($4::text[], $5::text[], $6::bigint[], $7::date[]) as batch(reference, currency, amount, day)
        group by reference, currency`,
      values: [
        batches.map(({ reference }) => reference),
        batches.map(({ currency }) => currency),
        batches.map(({ amount }) => amount),
        batches.map(({ date }) => date),
      ],
      isReported: reported.length > 0,
    });
    await transaction.query({
      text: `update settlement_file set state = 'matching' where operator_id = $1 and id = $2`,
      values: [operatorId, fileId],
    });
  });
}

/** Writes lines of a file that this import holds. */
export async function insertLines(
  transaction: Transaction,
  { operatorId, fileId }: FileAtWork,
  lines: readonly ReadLine[],
): Promise<void> {
  await transaction.query({
    name: 'settlement-lines',
    text: `insert into settlement_line (operator_id, file_id, n, kind, reference_list, own_id, name, currency, amount, fee, day, payee, batch)
      select $1, $2, n, kind, string_to_array(reference_list, '${SEPARATOR}'), own_id, name, currency, amount, fee, day, payee, batch
      from unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[], $10::bigint[], $11::date[],
        $12::text[], $13::text[]) as line(n, kind, reference_list, own_id, name, currency, amount, fee, day, payee, batch)`,
    values: [
      operatorId,
      fileId,
      lines.map(({ n }) => n),
      lines.map(({ kind }) => kind),
      lines.map(({ references }) => references.map((one) => one.replaceAll(SEPARATOR, '')).join(SEPARATOR)),
      lines.map(({ ownId }) => ownId ?? null),
      lines.map(({ references, ownId }) => references[0] ?? ownId ?? ''),
      lines.map(({ currency }) => currency),
      lines.map(({ amount }) => amount),
      lines.map(({ fee }) => fee),
      lines.map(({ date }) => date),
      lines.map(({ payee }) => payee ?? null),
      lines.map(({ batch }) => batch ?? null),
    ],
  });
}
