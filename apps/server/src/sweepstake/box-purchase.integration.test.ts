/** Buying coin boxes through the ledger (SWP-1): price, stock, coins and reversals. */
import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import type { CreateDeposit } from '../deposits/payments.ts';
import { postJournal } from '../ledger/ledger.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import type { Caller } from '../operators/caller.ts';
import { type Bench, callbackOf, createBench, reportOf } from '../payments/testing/payments.fixture.ts';
import { failureOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import { putBox } from './box-store.ts';
import { bookOf, newUser, purchaseOf, sellBox, takenOf, walletOf } from './sweepstake.fixture.ts';

let database: Database;
let bench: Bench;
withPayments(
  (made) => {
    ({ database, bench } = made);
  },
  { hasWebhook: true },
);

const buy = (command: CreateDeposit) => bench.payments.createDeposit(command);
const statusOf = ({ caller, request }: CreateDeposit) => bench.payments.depositStatus(caller, request.depositId);

async function bought(boxId: string, caller: Caller = newUser()): Promise<{ caller: Caller; depositId: string }> {
  const command = purchaseOf(boxId, caller);
  await buy(command);
  const { depositId } = command.request;
  expect(await bench.payments.apply(reportOf(depositId))).toMatchObject({ outcome: 'credited' });
  return { caller, depositId };
}

describe('[SWP-1] a coin box', () => {
  test('has its own price, whatever the request says, and gives its coins in the journal that books the price', async () => {
    const boxId = await sellBox(database);
    const command = purchaseOf(boxId, newUser(), { amount: '0.01', currency: 'USD' });
    const sales = await bookOf(database, 'INR', 'coin_sales');
    await buy(command);
    const { caller, request } = command;
    expect(bench.provider.creates.at(-1)).toMatchObject({ amountMinor: 50_000n, currency: 'INR' });
    expect(await statusOf(command)).toMatchObject({
      status: 0,
      amount: '500.00',
      currency: 'INR',
      box: { boxId, gcAmount: '10000.00', scAmount: '20.50' },
    });
    expect(await walletOf(database, caller)).toEqual({ GC: 0n, SC: 0n, INR: 0n, held: 0n });

    const paid = reportOf(request.depositId);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => bench.payments.apply(paid)));
    expect(outcomes.filter(({ outcome }) => outcome === 'credited')).toHaveLength(1);
    await bench.payments.receiveCallback('fake', callbackOf({ ...paid, eventId: `${paid.eventId}-again` }));
    await bench.payments.runDueWork();
    expect(await walletOf(database, caller)).toEqual({ GC: 1_000_000n, SC: 2_050n, INR: 0n, held: 0n });
    expect((await bookOf(database, 'INR', 'coin_sales')) - sales).toBe(50_000n);
    expect(await statusOf(command)).toMatchObject({ status: 1, finalAmount: '500.00' });
    const lines = await database.query<{ asset: string; sum: bigint }>({
      text: `select posting.asset, sum(amount)::bigint as sum from posting join journal on journal.id = journal_id
        where deposit_id = $1 group by 1 order by 1`,
      values: [request.depositId],
    });
    expect(lines).toEqual(['GC', 'INR', 'SC'].map((asset) => ({ asset, sum: 0n })));
    const [hook] = await database.query<{ body: { type: string; data: object } }>({
      text: `select body::jsonb as body from webhook_delivery where deposit_id = $1 and type = 'deposit.processed'`,
      values: [request.depositId],
    });
    expect(hook?.body.data).toMatchObject({ box: { boxId, gcAmount: '10000.00', scAmount: '20.50' } });
  });

  test('is not sold without a choice, when sold out, before or after its sale, or by a wrong method', async () => {
    const unchosen = buy(purchaseOf(''));
    expect(await failureOf(unchosen)).toMatchObject({ code: 'invalid-request' });
    await expect(unchosen).rejects.toThrow('No sweepstake box selected for sweepstake deposit');
    expect((await failureOf(buy(purchaseOf('nothing')))).code).toBe('not-found');
    const early = await sellBox(database, { availableFrom: '2999-01-01T00:00:00.000Z' });
    const late = await sellBox(database, { availableUntil: '2001-01-01T00:00:00.000Z' });
    for (const boxId of [early, late]) expect((await failureOf(buy(purchaseOf(boxId)))).code).toBe('not-found');
    const boxId = await sellBox(database);
    const byUpi = purchaseOf(boxId, newUser(), { paymentType: 'upi', fields: { vpa: 'ann@bank' } });
    expect((await failureOf(buy(byUpi))).code).toBe('method-unavailable');
    const cheap = await sellBox(database, { price: '99' });
    expect(await failureOf(buy(purchaseOf(cheap)))).toMatchObject({ code: 'limit-min' });
  });

  test('with another price than on the screen is not sold, the new price is returned, and a replay gives the same response', async () => {
    const boxId = await sellBox(database);
    const command = { ...purchaseOf(boxId), box: { boxId, price: '500.00' } };
    const answer = await buy(command);
    await sellBox(database);
    await putBox(database, 'op', boxId, {
      group: '',
      position: 0,
      price: '600',
      currency: 'INR',
      gold: '11000',
      sweep: '0',
    });
    const other = { ...purchaseOf(boxId), box: { boxId, price: '500.00' } };
    expect(await failureOf(buy(other))).toMatchObject({
      code: 'box-changed',
      params: { boxId, price: '600.00', currency: 'INR', gcAmount: '11000.00', scAmount: '0.00' },
    });
    expect(await buy(command)).toEqual(answer);
    expect(bench.provider.creates).toHaveLength(1);
    const foreign = { ...purchaseOf(boxId, newUser(), { currency: 'USD' }), box: { boxId, price: '600' } };
    expect((await failureOf(buy(foreign))).code).toBe('box-changed');
    // The user gets what the create call promised.
    await bench.payments.apply(reportOf(command.request.depositId));
    expect(await walletOf(database, command.caller)).toMatchObject({ GC: 1_000_000n, SC: 2_050n });
  });

  test('under a used idempotency key is another intent when the box is another', async () => {
    const command = purchaseOf(await sellBox(database));
    await buy(command);
    const other = { ...command, box: { boxId: await sellBox(database) } };
    expect((await failureOf(buy(other))).code).toBe('idempotency-conflict');
    expect(await failureOf(buy({ ...command, request: { ...command.request, amount: '7' } }))).toEqual({
      code: 'ok',
    });
  });

  test('overpaid by crypto keeps the rest as money; underpaid goes to staff review', async () => {
    const more = purchaseOf(await sellBox(database), newUser(), { paymentType: 'coin' });
    await buy(more);
    await bench.payments.apply(reportOf(more.request.depositId, { paidMinor: 50_700n }));
    expect(await walletOf(database, more.caller)).toMatchObject({ GC: 1_000_000n, SC: 2_050n, INR: 700n });

    // The same holds for an address that would accept any amount from the method's own minimum on.
    const few = purchaseOf(await sellBox(database), newUser(), { paymentType: 'coin' });
    await buy(few);
    await bench.payments.apply(reportOf(few.request.depositId, { paidMinor: 49_999n }));
    expect(await walletOf(database, few.caller)).toEqual({ GC: 0n, SC: 0n, INR: 0n, held: 0n });

    const less = purchaseOf(await sellBox(database));
    await buy(less);
    await bench.payments.apply(reportOf(less.request.depositId, { paidMinor: 49_999n }));
    const decide = (what: 'credit' | 'refund') =>
      bench.payments.resolveReview({ operatorId: 'op', id: less.request.depositId }, what, 'eve');
    await expect(decide('credit')).rejects.toThrow(/less than the price/);
    await decide('refund');
    expect(await walletOf(database, less.caller)).toEqual({ GC: 0n, SC: 0n, INR: 0n, held: 0n });
  });
});

describe('[SWP-1] a limited stock', () => {
  test('of five goes to five of fifty concurrent buyers, and never below zero', async () => {
    const boxId = await sellBox(database, { stock: 5 });
    const commands = Array.from({ length: 50 }, () => purchaseOf(boxId));
    const results = await Promise.all(commands.map((command) => failureOf(buy(command))));
    expect(results.filter(({ code }) => code === 'ok')).toHaveLength(5);
    expect(new Set(results.map(({ code }) => code))).toEqual(new Set(['ok', 'box-sold-out']));
    expect(await takenOf(database, boxId)).toBe(5);
    expect(bench.provider.creates).toHaveLength(5);
    const winners = commands.filter((_, index) => results[index]?.code === 'ok');
    await Promise.all(winners.map(({ request }) => bench.payments.apply(reportOf(request.depositId))));
    for (const { caller } of winners) expect(await walletOf(database, caller)).toMatchObject({ GC: 1_000_000n });
    expect(await takenOf(database, boxId)).toBe(5);
  });

  test('a stock of one is sold once to a buyer who taps ten times', async () => {
    const boxId = await sellBox(database, { stock: 3 });
    const command = purchaseOf(boxId);
    await Promise.all(Array.from({ length: 10 }, () => failureOf(buy(command))));
    expect(await takenOf(database, boxId)).toBe(1);
  });

  test('is released when a deposit ends unpaid: refused at the create, declined, cancelled, expired', async () => {
    const boxId = await sellBox(database, { stock: 1 });
    bench.provider.onCreate = async () => ({ kind: 'declined', code: 'no' });
    expect((await failureOf(buy(purchaseOf(boxId)))).code).not.toBe('box-sold-out');
    expect(await takenOf(database, boxId)).toBe(0);
    bench = createBench(database);

    const declined = purchaseOf(boxId);
    await buy(declined);
    expect((await failureOf(buy(purchaseOf(boxId)))).code).toBe('box-sold-out');
    await bench.payments.apply(reportOf(declined.request.depositId, { outcome: 'declined' }));
    expect(await takenOf(database, boxId)).toBe(0);

    const cancelled = purchaseOf(boxId);
    await buy(cancelled);
    await bench.payments.cancelDeposit(cancelled.caller, cancelled.request.depositId);
    expect(await takenOf(database, boxId)).toBe(0);

    const expired = purchaseOf(boxId);
    await buy(expired);
    await database.query({
      text: `update deposit set expires_at = now() - interval '1 hour' where id = $1`,
      values: [expired.request.depositId],
    });
    await bench.payments.runDueWork();
    expect(await statusOf(expired)).toMatchObject({ status: 2 });
    expect(await takenOf(database, boxId)).toBe(0);
  });

  test('a late payment buys the box only while one is left', async () => {
    const boxId = await sellBox(database, { stock: 1 });
    const late = purchaseOf(boxId);
    await buy(late);
    await bench.payments.apply(reportOf(late.request.depositId, { outcome: 'expired' }));
    const other = purchaseOf(boxId);
    await buy(other);
    await bench.payments.apply(reportOf(late.request.depositId));
    const credit = () =>
      bench.payments.resolveReview({ operatorId: 'op', id: late.request.depositId }, 'credit', 'eve');
    await expect(credit()).rejects.toThrow(/sold out/);
    expect(await walletOf(database, late.caller)).toEqual({ GC: 0n, SC: 0n, INR: 0n, held: 0n });
    await bench.payments.cancelDeposit(other.caller, other.request.depositId);
    await credit();
    expect(await walletOf(database, late.caller)).toMatchObject({ GC: 1_000_000n, SC: 2_050n });
    expect(await takenOf(database, boxId)).toBe(1);
  });
});

describe('[SWP-1] [SRV-2] a reversed payment', () => {
  test('takes back the remaining coins; missing sweep coins are a debt, missing gold coins are not', async () => {
    const { caller, depositId } = await bought(await sellBox(database));
    await spend(caller, 'GC', 999_999n);
    await spend(caller, 'SC', 1_050n);
    await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
    expect(await walletOf(database, caller)).toEqual({ GC: 0n, SC: 0n, INR: 0n, held: 0n });
    expect(await bookOf(database, 'SC', 'reversal_debt', caller)).toBe(-1_050n);
    expect(await bookOf(database, 'GC', 'reversal_debt', caller)).toBe(0n);
    const [frozen] = await database.query({
      text: `select 1 from account where owner = $1 and asset = 'SC' and kind = 'user' and frozen_at is not null`,
      values: [caller.userId],
    });
    expect(frozen).toBeDefined();
  });

  /** Coins that the user has played. */
  const spend = (caller: Caller, asset: string, amount: bigint) =>
    database.transaction((transaction) =>
      postJournal(transaction, {
        operatorId: 'op',
        kind: 'test_spend',
        source: 'test',
        ref: `${caller.userId} ${asset}`,
        lines: [
          { owner: caller.userId, asset, kind: 'user', amount: -amount },
          { owner: '', asset, kind: 'coin_play', amount },
        ],
      }),
    );
});

describe('[SWP-1] [AMT-9] the database itself refuses', () => {
  const violated = async (text: string, values: unknown[] = []): Promise<string | undefined> => {
    try {
      await database.query({ text, values });
    } catch (error) {
      return constraintOf(error);
    }
    return undefined;
  };
  const account = (asset: string, kind: string, balance: number | null = null) =>
    violated(`insert into account (operator_id, owner, asset, kind, balance) values ('op', $4, $1, $2, $3)`, [
      asset,
      kind,
      balance,
      `${asset} ${kind}`,
    ]);

  test('every way out for gold: a hold, a provider’s account, a withdrawal', async () => {
    for (const kind of ['user_hold', 'user_additional', 'reversal_debt', 'bonus']) {
      expect(await account('GC', kind, 0), kind).toBe('account_coins_stay');
    }
    for (const kind of ['provider_clearing', 'suspense', 'withdrawal_fee', 'coin_sales']) {
      expect(await account('GC', kind), kind).toBe('account_coins_stay');
    }
    const withdrawal = (currency: string) =>
      violated(
        `insert into withdrawal (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, currency,
          amount, fee, country, account_type, state, rank, request, expires_at)
        values (gen_random_uuid(), 'op', 'ann', gen_random_uuid(), sha256('x'), 'card', 'fake', $1, 100, 0, 'IN', 'main',
          'held', 10, '{}', now())`,
        [currency],
      );
    expect(await withdrawal('GC')).toBe('withdrawal_never_gold');
    expect(await withdrawal('QGC')).toBe('withdrawal_never_gold');
    expect(await withdrawal('SC')).toBe('withdrawal_sweep_is_paid_out');
  });

  test('coins as the currency of a deposit or of a box’s price, and a box without gold', async () => {
    const deposit = (currency: string) =>
      violated(
        `insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, currency, amount,
          country, state, rank, request, lifetime_s, expires_at)
        values (gen_random_uuid(), 'op', 'ann', gen_random_uuid(), sha256('x'), 'card', 'fake', $1, 100, 'IN', 'created',
          10, '{}', 600, now())`,
        [currency],
      );
    for (const coin of ['GC', 'SC', 'QGC', 'QSC']) expect(await deposit(coin)).toBe('deposit_of_money');
    expect(await account('SC', 'provider_clearing')).toBe('account_coins_stay');
    expect(await account('QSC', 'user', 0)).toBe('account_coins_stay');
    expect(await account('USD', 'coin_issue')).toBe('account_coins_stay');
    const box = (currency: string, gold: number) =>
      violated(
        `insert into sweepstake_box (operator_id, box_id, price, price_currency, gold, sweep)
        values ('op', 'x', 100, $1, $2, 5)`,
        [currency, gold],
      );
    expect(await box('SC', 100)).toBe('box_price_is_money');
    expect(await box('USD', 0)).toBe('sweepstake_box_gold_check');
  });

  test('a paid box without its coins, another box than the bought one, and more sold than in stock', async () => {
    const boxId = await sellBox(database, { stock: 1 });
    const command = purchaseOf(boxId);
    await buy(command);
    const { depositId } = command.request;
    expect(
      await violated(`update deposit set state = 'credited', paid = 1, credited = 1 where id = $1`, [depositId]),
    ).toBe('box_coins_agree');
    expect(await violated(`update deposit set box = null where id = $1`, [depositId])).toBe('ledger_immutable');
    expect(await violated(`update sweepstake_box set taken = 2 where box_id = $1`, [boxId])).toBe('box_not_oversold');
  });
});

test('[SRV-2] after all tests no asset was created or lost, and every paid deposit has its journal', async () => {
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});
