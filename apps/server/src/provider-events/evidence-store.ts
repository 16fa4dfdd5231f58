/** Every report of a provider is kept, once per fact; what cannot be acted on yet is parked and tried again. */
import { createHash } from 'node:crypto';
import type { Database, Transaction } from '../database/database.ts';

/** `changed`: the same event told before with other content: the first word stands, and people are told. */
export type EvidenceState = 'new' | 'parked' | 'applied' | 'changed';

interface Report {
  readonly provider: string;
  readonly eventId: string;
  readonly at: string;
  readonly reason?: string;
  readonly cause?: string;
  readonly message?: string;
  readonly paidMinor?: bigint;
  readonly asked?: { readonly minor: bigint; readonly currency: string };
}

/** A report as it lies in the database. */
export type EvidenceJson<Evidence extends Report> = Omit<Evidence, 'paidMinor' | 'asked'> & {
  readonly paidMinor?: string;
  readonly asked?: { readonly minor: string; readonly currency: string };
};

/** Reports about one kind of payment. Both names are of the database, never input. */
export interface EvidenceKind<Evidence extends Report> {
  readonly table: 'evidence' | 'withdrawal_evidence';
  /** The column that names the payment. */
  readonly paymentId: 'deposit_id' | 'withdrawal_id';
  /** Our own id, where the report names it. */
  idOf(evidence: Evidence): string | undefined;
  /**
   * What is kept of a report, and by its hash (of all but `at` and what is said of the why) known again: always in the same order of names, also
   * of a report that was read back from the database.
   */
  toJson(evidence: Evidence): EvidenceJson<Evidence>;
  fromJson(body: EvidenceJson<Evidence>): Evidence;
}

export interface Recorded {
  readonly state: EvidenceState;
  readonly paymentId: string | undefined;
  /** Parked, and the quick tries are over: it will not be settled by what is told in another order. True at one try only. */
  readonly isStuck: boolean;
}

export interface EvidenceStore<Evidence extends Report> {
  /** Records a report and locks its record. */
  record(transaction: Transaction, evidence: Evidence): Promise<Recorded>;
  /** Keeps what became of a report: once applied it stays so. What is parked is tried again, later each time. */
  settle(
    transaction: Transaction,
    evidence: Evidence,
    result: { readonly status: 'applied' | 'parked'; readonly outcome: string; readonly paymentId?: string },
  ): Promise<void>;
  /** What is parked for a payment is tried again at once, as something about it has just changed. */
  wake(
    transaction: Transaction,
    payment: { readonly id: string; readonly provider: string; readonly providerRef: string | null },
  ): Promise<void>;
  /** Takes parked reports that are due. */
  claimParked(database: Database, limit: number): Promise<Evidence[]>;
}

/** For people: `GET /operator/v1/parked-reports` and `opencashier reports parked` list it. */
export const STILL_PARKED = 'report is still parked: people have to look at it';

const DAY_S = 86_400;
const FIRST_RETRIES_S = [2, 10, 60, 600, 3600];
const LATER_RETRY_S = DAY_S / 4;

export function createEvidenceStore<Evidence extends Report>(kind: EvidenceKind<Evidence>): EvidenceStore<Evidence> {
  const { table, paymentId } = kind;
  return {
    async record(transaction, evidence) {
      const body = kind.toJson(evidence);
      const { at: _at, reason: _reason, cause: _cause, message: _message, ...facts } = body;
      const hash = createHash('sha256').update(JSON.stringify(facts)).digest();
      const inserted = await transaction.query({
        name: `${table}-insert`,
        text: `insert into ${table} (provider, event_id, body, body_hash, ${paymentId}, status, outcome)
          values ($1, $2, $3, $4, $5, 'parked', 'new') on conflict (provider, event_id) do nothing returning 1`,
        values: [evidence.provider, evidence.eventId, JSON.stringify(body), hash, kind.idOf(evidence) ?? null],
      });
      if (inserted.length > 0) return { state: 'new', paymentId: undefined, isStuck: false };
      const [known] = await transaction.query<{
        status: 'parked' | 'applied';
        body_hash: Buffer;
        payment_id: string | null;
        tries: number;
      }>({
        name: `${table}-lock`,
        text: `select status, body_hash, tries, ${paymentId} as payment_id from ${table}
          where provider = $1 and event_id = $2 for update`,
        values: [evidence.provider, evidence.eventId],
      });
      if (known === undefined) throw new Error('A report vanished while it was being recorded');
      const state = known.body_hash.equals(hash) ? known.status : 'changed';
      const isStuck = state === 'parked' && known.tries === FIRST_RETRIES_S.length;
      return { state, paymentId: known.payment_id ?? undefined, isStuck };
    },

    async settle(transaction, evidence, result) {
      await transaction.query({
        name: `${table}-settle`,
        text: `update ${table} set status = $3, outcome = $4, ${paymentId} = coalesce($5, ${paymentId}), tries = tries + 1,
            next_at = case when $3 = 'parked' then now() + make_interval(secs => coalesce(($6::float8[])[tries], $7)) end
          where provider = $1 and event_id = $2 and status = 'parked'`,
        values: [
          evidence.provider,
          evidence.eventId,
          result.status,
          result.outcome,
          result.paymentId ?? null,
          FIRST_RETRIES_S,
          LATER_RETRY_S,
        ],
      });
    },

    async wake(transaction, payment) {
      await transaction.query({
        name: `${table}-wake`,
        // Skipping what is locked avoids a deadlock with its own try, which waits for the payment's lock anyhow.
        text: `update ${table} set next_at = now() where (provider, event_id) in (
            select provider, event_id from ${table} where status = 'parked'
              and (${paymentId} = $1 or (provider = $2 and body ->> 'providerRef' = $3))
            for update skip locked)`,
        values: [payment.id, payment.provider, payment.providerRef],
      });
    },

    async claimParked(database, limit) {
      const rows = await database.query<{ body: EvidenceJson<Evidence> }>({
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
