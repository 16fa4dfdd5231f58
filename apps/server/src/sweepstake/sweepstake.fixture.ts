/** Shared code of the sweepstake tests: boxes, coins, and reads of the ledger. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';
import type { CreateDeposit } from '../deposits/payments.ts';
import { type AccountKind, accountBalance } from '../ledger/ledger.ts';
import type { Caller } from '../operators/caller.ts';
import { ann, commandOf } from '../payments/testing/payments.fixture.ts';
import type { BoxTerms } from './box-schemas.ts';
import { putBox } from './box-store.ts';

export const newUser = (): Caller => ({ ...ann, userId: `coins-${randomUUID()}` });

/** A new box for one test: 500.00 INR for 10000 gold and 20.50 sweep coins. */
export async function sellBox(database: Database, more: Partial<BoxTerms> = {}): Promise<string> {
  const boxId = randomUUID();
  const usual = { group: '', position: 0, price: '500', currency: 'INR', gold: '10000', sweep: '20.50' };
  await putBox(database, 'op', boxId, { ...usual, ...more });
  return boxId;
}

export function purchaseOf(
  boxId: string,
  caller: Caller = newUser(),
  request: Parameters<typeof commandOf>[0] = {},
): CreateDeposit {
  return { ...commandOf(request, caller), box: { boxId } };
}

/** The balance of a user's account, or of the operator's account without a user, in minor units. */
export function bookOf(
  database: Database,
  asset: string,
  kind: AccountKind,
  owner: { readonly userId: string } | '' = '',
): Promise<bigint> {
  return accountBalance(database, 'op', { owner: owner === '' ? '' : owner.userId, asset, kind });
}

/** A user's gold, sweep coins and money in INR, in minor units. */
export async function walletOf(
  database: Database,
  user: Caller,
): Promise<{ GC: bigint; SC: bigint; INR: bigint; held: bigint }> {
  const of = (asset: string, kind: AccountKind = 'user') => bookOf(database, asset, kind, user);
  return { GC: await of('GC'), SC: await of('SC'), INR: await of('INR'), held: await of('SC', 'user_hold') };
}

/** How many boxes are sold or being paid for. */
export async function takenOf(database: Database, boxId: string): Promise<number> {
  const [row] = await database.query<{ taken: number }>({
    text: 'select taken from sweepstake_box where box_id = $1',
    values: [boxId],
  });
  return row?.taken ?? -1;
}
