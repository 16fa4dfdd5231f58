/** Counts facts for the metrics, by the keys of `money-metrics.ts`. */
import type { Queryable } from '../database/database.ts';
import type { MoneyMetric } from './money-metrics.ts';

/**
 * Counts a fact.
 * @param queryable counts it when its transaction is committed
 * @param value seconds, or an amount in units of its currency; absent: 1
 */
export function measure(
  queryable: Pick<Queryable, 'measure'>,
  metric: MoneyMetric,
  labels: Readonly<Record<string, string>>,
  value?: number,
): void {
  queryable.measure?.({ metric, labels, ...(value !== undefined && { value }) });
}
