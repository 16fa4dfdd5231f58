/** Finds the entries of the ledger that lines of a file may belong to. */
import type { EntryKind, LedgerEntry, SettlementLine } from '@opencashier/core/reconciliation/line';
import type { Queryable } from '../database/database.ts';
import { connectionOfEntry } from './connection-of-entry.ts';

interface EntryRow {
  readonly kind: EntryKind;
  readonly id: string;
  readonly reference: string | null;
  readonly ownId: string | null;
  readonly otherId: string | null;
  /** Only of refunds and chargebacks: a payment has it as its own id. */
  readonly depositId: string | null;
  readonly currency: string;
  readonly amount: bigint;
  readonly date: string;
}

export interface EntryScope {
  readonly operatorId: string;
  /** The provider whose books the lines are from. Sums that a bank receives are those of every provider. */
  readonly provider: string;
  /** The list or file of one connection: lines without a name match its payments alone. Absent: those of any connection. */
  readonly connectionId?: string | undefined;
  /** Days by which the days of a line and its entry may differ. */
  readonly daysApart: number;
}

const OF_LEDGER = `select kind, id, reference, own_id as "ownId", other_id as "otherId",
    case when kind in ('refund', 'chargeback') then deposit_id end as "depositId", currency, amount,
    (at at time zone 'utc')::date::text as date from settlement_entry entry where operator_id = $1 and provider = $2`;
const OF_BATCHES = `select 'settlement' as kind, id, reference, null as "ownId", null as "otherId", null as "depositId", currency, amount, day::text as date
  from settlement_batch where operator_id = $1`;

/**
 * One condition for each index. With `or` between them PostgreSQL reads every payment of the operator: `other_id` of a payment is null,
 * and no index serves that.
 */
const byOwnId = [
  'own_id = any($3::uuid[])',
  'other_id = any($3::uuid[])',
  `kind in ('refund', 'chargeback') and deposit_id = any($3::uuid[])`,
];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The candidates of all lines, each with what earlier lines settled of it. */
export async function entriesOf(
  queryable: Queryable,
  scope: EntryScope,
  lines: readonly SettlementLine[],
): Promise<LedgerEntry[]> {
  const found = new Map<string, EntryRow>();
  const add = (rows: readonly EntryRow[]): void => {
    for (const row of rows) found.set(`${row.kind} ${row.id}`, row);
  };
  const ofLedger = lines.filter(({ kind }) => kind !== 'settlement');
  const ofBank = lines.filter(({ kind }) => kind === 'settlement');
  const { operatorId, provider } = scope;
  const references = distinct(ofLedger.flatMap((line) => line.references));
  if (references.length > 0) {
    const text = `${OF_LEDGER} and reference = any($3)`;
    add(await queryable.query({ name: 'settlement-by-reference', text, values: [operatorId, provider, references] }));
  }
  const ownIds = distinct(ofLedger.flatMap(({ ownId = '' }) => (UUID.test(ownId) ? [ownId.toLowerCase()] : [])));
  if (ownIds.length > 0) {
    const text = byOwnId.map((condition) => `${OF_LEDGER} and ${condition}`).join(' union all ');
    add(await queryable.query({ name: 'settlement-by-own-id', text, values: [operatorId, provider, ownIds] }));
  }
  const words = distinct(ofBank.flatMap((line) => line.references));
  if (words.length > 0) {
    const text = `${OF_BATCHES} and reference = any($2)`;
    add(await queryable.query({ name: 'settlement-batches', text, values: [operatorId, words] }));
  }
  const unnamed = ofLedger.filter((line) => line.references.length === 0 && line.ownId === undefined);
  if (unnamed.length > 0) {
    const text = `${OF_LEDGER} and amount = any($3) and at >= $4::date - $6::int - 1 and at < $5::date + $6::int + 2
      and ($7::uuid is null or $7 is not distinct from ${connectionOfEntry('entry.id')})`;
    const values = [operatorId, provider, ...amountsAndDays(unnamed), scope.daysApart, scope.connectionId ?? null];
    add(await queryable.query({ name: 'settlement-by-amount', text, values }));
  }
  if (ofBank.length > 0) {
    const text = `${OF_BATCHES} and amount = any($2) and day between $3::date - $5::int and $4::date + $5::int`;
    const values = [operatorId, ...amountsAndDays(ofBank), scope.daysApart];
    add(await queryable.query({ name: 'settlement-batches-by-amount', text, values }));
  }
  return withSettled(queryable, operatorId, [...found.values()]);
}

function amountsAndDays(lines: readonly SettlementLine[]): [bigint[], string, string] {
  const days = lines.map(({ date }) => date).toSorted();
  return [distinct(lines.map(({ amount }) => amount)), days[0] ?? '', days.at(-1) ?? ''];
}

async function withSettled(
  queryable: Queryable,
  operatorId: string,
  rows: readonly EntryRow[],
): Promise<LedgerEntry[]> {
  if (rows.length === 0) return [];
  const sums = await queryable.query<{ kind: string; id: string; sum: bigint }>({
    name: 'settlement-settled',
    // What two people have booked for an entry is settled, too: a line that comes afterwards is more than is due.
    text: `select kind, id, sum(amount)::bigint as sum from (
        select entry_kind as kind, entry_id as id, amount from settlement_match where operator_id = $1 and entry_id = any($2::uuid[])
        union all
        select entry_kind, entry_id, amount from archived_match where operator_id = $1 and entry_id = any($2::uuid[])
        union all
        select mismatch.entry_kind, mismatch.entry_id, booking.amount from settlement_mismatch mismatch
        join settlement_booking booking on booking.operator_id = $1 and booking.mismatch_id = mismatch.id and booking.state = 'approved'
        where mismatch.operator_id = $1 and mismatch.entry_id = any($2::uuid[]) and mismatch.state = 'resolved'
          and mismatch.class in ('missing-there', 'amount') and booking.amount <> 0) known
      group by kind, id`,
    values: [operatorId, rows.map(({ id }) => id)],
  });
  const settled = new Map(sums.map(({ kind, id, sum }) => [`${kind} ${id}`, sum]));
  return rows.map(({ ownId, otherId, depositId, reference, ...row }) => ({
    ...row,
    reference: reference ?? undefined,
    ownIds: [ownId, otherId].filter((id) => id !== null),
    depositId: depositId ?? undefined,
    settled: settled.get(`${row.kind} ${row.id}`),
  }));
}

function distinct<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}
