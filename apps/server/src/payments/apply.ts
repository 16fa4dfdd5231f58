/**
 * The one door (SRV-3): webhooks, inquiries and staff all come through here. One transaction locks the deposit, loads its payments, asks
 * the reducers and runs their effects. A report that fits nothing is kept as unmatched and tried again: none is ever dropped.
 */

import { reduceReport } from '@opencashier/core/payment/reduce-report';
import type { Effect, Verdict } from '@opencashier/core/payment/report';
import type { Database, Transaction } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { isUuid } from '../database/uuid.ts';
import { noteDetails } from '../deposits/deposit-details.ts';
import { type DepositRow, depositColumns, readDeposit } from '../deposits/deposit-row.ts';
import { queuePush } from '../deposits/deposit-store.ts';
import { depositOfTransfer, openUnassigned } from '../deposits/open-deposit.ts';
import type { AppliedEvidence } from '../deposits/payments.ts';
import type { Failpoint } from '../lifecycle/failpoints.ts';
import type { PaymentsLogger } from '../lifecycle/payments-core.ts';
import type { Spans } from '../observability/spans.ts';
import { depositEvidence } from '../provider-events/deposit-evidence.ts';
import { type Recorded, STILL_PARKED } from '../provider-events/evidence-store.ts';
import type { ProviderEvidence } from '../providers/provider.ts';
import { Contradiction } from './booking.ts';
import { loadAggregate } from './payment-store.ts';
import { runEffects } from './run-effects.ts';

export interface ApplyOptions {
  readonly database: Database;
  readonly logger: PaymentsLogger;
  readonly spans: Spans;
  /** Told after a commit that left something to send or to try again. */
  readonly onChange: () => void;
  readonly failpoint?: (name: Failpoint) => void;
}

export function applyEvidence(options: ApplyOptions, reported: ProviderEvidence): Promise<AppliedEvidence> {
  const evidence = withOurIdOnly(reported);
  const { provider, depositId: payment } = evidence;
  return options.spans.begin('deposit apply', { provider }, { payment }, async (span) => {
    const result = await applyWhole(options, evidence);
    span.note({ outcome: result.outcome, ...(result.depositId !== undefined && { payment: result.depositId }) });
    return result;
  });
}

async function applyWhole(options: ApplyOptions, evidence: ProviderEvidence): Promise<AppliedEvidence> {
  let result: AppliedEvidence;
  try {
    result = await options.database.transaction((transaction) => applyOnce(options, transaction, evidence));
  } catch (error) {
    const why = contradictionOf(error);
    if (why === undefined) throw error;
    options.logger.error({ ...idsOf(evidence), why }, 'report contradicts the books: parked');
    result = await options.database.transaction(async (transaction) => {
      await depositEvidence.record(transaction, evidence);
      await depositEvidence.settle(transaction, evidence, { status: 'parked', outcome: why });
      return { outcome: 'parked' };
    });
  }
  if (result.outcome !== 'unchanged') options.onChange();
  return result;
}

/** An id that we never gave names no deposit of ours; the provider's own reference may. */
function withOurIdOnly(evidence: ProviderEvidence): ProviderEvidence {
  const { depositId, ...rest } = evidence;
  return depositId === undefined || isUuid(depositId) ? evidence : rest;
}

const CONTRADICTING: ReadonlySet<string | undefined> = new Set([
  'deposit_provider_ref_once',
  'one_credit',
  'payment_reported_once',
]);

/** A payment that was booked for another deposit before, or a reference that belongs to another. */
function contradictionOf(error: unknown): string | undefined {
  if (error instanceof Contradiction) return error.message;
  const constraint = constraintOf(error);
  return CONTRADICTING.has(constraint) ? constraint : undefined;
}

async function applyOnce(
  options: ApplyOptions,
  transaction: Transaction,
  reported: ProviderEvidence,
): Promise<AppliedEvidence> {
  const record = await depositEvidence.record(transaction, reported);
  const known = record.paymentId === undefined ? {} : { depositId: record.paymentId };
  if (record.state === 'applied') return { outcome: 'unchanged', ...known };
  if (record.state === 'changed') {
    options.logger.error(idsOf(reported), 'one event told with two contents: the first stands');
    return { outcome: 'unchanged', ...known };
  }
  const found = (await lockFor(transaction, reported)) ?? (await openUnassigned(transaction, reported));
  if (found === 'reused-ref' || found === undefined) {
    const why = found ?? reported.contradiction ?? 'unknown-deposit';
    if (record.state === 'new') options.logger.warn({ ...idsOf(reported), why }, 'report parked');
    return park(options, transaction, reported, record, why);
  }
  const { row, evidence } = await depositOfTransfer(transaction, found, reported);
  const aggregate = await loadAggregate(transaction, row);
  const verdict = reduceReport(aggregate, evidence);
  alert(options.logger, evidence, row, verdict, record.state === 'new');
  if (verdict.kind === 'unmatched') return park(options, transaction, evidence, record, verdict.why, row);
  const noted = await noteDetails(transaction, row, evidence);
  const isShown = noted !== undefined && verdict.effects.length === 0;
  if (isShown) await queuePush(transaction, noted);
  const source = { cause: 'provider', eventId: evidence.eventId, providerRef: evidence.providerRef };
  await runEffects({ transaction, row: noted ?? row, aggregate, source }, verdict.effects);
  const outcome = outcomeOf(verdict.effects);
  await depositEvidence.settle(transaction, evidence, { status: 'applied', outcome, paymentId: row.id });
  if (outcome !== 'none') await wake(transaction, row, evidence, reported);
  options.failpoint?.('credit-uncommitted');
  return { outcome: isShown ? 'moved' : RESULTS[outcome], depositId: row.id };
}

async function park(
  { logger }: ApplyOptions,
  transaction: Transaction,
  evidence: ProviderEvidence,
  { isStuck }: Recorded,
  why: string,
  row?: DepositRow,
): Promise<AppliedEvidence> {
  const named = row === undefined ? {} : { depositId: row.id };
  if (isStuck) logger.error({ ...idsOf(evidence), ...(row !== undefined && { deposit: row.id }), why }, STILL_PARKED);
  const payment = row === undefined ? {} : { paymentId: row.id };
  await depositEvidence.settle(transaction, evidence, { status: 'parked', outcome: why, ...payment });
  return { outcome: 'parked', ...named };
}

/** What is parked for the deposit may fit now. */
async function wake(
  transaction: Transaction,
  row: DepositRow,
  evidence: ProviderEvidence,
  reported: ProviderEvidence,
): Promise<void> {
  await depositEvidence.wake(transaction, { ...row, providerRef: row.providerRef ?? evidence.providerRef });
  if (row.furtherOf !== null) await depositEvidence.wake(transaction, { ...reported, id: row.furtherOf });
}

/** By our id where the report names it, else by the provider's; a report that names two different deposits names none. */
async function lockFor(
  transaction: Transaction,
  evidence: ProviderEvidence,
): Promise<DepositRow | 'reused-ref' | undefined> {
  const rows = await transaction.query<DepositRow>({
    name: 'deposit-lock-for-evidence',
    text: `select ${depositColumns} from deposit
      where id = $1 or (provider = $2 and provider_ref = $3) order by id for update`,
    values: [evidence.depositId ?? null, evidence.provider, evidence.providerRef],
  });
  const [row, ...others] = rows.map(readDeposit);
  if (others.length > 0) return furtherOf(row, others) ?? 'reused-ref';
  return evidence.depositId !== undefined && row !== undefined && row.id !== evidence.depositId ? 'reused-ref' : row;
}

/** A further transfer that its provider still reports under the deposit whose address it came to. */
function furtherOf(row: DepositRow | undefined, [other, ...more]: readonly DepositRow[]): DepositRow | undefined {
  if (row === undefined || other === undefined || more.length > 0) return undefined;
  if (row.furtherOf === other.id) return row;
  return other.furtherOf === row.id ? other : undefined;
}

/** What became of a report, kept beside it. */
type Outcome = 'none' | 'credit' | 'suspend' | 'reverse' | 'move';

function outcomeOf(effects: readonly Effect[]): Outcome {
  for (const effect of effects) {
    if (effect.kind === 'receive') return effect.reason === undefined ? 'credit' : 'suspend';
    if (effect.kind === 'charge-back' || effect.kind === 'end-refund') return 'reverse';
    if (effect.kind === 'move' || effect.kind === 'forget-seen') return 'move';
  }
  return 'none';
}

const RESULTS: Readonly<Record<Outcome, AppliedEvidence['outcome']>> = {
  none: 'unchanged',
  credit: 'credited',
  suspend: 'parked',
  reverse: 'moved',
  move: 'moved',
};

/** People are told once of what they have to look at, not at every retry. */
function alert(
  logger: PaymentsLogger,
  evidence: ProviderEvidence,
  row: DepositRow,
  verdict: Verdict,
  isNew: boolean,
): void {
  const ids = { ...idsOf(evidence), deposit: row.id };
  if (verdict.kind === 'unmatched') {
    // Money is there that no review shows: nobody else says so.
    const level = verdict.why === 'unknown-currency' ? 'error' : 'warn';
    if (isNew) logger[level]({ ...ids, why: verdict.why }, 'report parked');
    return;
  }
  if (verdict.alert !== undefined) logger.error({ ...ids, why: verdict.alert }, 'report contradicts');
  for (const effect of verdict.effects) {
    if (effect.kind === 'receive' && effect.reason !== undefined)
      logger.error({ ...ids, review: effect.reason }, 'money put into suspense');
    else if (effect.kind === 'charge-back') logger.error(ids, messageOf(effect));
  }
}

function messageOf({ payment }: Extract<Effect, { kind: 'charge-back' }>): string {
  if (payment.state === 'in_review') return 'money in suspense was taken back';
  return payment.origin === 'returned'
    ? 'money that had come back was taken back again'
    : 'credited money was taken back';
}

function idsOf(evidence: ProviderEvidence): object {
  return { provider: evidence.provider, eventId: evidence.eventId, outcome: evidence.outcome };
}
