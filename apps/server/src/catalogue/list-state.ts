/** What a list of methods needs of the database, in one round trip: what the user has, and which settings count (LIST-1, WD-1). */
import type { Caller } from '../calls/caller.ts';
import type { Queryable } from '../database/database.ts';

export interface ListState {
  /** Minor units of the asked currency. */
  readonly main: bigint;
  readonly additional: bigint;
  /** Of the operator's catalogue settings; 0: it has none. */
  readonly catalogueVersion: number;
}

export type ListStateOf = (caller: Pick<Caller, 'operatorId' | 'userId'>, currency: string) => Promise<ListState>;

/** The ledger's word on the balances. */
export function listStateIn(queryable: Queryable): ListStateOf {
  return async ({ operatorId, userId }, currency) => {
    const [row] = await queryable.query<{ main: bigint | null; additional: bigint | null; version: number | null }>({
      name: 'list-state',
      text: `select (select balance from account
            where operator_id = $1 and owner = $2 and asset = $3 and kind = 'user') as main,
          (select balance from account
            where operator_id = $1 and owner = $2 and asset = $3 and kind = 'user_additional') as additional,
          (select version from catalogue_settings where operator_id = $1) as version`,
      values: [operatorId, userId, currency],
    });
    return { main: row?.main ?? 0n, additional: row?.additional ?? 0n, catalogueVersion: row?.version ?? 0 };
  };
}
