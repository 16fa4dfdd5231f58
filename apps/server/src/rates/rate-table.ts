/** A table of rates for one base currency, as rate sources publish it, and the quotes from it. */
import { crossRate } from '@opencashier/core/money/conversion';
import { findCurrency } from '@opencashier/core/money/currencies';
import { decimalFromNumber } from '@opencashier/core/money/money';
import * as v from 'valibot';
import type { Quote } from './rate-source.ts';

export interface RateTable {
  /** When the rates were valid, in ms since the epoch. */
  readonly at: number;
  /** Units of each currency for one unit of the base, by upper-case code. The base itself is 1. */
  readonly perBase: ReadonlyMap<string, string>;
}

/** The age at which a rate becomes stale, in ms. */
export interface StaleAfter {
  /** For a pair with a crypto coin, whose price always moves. */
  readonly coinMs: number;
  /** For two fiat currencies, whose rates many sources publish once a day. */
  readonly fiatMs: number;
}

const unitsSchema = v.union([v.string(), v.number()]);

/**
 * The expected fields: `base`, `rates` (units per unit of the base), and the time of the rates.
 * The time is `at` (ISO 8601) or `timestamp` (seconds since the epoch). Most rate services use this form.
 */
const tableSchema = v.object({
  base: v.optional(v.string(), 'USD'),
  rates: v.record(v.string(), unitsSchema),
  at: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  timestamp: v.optional(v.number()),
});

/**
 * Reads a source's JSON. Unknown currencies and values that are not positive numbers are left out.
 * @param receivedAt when the JSON arrived: the default time of the rates, and the latest time that is accepted
 * @returns undefined when the JSON is not a table of rates
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
  const publishedAt = at === undefined ? (timestamp ?? receivedAt / 1_000) * 1_000 : Date.parse(at);
  // A source with a fast clock must not keep its rates fresh for longer.
  return { at: Math.min(publishedAt, receivedAt), perBase };
}

/** Enough digits for every rate, and few enough that a hostile response costs nothing. */
function isPositiveDecimal(text: string): boolean {
  return /^(?:0|[1-9]\d{0,14})(?:\.\d{1,20})?$/.test(text) && /[1-9]/.test(text);
}

/** The rate between two currencies of a table, rounded to the disadvantage of the person who converts. */
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
