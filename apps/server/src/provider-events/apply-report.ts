/**
 * Applies reports of providers about deposits and withdrawals (SRV-3). Callbacks, answers to our status questions and
 * answers to our own calls all use this runner. One transaction stores the event, locks the row, decides, and carries
 * out the decision. An unmatched report is kept and tried again; no report is dropped.
 */
import type { Database, Transaction } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { isUuid } from '../database/uuid.ts';
import { measure } from '../observability/measure.ts';
import type { Spans } from '../observability/spans.ts';
import type { PushSender } from '../outbox/queued-push.ts';
import { sourceOf } from '../payment-ports/connected-providers.ts';
import type { Failpoint } from '../payment-ports/failpoints.ts';
import type { PaymentsLogger } from '../payment-ports/payments-core.ts';
import { type EventStore, type ProviderEvent, STILL_PARKED } from './event-store.ts';

/** The parts of the server that the runner uses. */
export interface RunnerPorts {
  readonly database: Database;
  readonly logger: PaymentsLogger;
  readonly spans: Spans;
  /** Called after a commit that queued a message or left an event to retry. */
  readonly onChange: () => void;
  /** Absent: no push is leased to this node. */
  readonly pushes?: PushSender;
  readonly failpoint?: (name: Failpoint) => void;
}

/** The result of a report. `unmatched`: the report waits for its row or for staff. */
export interface AppliedReport {
  readonly outcome: 'credited' | 'moved' | 'suspended' | 'unchanged' | 'unmatched';
  /** Our id of the deposit or withdrawal. */
  readonly id?: string;
}

/** The decision about a report, which the runner stores beside the event. */
export type Decided =
  | {
      readonly kind: 'applied';
      readonly id: string;
      readonly outcome: Exclude<AppliedReport['outcome'], 'unmatched'>;
      /** The effect of the report in one word, stored beside the event. */
      readonly storedOutcome: string;
    }
  | {
      readonly kind: 'unmatched';
      /** Our id of the row that the report contradicts; absent: the report names no row of ours. */
      readonly id?: string;
      /** The reason in one word, for logs and lists. */
      readonly why: string;
      /** True: no row of ours was found, so no row is locked. Default false. */
      readonly isUnknown?: boolean;
      /** True: the provider holds money that no review shows, so staff must act at once. Default false. */
      readonly isUrgent?: boolean;
    };

/** The rules for reports about one kind of row. */
export interface ReportKind<Report extends ProviderEvent> {
  /** The kind of row. Names the trace span and the field of a log line. */
  readonly name: 'deposit' | 'withdrawal';
  readonly events: EventStore<Report>;
  /** Our id, if the report names it. */
  idOf(report: Report): string | undefined;
  /** The report with another id, or with none. */
  withId(report: Report, id: string | undefined): Report;
  /**
   * Database constraints that a contradicting report breaks, each with the reason that is stored beside the unmatched
   * event. Examples: one reference for two rows, or a second credit.
   */
  readonly contradictions: Readonly<Partial<Record<string, string>>>;
  /** Whether a row that the report names exists now. Locks nothing. */
  isKnown(transaction: Transaction, report: Report): Promise<boolean>;
  /** Finds and locks the row, decides, and carries out the decision, inside the runner's transaction. */
  apply(ports: RunnerPorts, transaction: Transaction, report: Report): Promise<Decided>;
  /** The failpoint after all writes and before the commit. */
  readonly uncommitted: Failpoint;
}

/**
 * A report contradicts the ledger. The runner rolls its transaction back and keeps the event as unmatched for this
 * reason.
 */
export class Contradiction extends Error {
  override readonly name = 'Contradiction';
}

/** Limits how much work of one provider, or of one connection to it, runs at the same time. */
export type Alone = <Result>(source: string, work: () => Promise<Result>) => Promise<Result>;

interface ApplyWays<Report> {
  readonly together?: (report: Report) => Promise<AppliedReport | undefined>;
  readonly alone?: Alone;
}

/**
 * Applies a report once (SRV-3). A duplicate event changes nothing, even with other content.
 * @param ways.together applies the report in one transaction with others, if it can; undefined: the report is applied alone
 * @param ways.alone begins work of a provider when it has a place for it; absent: at once
 */
export function applyReport<Report extends ProviderEvent>(
  ports: RunnerPorts,
  kind: ReportKind<Report>,
  reported: Report,
  { together, alone = (_source, work) => work() }: ApplyWays<Report> = {},
): Promise<AppliedReport> {
  const report = withOurId(kind, reported);
  return ports.spans.begin(
    `${kind.name} apply`,
    { provider: report.provider },
    { payment: kind.idOf(report) },
    async (span) => {
      const result =
        (await together?.(report)) ??
        (await alone(sourceOf(report.provider, report.connectionId), () => applyOrKeepUnmatched(ports, kind, report)));
      span.note({ outcome: result.outcome, ...(result.id !== undefined && { payment: result.id }) });
      if (result.outcome !== 'unchanged') ports.onChange();
      return result;
    },
  );
}

/**
 * Removes an id that the cashier never issued; the report may still match by the provider's reference. Our ids have
 * small letters, and some providers return them in capitals.
 */
function withOurId<Report extends ProviderEvent>(kind: ReportKind<Report>, report: Report): Report {
  const id = kind.idOf(report);
  if (id === undefined) return report;
  return kind.withId(report, isUuid(id) ? id.toLowerCase() : undefined);
}

async function applyOrKeepUnmatched<Report extends ProviderEvent>(
  ports: RunnerPorts,
  kind: ReportKind<Report>,
  report: Report,
): Promise<AppliedReport> {
  try {
    return await ports.database.transaction((transaction) => applyOnce(ports, kind, transaction, report));
  } catch (error) {
    const why = contradictionOf(kind, error);
    if (why === undefined) throw error;
    ports.logger.error({ ...idsOf(report), why }, 'report contradicts the ledger: kept as unmatched event');
    return ports.database.transaction(async (transaction) => {
      await kind.events.record(transaction, report);
      measure(transaction, 'unmatchedEvents', { provider: report.provider, reason: why });
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
    ports.logger.error(idsOf(report), 'duplicate event with other content: the first content is kept');
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
    if (isNew) measure(transaction, 'unmatchedEvents', { provider: report.provider, reason: decided.why });
    const isSoon = !isNew && decided.isUnknown === true && (await mayBeKnown(kind, transaction, report));
    await kind.events.settle(transaction, report, { status: 'parked', outcome: decided.why, isSoon, ...named });
    return { outcome: 'unmatched', ...named };
  }
  await kind.events.settle(transaction, report, { status: 'applied', outcome: decided.storedOutcome, ...named });
  ports.failpoint?.(kind.uncommitted);
  return { outcome: decided.outcome, ...named };
}

/**
 * Whether a row of an unknown event was stored since the search for it, or is being stored. Its wake skips the event, which this
 * transaction holds, so the event must not get a long delay. A wake before this lock has ended, and its row is found now, or has not
 * ended, and refuses the lock. A wake after it waits for the commit of the delay, and changes it.
 */
async function mayBeKnown<Report extends ProviderEvent>(
  kind: ReportKind<Report>,
  transaction: Transaction,
  report: Report,
): Promise<boolean> {
  return !(await kind.events.holdAgainstWakes(transaction, report)) || (await kind.isKnown(transaction, report));
}

/** Alerts staff when an unmatched event arrives, and once more after the quick retries. Other retries are silent. */
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

/** The log fields of a report. They never hold personal data or an amount. */
export function idsOf({ provider, eventId, outcome }: ProviderEvent): object {
  return { provider, eventId, outcome };
}
