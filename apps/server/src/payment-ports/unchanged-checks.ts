/**
 * Background questions to providers that bring nothing new. They are the usual case, so all of an operator that end
 * at the same time share one statement. The statement does what a transaction of its own would do, or leaves a row
 * alone.
 */
import { createBatches } from '../database/batches.ts';
import type { Database } from '../database/database.ts';
import { factsOf, VARYING_FIELDS } from './report-facts.ts';

type Table = 'deposit' | 'withdrawal';

/** A report about a deposit or a withdrawal: some facts, and a time and texts that a provider may vary. */
interface Report {
  readonly provider: string;
  readonly eventId: string;
  readonly at: string;
  readonly reason?: string;
  readonly cause?: string;
  readonly message?: string;
}

/** A question about a deposit or withdrawal, and the provider's answer. */
interface Check {
  /** The row as it was when it was claimed. */
  readonly row: {
    readonly id: string;
    readonly operatorId: string;
    readonly state: string;
    readonly checks: number;
  };
  /** Absent: the provider did not answer, or does not know the payment. */
  readonly report?: Report | undefined;
  /** Seconds until the next question; absent: no more questions. */
  readonly delayS?: number | undefined;
}

export interface UnchangedChecks {
  /**
   * Plans the next question if nothing is new: the row is as it was claimed, and the report was applied before.
   * @returns false when nothing was done, because the caller must look closer
   */
  planNext(check: Check): Promise<boolean>;
  /** True when the report was applied before, so that it changes nothing. */
  isApplied(check: Check): Promise<boolean>;
}

/** This work is in the background, so it leaves the connections to the users. */
const AT_ONCE = { mostOfLane: 1, mostAtOnce: 2 };

export function createUnchangedChecks(database: Database, table: Table): UnchangedChecks {
  const inBatches = (name: string, text: string): ((check: Check) => Promise<boolean>) => {
    const send = createBatches<Line, boolean>({
      ...AT_ONCE,
      laneOf: ({ operatorId }) => operatorId,
      async run(lines) {
        const rows = await database.query<{ id: string }>({ name, text, values: [JSON.stringify(lines)] });
        const ids = new Set(rows.map(({ id }) => id));
        return lines.map(({ id }) => ids.has(id));
      },
    });
    return async (check) => {
      const line = lineOf(check);
      // The store leaves out texts that the database cannot keep. This code leaves such a report to the store.
      return (line.facts === undefined || !NOT_STORABLE.test(line.facts)) && send(line);
    };
  };
  return {
    planNext: inBatches(`${table}-unchanged`, planText(table)),
    isApplied: inBatches(`${table}-event-applied`, `${LINES} select line.id from line where ${isApplied(table)}`),
  };
}

/** The escapes of NUL and of a lone surrogate. */
const NOT_STORABLE = /\\u(?:0000|d[89a-f])/;

interface Line {
  readonly id: string;
  readonly operatorId: string;
  readonly state: string;
  readonly checks: number;
  readonly delayS?: number | undefined;
  readonly provider?: string;
  readonly eventId?: string;
  /** The facts of the report as JSON. */
  readonly facts?: string;
}

function lineOf({ row: { id, operatorId, state, checks }, report, delayS }: Check): Line {
  const line = { id, operatorId, state, checks, delayS };
  if (report === undefined) return line;
  const text = JSON.stringify(factsOf(report), (_key, value) => (typeof value === 'bigint' ? value.toString() : value));
  return { ...line, provider: report.provider, eventId: report.eventId, facts: text };
}

const LINES = `with line as (select * from jsonb_to_recordset($1::jsonb)
    as line("operatorId" text, id uuid, state text, checks int, "delayS" float8, provider text, "eventId" text, facts text))`;

/**
 * An applied event is final, so no lock is needed. A stored event without one of the facts counts as another event, as
 * it does in the store. So does one whose body has left with its month.
 */
const isApplied = (table: Table): string => `exists (
    select 1 from ${table}_event known join event_body told on told.id = known.body_id
    where known.provider = line.provider and known.event_id = line."eventId"
      and known.status = 'applied' and told.body - ${VARYING_FIELDS} = line.facts::jsonb)`;

/**
 * A row is left alone when it was moved, when the next question was planned by another node, or when a payment that
 * was seen may have vanished. So is a row that is locked: a batch then waits for nobody and cannot be in a deadlock.
 */
const planText = (table: Table): string => `${LINES}, unchanged as (
    select ${table}.operator_id, ${table}.id, line."delayS"
    from line join ${table} on ${table}.operator_id = line."operatorId" and ${table}.id = line.id
    where ${table}.state = line.state and ${table}.checks = line.checks
      and (line.provider is null or ${isApplied(table)})
      ${table === 'deposit' ? `and (deposit.state not in ('detected', 'confirming') or deposit.expires_at > now())` : ''}
    for update of ${table} skip locked)
  update ${table} set checks = checks + 1, check_at = now() + make_interval(secs => "delayS")
  from unchanged where ${table}.operator_id = unchanged.operator_id and ${table}.id = unchanged.id returning ${table}.id`;
