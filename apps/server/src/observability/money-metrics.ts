/**
 * Metrics of money and of what waits for it (SRV-9). The server counts a fact after its commit, on the node that committed it. So a sum
 * over all nodes is the whole. Amounts are floating numbers for display only; the ledger has the exact ones.
 */
import { declineCauses, depositDeclineCauses } from '@opencashier/contract/api';
import { reviewReasons } from '@opencashier/contract/operator';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { MeasuredFact } from '../database/database.ts';
import { first, type LabelValues, oneOf } from './label-values.ts';

interface MetricSpec {
  readonly name: string;
  readonly help: string;
  readonly labels: Readonly<Record<string, LabelValues>>;
  /** Upper limits of a histogram. Absent: a counter. */
  readonly buckets?: readonly number[];
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Each server has few providers. Methods come from the catalogue, which operators may extend. */
const provider = (): LabelValues => first(30);
const method = (): LabelValues => first(300);
const currency = (): LabelValues => first(200);

/** Causes of the contract, and reasons of the cashier. */
const DECLINE_REASONS = [
  ...depositDeclineCauses,
  ...declineCauses,
  'declined',
  'provider-error',
  'not-submitted',
  'vanished',
  'below-minimum',
  'above-maximum',
  'code',
];

/** The states in which a deposit ends without money, or its money has left again. */
export const depositEnds = ['declined', 'cancelled', 'expired', 'late_paid', 'refunded', 'reversed'] as const;
export const withdrawalEnds = [
  'paid',
  'declined',
  'cancelled',
  'expired',
  'late_paid',
  'late_settled',
  'late_returned',
  'returned',
  // The operator's wallet did not give the amount.
  'refused',
] as const;

function moneySpecs() {
  return {
    depositsCreated: {
      name: 'cashier_deposits_created_total',
      help: 'Deposits that users began.',
      labels: { provider: provider(), method: method() },
    },
    depositsCredited: {
      name: 'cashier_deposits_credited_total',
      help: 'Deposits whose money was credited to the user.',
      labels: { provider: provider(), method: method() },
    },
    creditedAmount: {
      name: 'cashier_deposits_credited_amount_total',
      help: 'Credited money in units of its currency. A floating number for display only.',
      labels: { provider: provider(), currency: currency() },
    },
    creditSeconds: {
      name: 'cashier_deposit_credit_seconds',
      help: 'Time from the creation of a deposit to its credit, by the clock of the database.',
      labels: { provider: provider() },
      buckets: [1, 3, 10, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY],
    },
    depositsEnded: {
      name: 'cashier_deposits_ended_total',
      help: 'Deposits that ended without money, or whose money left again, by end.',
      labels: {
        provider: provider(),
        method: method(),
        end: oneOf(depositEnds),
      },
    },
    depositsDeclined: {
      name: 'cashier_deposits_declined_total',
      help: 'Declined deposits by reason. A reason without a name of its own counts as other.',
      labels: { provider: provider(), method: method(), reason: oneOf(DECLINE_REASONS) },
    },
    depositsUnknown: {
      name: 'cashier_deposits_unknown_outcome_total',
      help: 'Deposits whose create call to the provider ended without a clear answer.',
      labels: { provider: provider() },
    },
    suspended: {
      name: 'cashier_payments_suspended_total',
      help: 'Payments that were put into suspense for a review by staff, by reason.',
      labels: { provider: provider(), reason: oneOf(reviewReasons) },
    },
    refunds: {
      name: 'cashier_refunds_total',
      help: 'Refunds that reached a state. A succeeded refund has left the ledger.',
      labels: { provider: provider(), state: oneOf(['requested', 'succeeded', 'declined', 'bounced']) },
    },
    disputes: {
      name: 'cashier_disputes_total',
      help: 'Chargebacks and other money that providers took back (opened), and those that were won.',
      labels: { provider: provider(), state: oneOf(['opened', 'won']) },
    },
    ...withdrawalSpecs(),
    ...queueSpecs(),
  } satisfies Record<string, MetricSpec>;
}

function withdrawalSpecs() {
  return {
    withdrawalsCreated: {
      name: 'cashier_withdrawals_created_total',
      help: 'Withdrawals that users began.',
      labels: { provider: provider(), method: method() },
    },
    withdrawalsEnded: {
      name: 'cashier_withdrawals_ended_total',
      help: 'Withdrawals that ended, by end.',
      labels: {
        provider: provider(),
        method: method(),
        end: oneOf(withdrawalEnds),
      },
    },
    withdrawalSeconds: {
      name: 'cashier_withdrawal_paid_seconds',
      help: 'Time from the creation of a withdrawal to its payout, by the clock of the database.',
      labels: { provider: provider() },
      buckets: [10, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY],
    },
    withdrawalsDeclined: {
      name: 'cashier_withdrawals_declined_total',
      help: 'Declined withdrawals by reason. A reason without a name of its own counts as other.',
      labels: { provider: provider(), method: method(), reason: oneOf(DECLINE_REASONS) },
    },
  } satisfies Record<string, MetricSpec>;
}

/** Messages of providers, messages to operators, and calls to providers. */
function queueSpecs() {
  return {
    callbacks: {
      name: 'cashier_callbacks_total',
      help: 'Callbacks of providers that arrived, by what the server did with them.',
      labels: { provider: provider(), result: oneOf(['accepted', 'rejected', 'over-limit', 'unknown-provider']) },
    },
    callbackFailures: {
      name: 'cashier_callback_failures_total',
      help: 'Failed attempts to read a stored callback, by the kind of the error. set_aside counts callbacks that are no longer tried.',
      labels: { provider: provider(), error: first(30), set_aside: oneOf(['yes', 'no']) },
    },
    unmatchedEvents: {
      name: 'cashier_unmatched_events_total',
      help: 'Events of providers that matched no payment, or contradicted one, when they arrived.',
      labels: { provider: provider(), reason: first(30) },
    },
    webhookAttempts: {
      name: 'cashier_webhook_attempts_total',
      help: 'Attempts to deliver webhooks: delivered, refused (status below 500), failed (status 500 or more), unreachable.',
      labels: { result: oneOf(['delivered', 'refused', 'failed', 'unreachable']) },
    },
    webhooksEnded: {
      name: 'cashier_webhooks_ended_total',
      help: 'Webhooks that left the queue. exhausted and undeliverable ones wait for a replay.',
      labels: { end: oneOf(['delivered', 'exhausted', 'undeliverable', 'dropped']) },
    },
    webhookSeconds: {
      name: 'cashier_webhook_delivered_seconds',
      help: 'Time from the creation of a webhook to its delivery.',
      labels: {},
      buckets: [0.1, 0.5, 1, 5, 10, MINUTE, 5 * MINUTE, HOUR, 6 * HOUR, DAY, 3 * DAY],
    },
    providerCalls: {
      name: 'cashier_provider_call_seconds',
      help: 'Time of calls to providers, by what was asked and the kind of the answer.',
      labels: {
        provider: provider(),
        call: oneOf(['create', 'inquire', 'cancel', 'inputs', 'refund', 'continue', 'withdraw', 'withdraw-inquire']),
        outcome: oneOf(PROVIDER_OUTCOMES),
      },
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    },
    bonusQuestions: {
      name: 'cashier_bonus_engine_questions_total',
      help: 'Questions to operators’ own bonus engines. paused and busy: not sent. left-out: some bonuses broke a rule.',
      labels: { outcome: oneOf(['answered', 'left-out', 'unusable', 'no-answer', 'paused', 'busy']) },
    },
    settingsFailures: {
      name: 'cashier_settings_refresh_failures_total',
      help: 'Failed attempts to read changed settings. Until one succeeds, this node uses the last known settings.',
      labels: { settings: oneOf(['operators', 'catalogue', 'texts', 'connections', 'routes']) },
    },
    snapshotFailures: {
      name: 'cashier_snapshot_failures_total',
      help: 'Failed queries of the gauges that need the database, by query. The gauges of the query are then left out.',
      labels: { query: first(30) },
    },
  } satisfies Record<string, MetricSpec>;
}

/** The kinds of answers. `no-answer`: the time limit has passed. `error`: the call failed. */
const PROVIDER_OUTCOMES = [
  'created',
  'declined',
  'failed',
  'unknown',
  'accepted',
  'taken',
  'refused',
  'answered',
  'nothing',
  'no-answer',
  'error',
] as const;

/** The keys of the metrics that the application measures. */
export type MoneyMetric = keyof ReturnType<typeof moneySpecs>;

/**
 * Makes the metrics.
 * @returns counts a fact. It never throws, because the fact is already committed
 */
export function createMoneyMetrics(registry: Registry): (fact: MeasuredFact) => void {
  const specs: Readonly<Record<string, MetricSpec>> = moneySpecs();
  const metrics = new Map(
    Object.entries(specs).map(([key, spec]) => [key, { spec, add: createMetric(registry, spec) }]),
  );
  return ({ metric, labels, value = 1 }) => {
    const known = metrics.get(metric);
    // The library refuses such a number by an error. A clock that was set back makes a negative time.
    if (known === undefined || !Number.isFinite(value) || value < 0) return;
    const bounded = Object.fromEntries(
      Object.entries(known.spec.labels).map(([label, bound]) => [label, bound(labels[label] ?? 'none')]),
    );
    known.add(bounded, value);
  };
}

/**
 * Every combination of labels, if all values are known. These series begin at 0, because Prometheus does not see the growth of a series
 * that begins at 1.
 */
function combinations(labels: MetricSpec['labels']): Record<string, string>[] {
  let found: Record<string, string>[] = [{}];
  for (const [label, { all }] of Object.entries(labels)) {
    if (all === undefined) return [];
    found = found.flatMap((one) => all.map((value) => ({ ...one, [label]: value })));
  }
  return found;
}

function createMetric(
  registry: Registry,
  { name, help, labels, buckets }: MetricSpec,
): (labels: Record<string, string>, value: number) => void {
  const options = { name, help, labelNames: Object.keys(labels), registers: [registry] };
  if (buckets === undefined) {
    const counter = new Counter(options);
    for (const known of combinations(labels)) counter.inc(known, 0);
    return (bounded, value) => counter.inc(bounded, value);
  }
  const histogram = new Histogram({ ...options, buckets: [...buckets] });
  return (bounded, value) => histogram.observe(bounded, value);
}
