/** What happens to a user whose operator keeps the balance itself, one movement of the wallet after the other. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Cluster } from './cluster.ts';
import type { OwnWallet } from './own-wallet.ts';
import { intentOfWithdrawal, type Payer } from './payer.ts';

const pollFor = { timeout: 90_000, interval: 50 };
/** Won in the operator's game, so that a withdrawal needs no deposit. */
const won = 100_00n;

const REFUND_LEASE_IS_OVER_S = 35;

export interface WalletMoment {
  /** The type of the call at which the server dies. */
  readonly call: 'debit' | 'credit' | 'release';
  /** Does what comes before that call, and answers the rest. */
  begin(payer: Payer, wallet: OwnWallet, cluster: Cluster): Promise<() => Promise<void>>;
  /** What the wallet has moved in the end, in cents, the smallest first. */
  readonly changes: readonly bigint[];
}

async function credited(payer: Payer, wallet: OwnWallet, amount: string): Promise<string> {
  const id = await payer.create(randomUUID(), amount);
  await payer.pay(id);
  await payer.untilProcessed(id);
  await expect.poll(() => wallet.balanceOf(payer.userId), pollFor).toBeGreaterThan(0n);
  return id;
}

async function held(payer: Payer, amount: string): Promise<string> {
  const withdrawalId = randomUUID();
  expect((await payer.insist('withdrawal-create', intentOfWithdrawal(withdrawalId, amount))).status).toBe(200);
  await payer.untilHeld(withdrawalId);
  return withdrawalId;
}

/** The moments by what the user does. */
export const walletMoments: Readonly<Record<string, WalletMoment>> = {
  'a deposit': {
    call: 'credit',
    changes: [25_05n],
    begin: async (payer, wallet) => async () => {
      await credited(payer, wallet, '25.05');
    },
  },
  'a withdrawal': {
    call: 'debit',
    changes: [-40_05n],
    async begin(payer, wallet) {
      await wallet.win(payer.userId, won);
      return async () => {
        const withdrawalId = await held(payer, '40.05');
        expect((await payer.insist('withdrawal-confirm', { withdrawalId })).status).toBe(200);
        await payer.untilWithdrawn(withdrawalId, 1);
      };
    },
  },
  'a cancelled withdrawal': {
    call: 'release',
    changes: [-10_00n, 10_00n],
    async begin(payer, wallet) {
      await wallet.win(payer.userId, won);
      const withdrawalId = await held(payer, '10.00');
      return async () => {
        expect((await payer.insist('withdrawal-cancel', { withdrawalId })).body).toMatchObject({ status: 2 });
        await expect.poll(() => wallet.balanceOf(payer.userId), pollFor).toBe(won);
      };
    },
  },
  'a refund': {
    call: 'debit',
    changes: [-25_05n, 25_05n],
    async begin(payer, wallet, cluster) {
      const id = await credited(payer, wallet, '25.05');
      const refund = { refundId: randomUUID(), staff: 'eve' };
      return async () => {
        const refunded = payer.insistAsOperator(
          `transactions/${id}/refund`,
          refund,
          ({ state }) => state === 'refunded',
        );
        const begun = () => cluster.query('select 1 from refund where refund_id = $1', [refund.refundId]);
        await expect.poll(begun, pollFor).toHaveLength(1);
        // The request that begins a refund leases it. That request may have died.
        await cluster.passTime(REFUND_LEASE_IS_OVER_S);
        expect((await refunded).status).toBe(200);
      };
    },
  },
  'a chargeback': {
    call: 'debit',
    changes: [-25_05n, 25_05n],
    async begin(payer, wallet) {
      const id = await credited(payer, wallet, '25.05');
      return async () => {
        await payer.chargeBack(id);
        await expect.poll(() => wallet.balanceOf(payer.userId), pollFor).toBe(0n);
      };
    },
  },
};

/**
 * Waits until no call of the user is open. Then each call is one movement of the wallet, and nothing else has moved there; the user has
 * no money here.
 * @param changes what the wallet must have moved, in cents
 */
export async function expectSameBooks(
  cluster: Cluster,
  wallet: OwnWallet,
  { userId }: Payer,
  changes: readonly bigint[],
): Promise<void> {
  const callsOf = () =>
    cluster.query<{ id: string; change: string; state: string }>(
      `select id, case type when 'debit' then -amount else amount end::text as change, state from operator_wallet_call
        where operator_id = $1 and user_id = $2 order by id`,
      [wallet.partner, userId],
    );
  await expect.poll(async () => (await callsOf()).filter(({ state }) => state !== 'done'), pollFor).toEqual([]);
  const calls = (await callsOf()).map(({ id, change }) => ({ id, change: BigInt(change) }));
  const moved = (await wallet.movementsOf(userId)).sort((left, right) => (left.id < right.id ? -1 : 1));
  expect(moved, 'movements in the wallet').toEqual(calls);
  expect(moved.map(({ change }) => change).sort((left, right) => Number(left - right))).toEqual(changes);
  const left = await cluster.query(
    `select kind, balance from account where operator_id = $1 and owner = $2 and coalesce(balance, 0) <> 0`,
    [wallet.partner, userId],
  );
  expect(left, 'money of the user in the ledger').toEqual([]);
}
