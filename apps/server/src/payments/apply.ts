/**
 * Applies a report about a deposit (SRV-3). Finds and locks the deposit, loads its payments, asks the reducers, and
 * carries out their effects.
 */
import { reduceReport } from '@opencashier/core/payment/reduce-report';
import type { Effect, Verdict } from '@opencashier/core/payment/report';
import type { Transaction } from '../database/database.ts';
import { storeDetails } from '../deposits/deposit-details.ts';
import { type DepositRow, idAtProvider } from '../deposits/deposit-row.ts';
import { queuePush } from '../deposits/deposit-store.ts';
import { ofFailedAttempt } from '../deposits/failed-attempts.ts';
import { depositOfTransfer, openUnassigned } from '../deposits/open-deposit.ts';
import { isReported, lockReported } from '../deposits/reported-deposits.ts';
import type { PaymentsLogger } from '../payment-ports/payments-core.ts';
import { storePaidCard } from '../payout-refunds/paid-cards.ts';
import {
  type Alone,
  type AppliedReport,
  applyReport,
  type Decided,
  idsOf,
  type ReportKind,
  type RunnerPorts,
} from '../provider-events/apply-report.ts';
import { depositEvents } from '../provider-events/deposit-events.ts';
import type { DepositReport } from '../providers/provider.ts';
import { createCreditBatches } from './credit-together.ts';
import { loadAggregate } from './payment-store.ts';
import { runEffects } from './run-effects.ts';

/** Applies a report about a deposit once; see {@link applyReport}. */
export function applyDepositReport(ports: RunnerPorts, report: DepositReport): Promise<AppliedReport> {
  return applyReport(ports, aboutDeposits, report);
}

/**
 * Makes a function that applies a report as {@link applyDepositReport} does. Plain credits of one operator that wait at the same
 * time share a transaction.
 * @param alone begins the work on any other report; absent: at once
 */
export function createReportBatches(
  ports: RunnerPorts,
  alone?: Alone,
): (report: DepositReport) => Promise<AppliedReport> {
  const together = createCreditBatches(ports, aboutDeposits.uncommitted);
  return (report) => applyReport(ports, aboutDeposits, report, { together, ...(alone && { alone }) });
}

const aboutDeposits: ReportKind<DepositReport> = {
  name: 'deposit',
  events: depositEvents,
  idOf: ({ depositId }) => depositId,
  withId: ({ depositId: _reported, ...rest }, id) => ({ ...rest, ...(id !== undefined && { depositId: id }) }),
  contradictions: {
    deposit_provider_ref_once: 'deposit_provider_ref_once',
    one_credit: 'one_credit',
    payment_reported_once: 'payment_reported_once',
  },
  uncommitted: 'credit-uncommitted',
  isKnown: isReported,
  apply: applyToDeposit,
};

async function applyToDeposit(
  { logger }: RunnerPorts,
  transaction: Transaction,
  reported: DepositReport,
): Promise<Decided> {
  const named = await lockFor(transaction, reported);
  const failed = named === undefined ? await ofFailedAttempt(transaction, reported) : undefined;
  if (failed?.kind === 'known') {
    return { kind: 'applied', id: failed.depositId, storedOutcome: 'none', outcome: 'unchanged' };
  }
  const found = named ?? failed?.row ?? (await openUnassigned(transaction, reported));
  if (found === 'reused-ref') return { kind: 'unmatched', why: found };
  if (found === undefined) {
    return { kind: 'unmatched', why: reported.contradiction ?? 'unknown-deposit', isUnknown: true };
  }
  const { row, report } = await depositOfTransfer(transaction, found, reported);
  const aggregate = await loadAggregate(transaction, row);
  const verdict = reduceReport(aggregate, report);
  if (verdict.kind === 'unmatched') {
    return { kind: 'unmatched', id: row.id, why: verdict.why, isUrgent: verdict.why === 'unknown-currency' };
  }
  alertStaff(logger, report, row, verdict);
  const noted = await storeDetails(transaction, row, report);
  const isShown = noted !== undefined && verdict.effects.length === 0;
  if (isShown) await queuePush(transaction, noted);
  const source = { cause: 'provider', eventId: report.eventId, providerRef: report.providerRef };
  await runEffects({ transaction, row: noted ?? row, aggregate, source }, verdict.effects);
  const isPaid = verdict.effects.some((effect) => effect.kind === 'receive' && effect.origin === 'deposit');
  if (isPaid) await storePaidCard(transaction, row, report);
  const storedOutcome = storedOutcomeOf(verdict.effects);
  if (storedOutcome !== 'none') await wake(transaction, row, report, reported);
  return { kind: 'applied', id: row.id, storedOutcome, outcome: isShown ? 'moved' : OUTCOMES[storedOutcome] };
}

/** Retries unmatched events of the deposit, because they may match now. */
async function wake(
  transaction: Transaction,
  row: DepositRow,
  report: DepositReport,
  reported: DepositReport,
): Promise<void> {
  await depositEvents.wake(transaction, { ...row, providerRef: row.providerRef ?? report.providerRef });
  if (row.furtherOf !== null) await depositEvents.wake(transaction, { ...reported, id: row.furtherOf });
}

/**
 * Finds the deposit by our id, else by the provider's reference, and locks it. `reused-ref`: the report names two
 * different deposits.
 */
async function lockFor(
  transaction: Transaction,
  report: DepositReport,
): Promise<DepositRow | 'reused-ref' | undefined> {
  const rows = await lockReported(transaction, report);
  if (rows === 'several-operators') return 'reused-ref';
  const [row, ...others] = rows;
  if (others.length > 0) return furtherOf(row, others) ?? 'reused-ref';
  if (report.depositId === undefined || row === undefined) return row;
  return idAtProvider(row) === report.depositId ? row : 'reused-ref';
}

/** The deposit of a further transfer. Its provider may still report it under the deposit that owns the address. */
function furtherOf(row: DepositRow | undefined, [other, ...more]: readonly DepositRow[]): DepositRow | undefined {
  if (row === undefined || other === undefined || more.length > 0) return undefined;
  if (row.furtherOf === other.id) return row;
  return other.furtherOf === row.id ? other : undefined;
}

/** The effect of a report, stored beside the event. */
type StoredOutcome = 'none' | 'credit' | 'suspend' | 'reverse' | 'move';

function storedOutcomeOf(effects: readonly Effect[]): StoredOutcome {
  for (const effect of effects) {
    if (effect.kind === 'receive') return effect.reason === undefined ? 'credit' : 'suspend';
    if (effect.kind === 'charge-back' || effect.kind === 'end-refund') return 'reverse';
    if (effect.kind === 'move' || effect.kind === 'forget-seen') return 'move';
  }
  return 'none';
}

const OUTCOMES: Readonly<Record<StoredOutcome, Extract<Decided, { kind: 'applied' }>['outcome']>> = {
  none: 'unchanged',
  credit: 'credited',
  suspend: 'suspended',
  reverse: 'moved',
  move: 'moved',
};

/** Logs errors that alert staff: money in suspense, a chargeback, or a report that contradicts the ledger. */
function alertStaff(
  logger: PaymentsLogger,
  report: DepositReport,
  row: DepositRow,
  verdict: Extract<Verdict, { kind: 'effects' }>,
): void {
  const ids = { ...idsOf(report), deposit: row.id };
  if (verdict.alert !== undefined)
    logger.error({ ...ids, why: verdict.alert }, 'report contradicts the deposit: ignored');
  for (const effect of verdict.effects) {
    if (effect.kind === 'receive' && effect.reason !== undefined)
      logger.error({ ...ids, review: effect.reason }, 'money put into suspense');
    else if (effect.kind === 'charge-back') logger.error(ids, messageOf(effect));
  }
}

function messageOf({ payment }: Extract<Effect, { kind: 'charge-back' }>): string {
  if (payment.state === 'in_review') return 'chargeback of money in suspense';
  return payment.origin === 'returned' ? 'chargeback of a returned payment' : 'chargeback of a credited payment';
}
