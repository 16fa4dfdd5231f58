/**
 * The one runner for reports of providers (SRV-3), about deposits and about withdrawals. A callback, an answer to a question and the
 * provider's answer to our own call all come through here. One transaction stores the event, locks the row, decides and carries the
 * decision out. A report that fits nothing is kept as an unmatched event and tried again: none is ever dropped.
 */
import type { Database, Transaction } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { isUuid } from '../database/uuid.ts';
import type { Failpoint } from '../lifecycle/failpoints.ts';
import type { PaymentsLogger } from '../lifecycle/payments-core.ts';
import type { Spans } from '../observability/spans.ts';
import { type EventStore, type ProviderEvent, STILL_PARKED } from './event-store.ts';

/** What the runner needs of the server. */
export interface RunnerPorts {
  readonly database: Database;
  readonly logger: PaymentsLogger;
  readonly spans: Spans;
  /** Called after a commit that left something to send or to try again. */
  readonly onChange: () => void;
  readonly failpoint?: (name: Failpoint) => void;
}

/** What became of a report. `unmatched`: it waits for its row or for staff. */
export interface AppliedReport {
  readonly outcome: 'credited' | 'moved' | 'suspended' | 'unchanged' | 'unmatched';
  /** Our own id of the deposit or withdrawal. */
  readonly id?: string;
}

/** What a kind of report asks the runner to store. */
export type Decided =
  | {
      readonly kind: 'applied';
      readonly id: string;
      readonly outcome: Exclude<AppliedReport['outcome'], 'unmatched'>;
      /** A word for what was done, kept beside the event. */
      readonly word: string;
    }
  | {
      readonly kind: 'unmatched';
      /** The row that the report contradicts; absent: it names no row of ours. */
      readonly id?: string;
      /** A word for logs and lists. */
      readonly why: string;
      /** Money is there that no review shows, so that staff must hear of it at once. Default false. */
      readonly isUrgent?: boolean;
    };

/** How reports about one kind of row are decided. */
export interface ReportKind<Report extends ProviderEvent> {
  /** What the reports are about: names the span and the field of a log line. */
  readonly name: 'deposit' | 'withdrawal';
  readonly events: EventStore<Report>;
  /** Our own id, where the report names one. */
  idOf(report: Report): string | undefined;
  withoutId(report: Report): Report;
  /**
   * Constraints of the database that a contradicting report breaks, such as one reference for two rows or a second credit, and the
   * word that is kept beside the unmatched event.
   */
  readonly contradictions: Readonly<Partial<Record<string, string>>>;
  /** Finds and locks the row, decides, and carries the decision out. Runs inside the runner's transaction. */
  apply(ports: RunnerPorts, transaction: Transaction, report: Report): Promise<Decided>;
  /** Reached when everything is written and nothing is committed. */
  readonly uncommitted: Failpoint;
}

/** A report contradicts what is booked. Its transaction is rolled back, and the event is kept as unmatched for this reason. */
export class Contradiction extends Error {
  override readonly name = 'Contradiction';
}

/** Applies a report once. The same event again changes nothing, whatever else it says. */
export function applyReport<Report extends ProviderEvent>(
  ports: RunnerPorts,
  kind: ReportKind<Report>,
  reported: Report,
): Promise<AppliedReport> {
  const report = withOurIdOnly(kind, reported);
  return ports.spans.begin(
    `${kind.name} apply`,
    { provider: report.provider },
    { payment: kind.idOf(report) },
    async (span) => {
      const result = await applyOrKeep(ports, kind, report);
      span.note({ outcome: result.outcome, ...(result.id !== undefined && { payment: result.id }) });
      if (result.outcome !== 'unchanged') ports.onChange();
      return result;
    },
  );
}

/** An id that the cashier never gave names no row of ours; the provider's own reference may. */
function withOurIdOnly<Report extends ProviderEvent>(kind: ReportKind<Report>, report: Report): Report {
  const id = kind.idOf(report);
  return id === undefined || isUuid(id) ? report : kind.withoutId(report);
}

async function applyOrKeep<Report extends ProviderEvent>(
  ports: RunnerPorts,
  kind: ReportKind<Report>,
  report: Report,
): Promise<AppliedReport> {
  try {
    return await ports.database.transaction((transaction) => applyOnce(ports, kind, transaction, report));
  } catch (error) {
    const why = contradictionOf(kind, error);
    if (why === undefined) throw error;
    ports.logger.error({ ...idsOf(report), why }, 'report contradicts the books: kept as unmatched');
    return ports.database.transaction(async (transaction) => {
      await kind.events.record(transaction, report);
      await kind.events.settle(transaction, report, { status: 'parked', outcome: why });
      return { outcome: 'unmatched' };
    });
  }
}

function contradictionOf<Report extends ProviderEvent>(kind: ReportKind<Report>, error: unknown): string | undefined {
  if (error instanceof Contradiction) return error.message;
  const constraint = constraintOf(error);
  return constraint === undefined ? undefined : kind.contradictions[constraint];
}

async function applyOnce<Report extends ProviderEvent>(
  ports: RunnerPorts,
  kind: ReportKind<Report>,
  transaction: Transaction,
  report: Report,
): Promise<AppliedReport> {
  const recorded = await kind.events.record(transaction, report);
  const known = recorded.id === undefined ? {} : { id: recorded.id };
  if (recorded.state === 'applied') return { outcome: 'unchanged', ...known };
  if (recorded.state === 'changed') {
    ports.logger.error(idsOf(report), 'one event came with two contents: the first stands');
    return { outcome: 'unchanged', ...known };
  }
  const isNew = recorded.state === 'new';
  const decided = await kind.apply(ports, transaction, report);
  const named = decided.id === undefined ? {} : { id: decided.id };
  if (decided.kind === 'unmatched') {
    alertStaff(
      ports.logger,
      { ...idsOf(report), ...(decided.id !== undefined && { [kind.name]: decided.id }) },
      decided,
      {
        isNew,
        isStuck: recorded.isStuck,
      },
    );
    await kind.events.settle(transaction, report, { status: 'parked', outcome: decided.why, ...named });
    return { outcome: 'unmatched', ...named };
  }
  await kind.events.settle(transaction, report, { status: 'applied', outcome: decided.word, ...named });
  ports.failpoint?.(kind.uncommitted);
  return { outcome: decided.outcome, ...named };
}

/** Staff hear of an unmatched event when it comes, and once more when the quick retries are over; not at every retry. */
function alertStaff(
  logger: PaymentsLogger,
  ids: object,
  { why, isUrgent = false }: Extract<Decided, { kind: 'unmatched' }>,
  { isNew, isStuck }: { readonly isNew: boolean; readonly isStuck: boolean },
): void {
  const fields = { ...ids, why };
  if (isNew) logger[isUrgent ? 'error' : 'warn'](fields, 'unmatched event kept');
  if (isStuck) logger.error(fields, STILL_PARKED);
}

/** What a log line says of a report: never a person, never an amount. */
export function idsOf({ provider, eventId, outcome }: ProviderEvent): object {
  return { provider, eventId, outcome };
}
