/** A list of rates by one base currency, as every source of rates publishes it, and the quotes that it allows. */
import { crossRate } from '@opencashier/core/money/conversion';
import { findCurrency } from '@opencashier/core/money/currencies';
import { decimalFromNumber } from '@opencashier/core/money/money';
import * as v from 'valibot';
import type { Quote } from './rate-source.ts';

export interface RateTable {
  /** When the rates were true, in ms since the epoch. */
  readonly at: number;
  /** What one unit of the base is in each currency, by its code in capitals; the base itself is 1. */
  readonly perBase: ReadonlyMap<string, string>;
}

/** From which age on a rate counts as stale, in ms. */
export interface StaleAfter {
  /** A pair with a coin, whose price never rests. */
  readonly coinMs: number;
  /** Two currencies of states, whose rates many sources publish once a day. */
  readonly fiatMs: number;
}

const unitsSchema = v.union([v.string(), v.number()]);

/**
 * What is read of an answer: `base`, `rates` (units of each currency for one unit of the base), and when they were true:
 * `at` (ISO 8601) or `timestamp` (seconds since the epoch). The wide-spread form of such services.
 */
const tableSchema = v.object({
  base: v.optional(v.string(), 'USD'),
  rates: v.record(v.string(), unitsSchema),
  at: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  timestamp: v.optional(v.number()),
});

/**
 * Reads a source's JSON. Currencies that the cashier does not know, and values that are no positive numbers, are left out.
 * @param receivedAt when it arrived, for a source that does not say when its rates were true; also the latest that is believed
 * @returns undefined when it is no list of rates
 */
export function readRateTable(json: unknown, receivedAt: number): RateTable | undefined {
  const parsed = v.safeParse(tableSchema, json);
  if (!parsed.success) return undefined;
  const { base, rates, at, timestamp } = parsed.output;
  const perBase = new Map<string, string>();
  for (const [code, units] of Object.entries(rates)) {
    const known = findCurrency(code)?.code;
    const text = typeof units === 'number' ? decimalFromNumber(units) : units;
    if (known !== undefined && text !== undefined && isPositiveDecimal(text)) perBase.set(known, text);
  }
  perBase.set(base.toUpperCase(), '1');
  const said = at === undefined ? (timestamp ?? receivedAt / 1_000) * 1_000 : Date.parse(at);
  // A source whose clock runs ahead must not make its rates fresh for longer.
  return { at: Math.min(said, receivedAt), perBase };
}

/** Digits enough for every rate, few enough that a hostile answer costs nothing. */
function isPositiveDecimal(text: string): boolean {
  return /^(?:0|[1-9]\d{0,14})(?:\.\d{1,20})?$/.test(text) && /[1-9]/.test(text);
}

/** The rate between two currencies by a table, rounded to the disadvantage of whoever converts. */
export function quoteFrom(
  table: RateTable,
  from: string,
  to: string,
  now: number,
  staleAfter: StaleAfter,
): Quote | 'none' {
  const [source, target] = [findCurrency(from), findCurrency(to)];
  if (source === undefined || target === undefined) return 'none';
  if (source.code === target.code) return { rate: '1', at: now, staleAt: Number.MAX_SAFE_INTEGER, isStale: false };
  const [perSource, perTarget] = [table.perBase.get(source.code), table.perBase.get(target.code)];
  if (perSource === undefined || perTarget === undefined) return 'none';
  const rate = crossRate(perSource, perTarget);
  if (rate === undefined) return 'none';
  const hasCoin = source.kind === 'crypto' || target.kind === 'crypto';
  const staleAt = table.at + (hasCoin ? staleAfter.coinMs : staleAfter.fiatMs);
  return { rate, at: table.at, staleAt, isStale: now >= staleAt };
}
