/** Stores every provider event once. An event that matches no row stays parked and is tried again. */
import { createHash } from 'node:crypto';
import type { Database, Transaction } from '../database/database.ts';
import { factsOf } from '../payment-ports/report-facts.ts';

/** `changed`: the event came before with other content. The first content stays, and staff are alerted. */
export type EventState = 'new' | 'parked' | 'applied' | 'changed';

/** The common fields of reports about deposits and withdrawals. */
export interface ProviderEvent {
  readonly provider: string;
  /** Unique per provider. A duplicate webhook has the same id. */
  readonly eventId: string;
  readonly outcome: string;
  /** The operator's connection that reported. Absent: the account in the settings of the server. */
  readonly connectionId?: string;
  readonly at: string;
  readonly reason?: string;
  readonly cause?: string;
  readonly message?: string;
  readonly paidMinor?: bigint;
  readonly asked?: { readonly minor: bigint; readonly currency: string };
}

/** An event as JSON in the database. Amounts are decimal strings of minor units. */
export type EventJson<Event extends ProviderEvent> = Omit<Event, 'paidMinor' | 'asked'> & {
  readonly paidMinor?: string;
  readonly asked?: { readonly minor: string; readonly currency: string };
};

/** Where and how one kind of event is stored. Table and column are names of the database, never input. */
export interface EventKind<Event extends ProviderEvent> {
  readonly table: 'deposit_event' | 'withdrawal_event';
  /** The column with our id of the deposit or withdrawal. */
  readonly idColumn: 'deposit_id' | 'withdrawal_id';
  /** The columns with facts of the body, and how the database reads them from `body`: as `keep_event_body` does. */
  readonly factColumns: string;
  readonly factsOfBody: string;
  /** Our id, if the event names it. */
  idOf(event: Event): string | undefined;
  /**
   * The stored form of an event. A hash of this form, without `at` and the reasons, detects duplicates. So keys must
   * always be in the same order, also for an event that was read from the database.
   */
  toJson(event: Event): EventJson<Event>;
  fromJson(body: EventJson<Event>): Event;
}

/** The result of storing an event. */
export interface Recorded {
  readonly state: EventState;
  /** Our id of the row that the event is about; undefined: not known yet. */
  readonly id: string | undefined;
  /** True once, when a parked event has used up its quick retries. Staff must look at the event. */
  readonly isStuck: boolean;
}

/** The operations on stored events. */
export interface EventStore<Event extends ProviderEvent> {
  /** Stores an event or finds the stored one, and locks its row. */
  record(transaction: Transaction, event: Event): Promise<Recorded>;
  /** Stores new events that wait. An event that came before stays as it was. They are due when {@link wakeAll} says so. */
  recordAll(transaction: Transaction, events: readonly Event[]): Promise<void>;
  /**
   * Locks a recorded event against wakes until its transaction ends. A wake that comes now waits until then, so nothing may be waited
   * for afterwards.
   * @returns false: a transaction that has not ended yet has woken the event
   */
  holdAgainstWakes(transaction: Transaction, event: Event): Promise<boolean>;
  /** Stores the result of an event. `applied` is final. A parked event is tried again, with growing delays. */
  settle(
    transaction: Transaction,
    event: Event,
    result: {
      readonly status: 'applied' | 'parked';
      readonly outcome: string;
      readonly id?: string;
      /** True: a parked event is tried again after the shortest delay. Default false. */
      readonly isSoon?: boolean;
    },
  ): Promise<void>;
  /**
   * Stores events of one provider that their transaction also applies, in the order of their ids.
   * @param outcome the effect of all of them in one word
   * @returns the ids of the stored events; the others came before, and nothing of them changed
   */
  recordApplied(
    transaction: Transaction,
    provider: string,
    events: readonly { readonly event: Event; readonly id: string }[],
    outcome: string,
  ): Promise<ReadonlySet<string>>;
  /** Makes the parked events of a changed row due at once. */
  wake(
    transaction: Transaction,
    row: { readonly id: string; readonly provider: string; readonly providerRef: string | null },
  ): Promise<void>;
  /** Like `wake`, for many rows of one provider. */
  wakeAll(
    transaction: Transaction,
    rows: { readonly provider: string; readonly ids: readonly string[]; readonly providerRefs: readonly string[] },
  ): Promise<void>;
  /** Claims parked events that are due, for one minute. */
  claimParked(database: Database, limit: number): Promise<Event[]>;
}

/** Staff find the event with `GET /operator/v1/parked-reports` or `opencashier reports parked`. */
export const STILL_PARKED = 'report is still parked: staff must look at it';

const DAY_S = 86_400;
const FIRST_RETRIES_S = [2, 10, 60, 600, 3600];
const LATER_RETRY_S = DAY_S / 4;

/**
 * A part of a statement that makes the events of `noticed` due, and names them `woken`. `noticed` locks them `for key share`, which tells
 * a worker that found no row for one of them (`holdAgainstWakes`). That lock waits only for such a worker just before its commit.
 *
 * A worker that applies an event may wait for the lock of a row that this transaction holds. So events that are being applied are
 * skipped, which avoids a deadlock.
 */
export function wakeNoticed(table: EventKind<ProviderEvent>['table']): string {
  // With "is parked" the database may search by the small index of parked events, which has no event ids.
  return `woken as (
      with wakeable as (
        select noticed.provider, noticed.event_id from noticed cross join lateral (
          select 1 from ${table} event where event.provider = noticed.provider and event.event_id = noticed.event_id
            and event.status <> 'applied' for no key update skip locked) free
      )
      update ${table} event set next_at = now() from wakeable
      where event.provider = wakeable.provider and event.event_id = wakeable.event_id returning 1
    )`;
}

/** Makes the store of one kind of event. */
export function createEventStore<Event extends ProviderEvent>(kind: EventKind<Event>): EventStore<Event> {
  return {
    record: (transaction, event) => record(kind, transaction, event),
    recordAll: (transaction, events) => recordAll(kind, transaction, events),
    recordApplied: (transaction, provider, events, outcome) =>
      recordApplied(kind, transaction, { provider, events, outcome }),
    async holdAgainstWakes(transaction, { provider, eventId }) {
      const held = await transaction.query({
        name: `${kind.table}-hold`,
        text: `select 1 from ${kind.table} where provider = $1 and event_id = $2 for update skip locked`,
        values: [provider, eventId],
      });
      return held.length > 0;
    },
    async settle(transaction, { provider, eventId }, { status, outcome, id, isSoon = false }) {
      const { table, idColumn } = kind;
      await transaction.query({
        name: `${table}-settle`,
        text: `update ${table} set status = $3, outcome = $4, ${idColumn} = coalesce($5, ${idColumn}), tries = tries + 1,
            next_at = case when $3 = 'parked'
              then now() + make_interval(secs => coalesce(($6::float8[])[case when $8 then 1 else tries end], $7)) end
          where provider = $1 and event_id = $2 and status = 'parked'`,
        values: [provider, eventId, status, outcome, id ?? null, FIRST_RETRIES_S, LATER_RETRY_S, isSoon],
      });
    },
    async wake(transaction, { id, provider, providerRef }) {
      const { table, idColumn } = kind;
      await transaction.query({
        name: `${table}-wake`,
        text: `with noticed as (
            select provider, event_id from ${table} where status = 'parked'
              and (${idColumn} = $1 or (provider = $2 and body ->> 'providerRef' = $3)) for key share
          ), ${wakeNoticed(table)} select count(*) from woken`,
        values: [id, provider, providerRef],
      });
    },
    async wakeAll(transaction, { provider, ids, providerRefs }) {
      const { table, idColumn } = kind;
      await transaction.query({
        name: `${table}-wake-all`,
        // An index search for each row. With one condition for all rows the database would read every parked event.
        text: `with noticed as (
            select event.* from unnest($1::uuid[]) row_id cross join lateral (
              select provider, event_id from ${table} where ${idColumn} = row_id and status = 'parked' for key share) event
            union
            select event.* from unnest($3::text[]) ref cross join lateral (
              select provider, event_id from ${table} where provider = $2 and body ->> 'providerRef' = ref and status = 'parked'
              for key share) event
          ), ${wakeNoticed(table)} select count(*) from woken`,
        values: [ids, provider, providerRefs],
      });
    },
    async claimParked(database, limit) {
      const { table } = kind;
      const rows = await database.query<{ body: EventJson<Event> }>({
        name: `${table}-claim`,
        text: `update ${table} set next_at = now() + interval '1 minute' where (provider, event_id) in (
            select provider, event_id from ${table} where status = 'parked' and next_at <= now()
            order by next_at limit $1 for update skip locked)
          returning body`,
        values: [limit],
      });
      return rows.map(({ body }) => kind.fromJson(body));
    },
  };
}

async function record<Event extends ProviderEvent>(
  kind: EventKind<Event>,
  transaction: Transaction,
  event: Event,
): Promise<Recorded> {
  const { table, idColumn } = kind;
  const body = kind.toJson(event);
  const hash = hashOf(body);
  const inserted = await transaction.query({
    name: `${table}-insert`,
    text: `insert into ${table} (provider, event_id, body, body_hash, ${idColumn}, status, outcome)
      values ($1, $2, $3, $4, $5, 'parked', 'new') on conflict (provider, event_id) do nothing returning 1`,
    // The owner of a connection can name any payment. Only one that matches gets to know of the report, which `settle` stores.
    values: [event.provider, event.eventId, JSON.stringify(body), hash, namedBy(kind, event)],
  });
  if (inserted.length > 0) return { state: 'new', id: undefined, isStuck: false };
  const [known] = await transaction.query<{
    status: 'parked' | 'applied';
    hash: Buffer;
    id: string | null;
    tries: number;
  }>({
    name: `${table}-lock`,
    text: `select status, body_hash as hash, tries, ${idColumn} as id from ${table}
      where provider = $1 and event_id = $2 for no key update`,
    values: [event.provider, event.eventId],
  });
  if (known === undefined) throw new Error('A stored event was deleted');
  const state = known.hash.equals(hash) ? known.status : 'changed';
  return {
    state,
    id: known.id ?? undefined,
    isStuck: state === 'parked' && known.tries === FIRST_RETRIES_S.length,
  };
}

async function recordAll<Event extends ProviderEvent>(
  kind: EventKind<Event>,
  transaction: Transaction,
  events: readonly Event[],
): Promise<void> {
  if (events.length === 0) return;
  const { table, idColumn } = kind;
  const bodies = events.map((event) => kind.toJson(event));
  await transaction.query({
    name: `${table}-insert-all`,
    text: `insert into ${table} (provider, event_id, body, body_hash, ${idColumn}, status, outcome)
      select told.*, 'parked', 'new' from unnest($1::text[], $2::text[], $3::jsonb[], $4::bytea[], $5::uuid[]) told(provider, id, body, hash, row_id)
      order by 1, 2 on conflict (provider, event_id) do nothing`,
    values: [
      events.map(({ provider }) => provider),
      events.map(({ eventId }) => eventId),
      bodies.map((body) => JSON.stringify(body)),
      bodies.map(hashOf),
      events.map((event) => namedBy(kind, event)),
    ],
  });
}

function namedBy<Event extends ProviderEvent>(kind: EventKind<Event>, event: Event): string | null {
  return event.connectionId === undefined ? (kind.idOf(event) ?? null) : null;
}

async function recordApplied<Event extends ProviderEvent>(
  kind: EventKind<Event>,
  transaction: Transaction,
  applied: {
    readonly provider: string;
    readonly events: readonly { readonly event: Event; readonly id: string }[];
    readonly outcome: string;
  },
): Promise<ReadonlySet<string>> {
  const { table, idColumn } = kind;
  const { provider, events, outcome } = applied;
  const bodies = events.map(({ event }) => kind.toJson(event));
  const stored = await transaction.query<{ eventId: string }>({
    name: `${table}-insert-applied`,
    // Two tries, as of an event that was stored first and then settled. The database would move each body alone.
    text: `with told as (
        select * from unnest($2::text[], $3::jsonb[], $4::bytea[], $5::uuid[]) as told(id, body, hash, row_id)
      ), stored as (
        insert into ${table} (provider, event_id, body_id, body_hash, ${kind.factColumns}, ${idColumn}, status, outcome, tries)
        select $1, id, time_id(), hash, ${kind.factsOfBody}, row_id, 'applied', $6, 2 from told order by id
        on conflict (provider, event_id) do nothing returning event_id, body_id
      ), kept as (
        insert into event_body (id, body) select body_id, body from stored join told on told.id = event_id
      )
      select event_id as "eventId" from stored`,
    values: [
      provider,
      events.map(({ event }) => event.eventId),
      bodies.map((body) => JSON.stringify(body)),
      bodies.map(hashOf),
      events.map(({ id }) => id),
      outcome,
    ],
  });
  return new Set(stored.map(({ eventId }) => eventId));
}

/** Hashes the facts only. */
function hashOf<Event extends ProviderEvent>(body: EventJson<Event>): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(factsOf(body)))
    .digest();
}
