/** The database state that a list of methods needs, in one round trip for all who ask: balances and the settings version (LIST-1, WD-1). */

import type { WalletMode } from '@opencashier/contract/operator';
import { type Batch, createBatches } from '../database/batches.ts';
import type { Queryable } from '../database/database.ts';
import type { Caller } from '../operators/caller.ts';

export interface ListState {
  /** Minor units of the requested currency. */
  readonly main: bigint;
  /** Only queried for lists of withdrawal methods; 0 for others. */
  readonly additional: bigint;
  /** The version of the operator's catalogue settings; 0 when it has none. */
  readonly catalogueVersion: number;
  /** The user's newest credited deposit. Only queried for lists of deposit methods. */
  readonly lastDeposit: LastDeposit | undefined;
  /** Whose balance counts. */
  readonly walletMode: WalletMode;
}

export interface LastDeposit {
  readonly paymentMethod: string;
  readonly currency: string;
  /** Minor units of its currency; null when the payer decided the amount. */
  readonly amount: bigint | null;
}

export type ListStateOf = (
  caller: Pick<Caller, 'operatorId' | 'userId'>,
  currency: string,
  direction: 'deposit' | 'withdrawal',
) => Promise<ListState>;

interface Wanted {
  readonly operatorId: string;
  readonly userId: string;
  readonly currency: string;
  readonly direction: 'deposit' | 'withdrawal';
}

interface Row {
  readonly main: bigint | null;
  readonly additional: bigint | null;
  readonly version: number | null;
  readonly walletMode: WalletMode | null;
  readonly paymentMethod: string | null;
  readonly lastCurrency: string;
  readonly lastAmount: bigint | null;
}

/** The balances from the ledger. Lists of one operator that are asked for at the same time share a statement. */
export function listStateIn(queryable: Queryable): ListStateOf {
  const send = createBatches<Wanted, ListState>({
    run: (wanted) => readListStates(queryable, wanted),
    laneOf: ({ operatorId }) => operatorId,
  });
  return ({ operatorId, userId }, currency, direction) => send({ operatorId, userId, currency, direction });
}

/** The states in the order of what is wanted, all of one operator. */
async function readListStates(queryable: Queryable, wanted: Batch<Wanted>): Promise<ListState[]> {
  // Each user costs three searches of an index, however many deposits the user has.
  const rows = await queryable.query<Row>({
    name: 'list-states',
    text: `select (select balance from account
          where operator_id = $1 and owner = wanted.user_id and asset = wanted.asset and kind = 'user') as main,
        case when not wanted.is_deposit then (select balance from account
          where operator_id = $1 and owner = wanted.user_id and asset = wanted.asset and kind = 'user_additional')
          end as additional,
        (select version from catalogue_settings where operator_id = $1) as version,
        (select wallet_mode from operator where id = $1) as "walletMode",
        last.payment_method as "paymentMethod", last.currency as "lastCurrency",
        case when not last.open_amount then last.amount end as "lastAmount"
      from unnest($2::text[], $3::text[], $4::boolean[]) with ordinality as wanted (user_id, asset, is_deposit, place)
      left join lateral (
        select payment_method, currency, amount, open_amount from deposit
        where wanted.is_deposit and operator_id = $1 and user_id = wanted.user_id and state = 'credited'
          and further_of is null and box is null
        order by created_at desc limit 1) last on true
      order by wanted.place`,
    values: [
      wanted[0].operatorId,
      wanted.map(({ userId }) => userId),
      wanted.map(({ currency }) => currency),
      wanted.map(({ direction }) => direction === 'deposit'),
    ],
  });
  return rows.map((row) => ({
    main: row.main ?? 0n,
    additional: row.additional ?? 0n,
    catalogueVersion: row.version ?? 0,
    walletMode: row.walletMode ?? 'cashier',
    lastDeposit:
      row.paymentMethod === null
        ? undefined
        : { paymentMethod: row.paymentMethod, currency: row.lastCurrency, amount: row.lastAmount },
  }));
}
