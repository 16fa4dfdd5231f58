/** Operators' coin boxes as rows (SWP-1), so that a price or a stock can change during the sale. */
import type { BoughtBox, SweepstakeBox } from '@opencashier/contract/api';
import type { OperatorBox } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { GOLD_COIN, SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import type { Database, Queryable } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { type Actor, recordSettingChange } from '../operators/setting-history.ts';
import { type BoxTerms, minorOf } from './box-schemas.ts';

/** A row of `sweepstake_box`. Amounts are in minor units. */
export interface BoxRow {
  readonly boxId: string;
  readonly group: string;
  readonly position: number;
  readonly badge: string | null;
  /** Minor units of `currency`. */
  readonly price: bigint;
  readonly currency: string;
  /** Minor units of the coins. */
  readonly gold: bigint;
  readonly sweep: bigint;
  readonly stock: number | null;
  readonly taken: number;
  readonly availableFrom: Date | null;
  readonly availableUntil: Date | null;
  /** By the database's clock. */
  readonly isOnSale: boolean;
}

const boxColumns = `box_id as "boxId", group_name as "group", position, badge, price, price_currency as currency, gold, sweep,
  stock, taken, available_from as "availableFrom", available_until as "availableUntil",
  coalesce(available_from <= now(), true) and coalesce(available_until > now(), true) as "isOnSale"`;

/** Every box of an operator. Groups are ordered by their first box. */
export function boxesOf(queryable: Queryable, operatorId: string): Promise<BoxRow[]> {
  return queryable.query<BoxRow>({
    name: 'sweepstake-boxes',
    text: `select ${boxColumns} from sweepstake_box where operator_id = $1 order by group_name, position, box_id`,
    values: [operatorId],
  });
}

/** One box of an operator, on sale or not. */
export async function findBox(queryable: Queryable, operatorId: string, boxId: string): Promise<BoxRow | undefined> {
  const [row] = await queryable.query<BoxRow>({
    name: 'sweepstake-box',
    text: `select ${boxColumns} from sweepstake_box where operator_id = $1 and box_id = $2`,
    values: [operatorId, boxId],
  });
  return row;
}

/** More boxes are taken than the new stock allows. */
export class BoxTakenError extends Error {
  override readonly name = 'BoxTakenError';
}

/**
 * Puts a box on sale, or changes it. Boxes that were already bought do not change.
 * @throws BoxTakenError
 */
export async function putBox(
  queryable: Queryable,
  operatorId: string,
  boxId: string,
  terms: BoxTerms,
): Promise<BoxRow> {
  try {
    const [row] = await queryable.query<BoxRow>({
      text: `insert into sweepstake_box (operator_id, box_id, group_name, position, badge, price, price_currency, gold, sweep,
          stock, available_from, available_until)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        on conflict (operator_id, box_id) do update set group_name = excluded.group_name, position = excluded.position,
          badge = excluded.badge, price = excluded.price, price_currency = excluded.price_currency, gold = excluded.gold,
          sweep = excluded.sweep, stock = excluded.stock, available_from = excluded.available_from,
          available_until = excluded.available_until, updated_at = now()
        returning ${boxColumns}`,
      values: [operatorId, boxId, ...columnsOf(terms)],
    });
    if (row === undefined) throw new Error('A box was stored, but its row is missing');
    return row;
  } catch (error) {
    if (constraintOf(error) !== 'box_not_oversold') throw error;
    throw new BoxTakenError('More boxes are taken than the stock would have', { cause: error });
  }
}

/**
 * Puts a box on sale or changes it, as staff do, and records the change.
 * @throws BoxTakenError
 */
export function changeBox(
  database: Database,
  operatorId: string,
  boxId: string,
  actor: Actor,
  terms: BoxTerms,
): Promise<BoxRow> {
  return database.transaction(async (transaction) => {
    const known = await findBox(transaction, operatorId, boxId);
    const made = await putBox(transaction, operatorId, boxId, terms);
    const { taken: _before, ...before } = known === undefined ? { taken: 0 } : operatorView(known);
    const { taken: _after, ...after } = operatorView(made);
    await recordSettingChange(transaction, {
      operatorId,
      setting: `box ${boxId}`,
      ...actor,
      before: known && before,
      after,
    });
    return made;
  });
}

/** Adds the boxes that an operator does not have yet. Boxes that the operator has changed stay as they are. */
export async function seedBoxes(
  queryable: Queryable,
  operatorId: string,
  boxes: readonly (BoxTerms & { readonly boxId: string })[],
): Promise<void> {
  for (const { boxId, ...terms } of boxes) {
    await queryable.query({
      text: `insert into sweepstake_box (operator_id, box_id, group_name, position, badge, price, price_currency, gold, sweep,
          stock, available_from, available_until)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict (operator_id, box_id) do nothing`,
      values: [operatorId, boxId, ...columnsOf(terms)],
    });
  }
}

function columnsOf(terms: BoxTerms): unknown[] {
  return [
    terms.group,
    terms.position,
    terms.badge ?? null,
    minorOf(terms.price, terms.currency),
    terms.currency,
    minorOf(terms.gold, GOLD_COIN),
    minorOf(terms.sweep, SWEEP_COIN),
    terms.stock ?? null,
    terms.availableFrom ?? null,
    terms.availableUntil ?? null,
  ];
}

/** The widget's view of a box: gold coins are bought, sweep coins are free. */
export function boxView(row: BoxRow): SweepstakeBox {
  const { gcAmount, scAmount } = coinsView(row);
  return {
    boxId: row.boxId,
    price: priceOf(row),
    priceCurrencyCode: row.currency,
    currenciesList: [
      { currency: GOLD_COIN, main: gcAmount, free: '0' },
      { currency: SWEEP_COIN, main: '0', free: scAmount },
    ],
    position: row.position,
    ...(row.badge !== null && { badge: row.badge }),
    ...(row.stock !== null && { remaining: row.stock - row.taken }),
    ...(row.availableUntil !== null && { availableUntil: row.availableUntil.toISOString() }),
  };
}

/** The operator's view of a box. */
export function operatorView(row: BoxRow): OperatorBox {
  const { gcAmount, scAmount } = coinsView(row);
  return {
    boxId: row.boxId,
    group: row.group,
    position: row.position,
    ...(row.badge !== null && { badge: row.badge }),
    price: priceOf(row),
    currency: row.currency,
    gold: gcAmount,
    sweep: scAmount,
    ...(row.stock !== null && { stock: row.stock }),
    ...(row.availableFrom !== null && { availableFrom: row.availableFrom.toISOString() }),
    ...(row.availableUntil !== null && { availableUntil: row.availableUntil.toISOString() }),
    taken: row.taken,
  };
}

/** The price of a box as a decimal string. */
export function priceOf(row: Pick<BoxRow, 'price' | 'currency'>): string {
  return toDecimalString(row.price, decimalsOf(row.currency));
}

/** The coins of a box as decimal strings. */
export function coinsView({ boxId, gold, sweep }: Pick<BoxRow, 'boxId' | 'gold' | 'sweep'>): BoughtBox {
  return {
    boxId,
    gcAmount: toDecimalString(gold, decimalsOf(GOLD_COIN)),
    scAmount: toDecimalString(sweep, decimalsOf(SWEEP_COIN)),
  };
}
