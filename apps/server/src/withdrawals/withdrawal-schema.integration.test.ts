/** The rules of withdrawals and payouts that the database enforces. */
import { randomUUID } from 'node:crypto';
import { PAYOUT_MOVES, payoutStateOf } from '@opencashier/core/payout/payout-lifecycle';
import {
  judgeWithdrawalMove,
  WITHDRAWAL_STATES,
  type WithdrawalState,
  withdrawalRank,
} from '@opencashier/core/withdrawal/withdrawal-lifecycle';
import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import { intent, richUser } from './withdrawals.fixture.ts';
import type { Withdrawals } from './withdrawals.ts';

let database: Database;
let withdrawals: Withdrawals;
withPayments((made) => {
  database = made.database;
  withdrawals = made.bench.payments.withdrawals;
});

describe('[WD-2] the database itself', () => {
  test('has the same states and moves of withdrawals as core', async () => {
    const states = await database.query<{ state: string; rank: number }>({
      text: 'select state, rank from withdrawal_state',
    });
    expect(states).toHaveLength(WITHDRAWAL_STATES.length);
    for (const state of WITHDRAWAL_STATES) expect(states).toContainEqual({ state, rank: withdrawalRank(state) });
    const ways = await database.query<{ way: string }>({
      text: `select from_state || '>' || to_state as way from withdrawal_transition`,
    });
    const wanted = WITHDRAWAL_STATES.flatMap((from) =>
      WITHDRAWAL_STATES.filter((to) => judgeWithdrawalMove(from, to) === 'move').map((to) => `${from}>${to}`),
    );
    expect(ways.map(({ way }) => way).sort()).toEqual(wanted.sort());
  });

  test('[SRV-3] has the same states and moves of payouts as core', async () => {
    const states = await database.query<{ state: WithdrawalState; payout: string | null }>({
      text: 'select state, live_payout as payout from withdrawal_state',
    });
    for (const { state, payout } of states) {
      // A declined payout has ended: staff can decline a withdrawal that no provider has.
      const wanted = payoutStateOf(state);
      expect(payout, state).toBe(wanted === 'declined' ? null : (wanted ?? null));
    }
    const moves = await database.query<{ move: string }>({
      text: `select coalesce(from_state, '') || '>' || to_state as move from payout_transition`,
    });
    const wanted = [
      ...PAYOUT_MOVES.first.map((state) => `>${state}`),
      ...Object.entries(PAYOUT_MOVES.next).flatMap(([from, next]) => next.map((to) => `${from}>${to}`)),
    ];
    expect(moves.map(({ move }) => move).sort()).toEqual(wanted.sort());
  });

  test('refuses a withdrawal without a hold, and an end that keeps the hold', async () => {
    const ann = await richUser(database);
    const command = intent(ann);
    await withdrawals.create(command);
    const violated = async (text: string, values: readonly unknown[]): Promise<string | undefined> =>
      database.query({ text, values }).then(
        () => undefined,
        (error: unknown) => constraintOf(error),
      );
    const { withdrawalId } = command.request;
    expect(await violated(`update withdrawal set state = 'paid' where id = $1`, [withdrawalId])).toBe(
      'withdrawal_hold_agrees',
    );
    expect(await violated(`update withdrawal set amount = 1, fee = 0 where id = $1`, [withdrawalId])).toBe(
      'withdrawal_immutable',
    );
    expect(
      await violated(
        `insert into withdrawal (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, currency, amount,
          fee, country, account_type, state, rank, request, expires_at)
        select $2::uuid, operator_id, user_id, $2::uuid, fingerprint, payment_method, provider, currency, amount, fee, country,
          account_type, 'held', 10, request, expires_at from withdrawal where id = $1`,
        [withdrawalId, randomUUID()],
      ),
    ).toBe('withdrawal_hold_agrees');
  });
});
