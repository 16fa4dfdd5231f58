/** The metrics of the server (SRV-9). Labels come from fixed vocabularies, so that a caller cannot create new series. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

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
  /** The text that Prometheus reads, and its content type. */
  read(): Promise<{ contentType: string; text: string }>;
}

/** More keys than the widget has. Further keys are counted together. */
const mostEventKeys = 200;

export interface MetricSources {
  /** Unmatched events by provider. Called whenever the metrics are read. */
  readonly unmatchedReports?: () => Promise<readonly { readonly provider: string; readonly reports: number }[]>;
  /** Months ahead for which every table has a partition; undefined: not known yet. */
  readonly partitionMonthsAhead?: () => number | undefined;
}

export function createMetrics({ unmatchedReports, partitionMonthsAhead }: MetricSources = {}): Metrics {
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
  if (unmatchedReports) {
    new Gauge({
      name: 'cashier_unmatched_reports',
      help: 'Unmatched events of providers that name no known payment. Their money may have no owner.',
      labelNames: ['provider'],
      registers,
      async collect() {
        this.reset();
        // During an outage of the database the number is unknown, not zero, so the series is left out.
        const counts = await unmatchedReports().catch(() => []);
        for (const { provider, reports } of counts) this.set({ provider }, reports);
      },
    });
  }
  if (partitionMonthsAhead) {
    new Gauge({
      name: 'cashier_partitions_months_ahead',
      help: 'Whole months from now for which every table by month has partitions. The server keeps three.',
      registers,
      collect() {
        const months = partitionMonthsAhead();
        // A number that is not known yet must not look like zero.
        if (months === undefined) this.remove();
        else this.set(months);
      },
    });
  }
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
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
