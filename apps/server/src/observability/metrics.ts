/** The metrics of the server (SRV-9). Labels come from fixed vocabularies, so that a caller cannot create new series. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { MeasuredFact, PoolUse } from '../database/database.ts';
import { createMoneyMetrics } from './money-metrics.ts';

export interface Metrics {
  /** One answered call. `code` is `ok` or an error code of the contract. */
  call(sample: { call: string; transport: 'http' | 'socket'; code: string; seconds: number }): void;
  /** One event of the widget, by its key. */
  event(key: string): void;
  /** The widget was closed while a deposit was being created. */
  closedDuringCreation(): void;
  /** A browser reported a violation of the Content-Security-Policy. Both labels come from fixed vocabularies. */
  policyViolated(violation: { readonly directive: string; readonly blocked: string }): void;
  socketOpened(): void;
  socketClosed(): void;
  /** Counts a fact of money, after its commit. Never throws. */
  measure(fact: MeasuredFact): void;
  /** Adds gauges whose numbers come from other parts of the server. */
  addSources(sources: MetricSources): void;
  /** The text that Prometheus reads, and its content type. */
  read(): Promise<{ contentType: string; text: string }>;
}

/** More keys than the widget has. Further keys are counted together. */
const mostEventKeys = 200;

/** A gauge whose numbers another part of the server knows. */
export interface GaugeSource {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  /** The numbers now. Empty: unknown, so that the series is left out. */
  samples(): readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
}

export interface MetricSources {
  readonly gauges: readonly GaugeSource[];
  /** Months ahead for which every table has a partition; undefined: not known yet. */
  readonly partitionMonthsAhead: () => number | undefined;
  /** The use of the pool of database connections; undefined: there is no pool. */
  readonly poolUse: () => PoolUse | undefined;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const calls = new Histogram({
    name: 'cashier_call_duration_seconds',
    help: 'Time to answer a call.',
    labelNames: ['call', 'transport', 'code'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers,
  });
  const events = new Counter({
    name: 'cashier_widget_events_total',
    help: 'Events reported by widgets.',
    labelNames: ['key'],
    registers,
  });
  const closed = new Counter({
    name: 'cashier_closed_during_creation_total',
    help: 'Widgets closed while a deposit was being created.',
    registers,
  });
  const violations = new Counter({
    name: 'cashier_csp_violations_total',
    help: 'Violations of the Content-Security-Policy that browsers reported.',
    labelNames: ['directive', 'blocked'],
    registers,
  });
  const opened = new Counter({ name: 'cashier_sockets_opened_total', help: 'Sockets opened.', registers });
  const ended = new Counter({ name: 'cashier_sockets_closed_total', help: 'Sockets closed.', registers });
  const measure = createMoneyMetrics(registry);
  const knownKeys = new Set<string>();

  return {
    call: ({ seconds, ...labels }) => calls.observe(labels, seconds),
    event(key) {
      if (knownKeys.size < mostEventKeys) knownKeys.add(key);
      events.inc({ key: knownKeys.has(key) ? key : 'other' });
    },
    closedDuringCreation: () => closed.inc(),
    policyViolated: (violation) => violations.inc(violation),
    socketOpened: () => opened.inc(),
    socketClosed: () => ended.inc(),
    measure,
    addSources: (sources) => addSources(registry, sources),
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function addSources(registry: Registry, { gauges, partitionMonthsAhead, poolUse }: MetricSources): void {
  for (const gauge of gauges) addGauge(registry, gauge);
  addGauge(registry, {
    name: 'cashier_partitions_months_ahead',
    help: 'Whole months from now for which every table by month has partitions. The server keeps three.',
    labelNames: [],
    samples: () => sampleOf(partitionMonthsAhead()),
  });
  if (poolUse() === undefined) return;
  const parts: readonly (readonly [string, string, keyof PoolUse])[] = [
    ['cashier_database_pool_connections', 'The most connections of this node to the database.', 'most'],
    ['cashier_database_pool_busy', 'Connections of this node that run a statement or belong to a transaction.', 'busy'],
    [
      'cashier_database_pool_waiting',
      'Statements and transactions of this node that wait for a connection.',
      'waiting',
    ],
  ];
  for (const [name, help, part] of parts) {
    addGauge(registry, { name, help, labelNames: [], samples: () => sampleOf(poolUse()?.[part]) });
  }
}

function sampleOf(value: number | undefined): ReturnType<GaugeSource['samples']> {
  return value === undefined ? [] : [{ labels: {}, value }];
}

/** A number that is not known must not look like zero, so each read begins without series. */
function addGauge(registry: Registry, { name, help, labelNames, samples }: GaugeSource): void {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect() {
      this.reset();
      const now = samples();
      // One order of the labels, whatever stored them.
      for (const { labels, value } of now)
        this.set(Object.fromEntries(labelNames.map((label) => [label, labels[label] ?? ''])), value);
      // A gauge without labels begins at zero after a reset.
      if (now.length === 0 && labelNames.length === 0) this.remove();
    },
  });
}
