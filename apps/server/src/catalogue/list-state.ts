/** What a list of methods needs of the database, in one round trip: what the user has, and which settings count (LIST-1, WD-1). */

import type { Queryable } from '../database/database.ts';
import type { Caller } from '../operators/caller.ts';

export interface ListState {
  /** Minor units of the asked currency. */
  readonly main: bigint;
  readonly additional: bigint;
  /** Of the operator's catalogue settings; 0: it has none. */
  readonly catalogueVersion: number;
  /** The newest deposit that was credited; asked for on lists of deposit methods alone. */
  readonly lastDeposit: LastDeposit | undefined;
}

export interface LastDeposit {
  readonly paymentMethod: string;
  readonly currency: string;
  /** Minor units of its currency; null: the payer decided how much was sent. */
  readonly amount: bigint | null;
}

export type ListStateOf = (
  caller: Pick<Caller, 'operatorId' | 'userId'>,
  currency: string,
  direction: 'deposit' | 'withdrawal',
) => Promise<ListState>;

interface Row {
  readonly main: bigint | null;
  readonly additional: bigint | null;
  readonly version: number | null;
  readonly paymentMethod: string | null;
  readonly lastCurrency: string;
  readonly lastAmount: bigint | null;
}

/** The ledger's word on the balances. */
export function listStateIn(queryable: Queryable): ListStateOf {
  return async ({ operatorId, userId }, currency, direction) => {
    // The offset keeps the planner on the user's own deposits: by time it would read the whole operator's for a user without any.
    const [row] = await queryable.query<Row>({
      name: 'list-state',
      text: `select (select balance from account
            where operator_id = $1 and owner = $2 and asset = $3 and kind = 'user') as main,
          (select balance from account
            where operator_id = $1 and owner = $2 and asset = $3 and kind = 'user_additional') as additional,
          (select version from catalogue_settings where operator_id = $1) as version,
          last.payment_method as "paymentMethod", last.currency as "lastCurrency",
          case when not last.open_amount then last.amount end as "lastAmount"
        from (select 1) one left join lateral (
          select * from (
            select payment_method, currency, amount, open_amount, created_at from deposit
            where $4 and operator_id = $1 and user_id = $2 and state = 'credited' and further_of is null and box is null
            offset 0) credited
          order by created_at desc limit 1) last on true`,
      values: [operatorId, userId, currency, direction === 'deposit'],
    });
    return {
      main: row?.main ?? 0n,
      additional: row?.additional ?? 0n,
      catalogueVersion: row?.version ?? 0,
      lastDeposit:
        row?.paymentMethod == null
          ? undefined
          : { paymentMethod: row.paymentMethod, currency: row.lastCurrency, amount: row.lastAmount },
    };
  };
}
