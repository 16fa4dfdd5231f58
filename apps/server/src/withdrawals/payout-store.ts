/** The payout rows of a withdrawal. Every caller holds the lock of the withdrawal. */
import { randomUUID } from 'node:crypto';
import { arrivesOf, type Payout } from '@opencashier/core/payout/aggregate';
import type { PayoutState } from '@opencashier/core/payout/payout-lifecycle';
import type { Transaction } from '../database/database.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';

/** The newest payout of a withdrawal; undefined before the first request to the provider. */
export async function findPayout(
  transaction: Transaction,
  { operatorId, id }: Pick<WithdrawalRow, 'operatorId' | 'id'>,
): Promise<Payout | undefined> {
  const [found] = await transaction.query<Payout>({
    name: 'payout-of-withdrawal',
    text: `select id, state from payout where operator_id = $1 and withdrawal_id = $2
      order by created_at desc, id limit 1`,
    values: [operatorId, id],
  });
  return found;
}

/**
 * Creates the payout, or moves the existing one. The database refuses a move that is not allowed.
 * @param providerRef the provider's reference, if known
 * @returns the payout's id
 */
export async function setPayout(
  transaction: Transaction,
  row: WithdrawalRow,
  known: Payout | undefined,
  state: PayoutState,
  providerRef: string | undefined,
): Promise<string> {
  return known === undefined
    ? insertPayout(transaction, row, state, providerRef)
    : updatePayout(transaction, row.operatorId, known.id, state, providerRef);
}

async function insertPayout(
  transaction: Transaction,
  row: WithdrawalRow,
  state: PayoutState,
  providerRef: string | undefined,
): Promise<string> {
  const id = randomUUID();
  const { currency, minor } = arrivesOf(row);
  await transaction.query({
    name: 'payout-insert',
    text: `insert into payout (operator_id, id, withdrawal_id, provider, provider_ref, currency, amount, state)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [row.operatorId, id, row.id, row.provider, row.providerRef ?? providerRef ?? null, currency, minor, state],
  });
  return id;
}

async function updatePayout(
  transaction: Transaction,
  operatorId: string,
  id: string,
  state: PayoutState,
  providerRef: string | undefined,
): Promise<string> {
  await transaction.query({
    name: 'payout-state',
    text: `update payout set state = $3, provider_ref = coalesce(provider_ref, $4)
      where operator_id = $1 and id = $2`,
    values: [operatorId, id, state, providerRef ?? null],
  });
  return id;
}
