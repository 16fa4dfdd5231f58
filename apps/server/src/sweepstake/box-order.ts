/** Buying a coin box (SWP-1): compares the request with the current box, and reserves one of a limited stock. */
import { NO_BOX_SELECTED_MESSAGE } from '@opencashier/core/sweepstake/coin-box';
import type { Queryable, Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { RequestedBox } from './bought-box.ts';
import { minorOf } from './box-schemas.ts';
import { type BoxRow, coinsView, findBox, priceOf } from './box-store.ts';

/**
 * The requested box, as it is on sale now.
 * @param currency the currency of the price on the screen
 * @throws DomainError invalid-request without a box, not-found, box-sold-out, box-changed
 */
export async function boxToBuy(
  queryable: Queryable,
  operatorId: string,
  { boxId, price }: RequestedBox,
  currency: string,
): Promise<BoxRow> {
  if (boxId === '') {
    const fields = [{ path: 'boxId', message: 'Give the id of a coin box.' }];
    throw new DomainError('invalid-request', NO_BOX_SELECTED_MESSAGE, { fields });
  }
  const box = await findBox(queryable, operatorId, boxId);
  if (!box?.isOnSale) throw new DomainError('not-found', 'This coin box is not on sale');
  if (box.stock !== null && box.taken >= box.stock) throw soldOut(boxId);
  if (price !== undefined && (currency !== box.currency || minorOf(price, currency) !== box.price)) throw changed(box);
  return box;
}

/**
 * Reserves one box until its deposit ends; the database releases it when the deposit ends unpaid.
 * Must run in the transaction that inserts the deposit, after the insert.
 * @throws DomainError box-sold-out, box-changed, not-found
 */
export async function reserveBox(transaction: Transaction, operatorId: string, box: BoxRow): Promise<void> {
  const isSame = `operator_id = $1 and box_id = $2 and price = $3 and price_currency = $4 and gold = $5 and sweep = $6
    and coalesce(available_from <= now(), true) and coalesce(available_until > now(), true)`;
  const rows = await transaction.query({
    name: box.stock === null ? 'sweepstake-box-same' : 'sweepstake-box-reserve',
    // Without a stock the row is not locked, because buyers of such a box must not wait for each other.
    text:
      box.stock === null
        ? `select 1 from sweepstake_box where ${isSame} and stock is null`
        : `update sweepstake_box set taken = taken + 1 where ${isSame} and taken < stock returning 1`,
    values: [operatorId, box.boxId, box.price, box.currency, box.gold, box.sweep],
  });
  if (rows.length > 0) return;
  throw changed(await boxToBuy(transaction, operatorId, { boxId: box.boxId }, box.currency));
}

function soldOut(boxId: string): DomainError {
  return new DomainError('box-sold-out', 'The box is sold out', { params: { boxId } });
}

function changed(box: BoxRow): DomainError {
  const params = { ...coinsView(box), price: priceOf(box), currency: box.currency };
  return new DomainError('box-changed', 'The box has changed since it was shown', { params });
}
