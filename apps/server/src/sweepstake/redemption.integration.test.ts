/** Grants, play and redemption through the ledger (SWP-2). */
import { randomUUID } from 'node:crypto';
import { transactionStatusCodes } from '@opencashier/contract/api';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { betweenReads } from '../database/testing/intercepted.fixture.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import type { Caller } from '../operators/caller.ts';
import { type Bench, callbackOf, createBench, refOf } from '../payments/testing/payments.fixture.ts';
import { failureOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import { createOwnMood } from '../rates/sandbox-mood.fixture.ts';
import { createSandboxRates, type SandboxRates } from '../rates/sandbox-rates.ts';
import { reportOn } from '../withdrawals/withdrawals.fixture.ts';
import type { CreateWithdrawal } from '../withdrawals/withdrawals.ts';
import { coinState } from './coin-balances.ts';
import { grantCoins, reportPlay } from './coin-moves.ts';
import { createRedemptions, QUOTE_LIFETIME_S } from './create-redemptions.ts';
import type { Redemptions } from './redemptions.ts';
import { bookOf, newUser, walletOf } from './sweepstake.fixture.ts';

let database: Database;
let bench: Bench;
let redemptions: Redemptions;
let rates: SandboxRates;
let clock: ReturnType<typeof createTestClock>;
withPayments(
  (made) => {
    ({ database, bench } = made);
  },
  {
    hasWebhook: true,
    options() {
      clock = createTestClock();
      rates = createSandboxRates(clock, { coinMs: 300_000, fiatMs: 86_400_000 }, createOwnMood());
      redemptions = createRedemptions({ rates, clock, secret: 'a secret of tests' });
      return { redemptions };
    },
  },
);

const give = (caller: Caller, amount: bigint, more: { grantId?: string; coin?: 'GC' | 'SC' } = {}) =>
  grantCoins(database, { operatorId: 'op', userId: caller.userId, coin: 'SC', grantId: randomUUID(), amount, ...more });
const play = (caller: Caller, staked: bigint, won = staked, playId: string = randomUUID()) =>
  reportPlay(database, { operatorId: 'op', userId: caller.userId, coin: 'SC', playId, staked, won });

/** A user with 100.00 sweep coins that were played once. */
async function player(): Promise<Caller> {
  const caller = newUser();
  await give(caller, 10_000n);
  await play(caller, 10_000n);
  return caller;
}

async function quoteOf(caller: Caller, currency = 'USDT'): Promise<string> {
  const quote = (await redemptions.rate(caller, 'SC', currency))?.agreed?.quote;
  if (quote === undefined) throw new Error('There is no quote');
  return quote;
}

async function intentOf(caller: Caller, more: Partial<CreateWithdrawal['request']> = {}): Promise<CreateWithdrawal> {
  return {
    caller,
    request: {
      withdrawalId: randomUUID(),
      amount: '100.00',
      currency: 'SC',
      paymentMethod: 'redeem_usdt',
      fields: { wallet: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC' },
      accountType: 'main',
      quote: await quoteOf(caller),
      ...more,
    },
  };
}

const redeem = (intent: CreateWithdrawal) => bench.payments.withdrawals.create(intent);
const confirm = ({ caller, request }: CreateWithdrawal) =>
  bench.payments.withdrawals.confirm(caller, request.withdrawalId);
/** 100.00 minus the fee of 1.00, in USDT. */
const paid = { currency: 'USDT', paidMinor: 9_900_000_000n };

describe('[SWP-2] coins granted by the operator', () => {
  test('are credited once per id, and another grant with the same id is refused', async () => {
    const caller = newUser();
    const grantId = randomUUID();
    const all = await Promise.all(Array.from({ length: 10 }, () => give(caller, 500n, { grantId })));
    for (const state of all) expect(state).toEqual({ balance: 500n, unplayed: 500n, redeemable: 0n });
    expect((await failureOf(give(caller, 501n, { grantId }))).code).toBe('idempotency-conflict');
    expect((await failureOf(give(newUser(), 500n, { grantId }))).code).toBe('idempotency-conflict');
    await give(caller, 7n, { coin: 'GC' });
    expect(await walletOf(database, caller)).toEqual({ GC: 7n, SC: 500n, INR: 0n, held: 0n });
    expect(await coinState(database, 'op', caller.userId, 'GC')).toEqual({ balance: 7n, unplayed: 0n, redeemable: 0n });
  });
});

test('[SWP-2] coins that are granted during a redemption keep back none that were played', async () => {
  const caller = await player();
  const meanwhile = betweenReads(database, () => give(caller, 5_000n));
  const { payments } = createBench(meanwhile, { redemptions });
  const intent = await intentOf(caller);
  expect((await failureOf(payments.withdrawals.create(intent))).code).toBe('ok');
});

describe('[SWP-2] play', () => {
  test('frees coins up to the staked amount, changes the balance, and counts once per id', async () => {
    const caller = newUser();
    await give(caller, 1_000n);
    expect(await play(caller, 400n, 100n)).toEqual({ balance: 700n, unplayed: 600n, redeemable: 100n });
    const playId = randomUUID();
    const all = await Promise.all(Array.from({ length: 10 }, () => play(caller, 500n, 900n, playId)));
    for (const state of all) expect(state).toEqual({ balance: 1_100n, unplayed: 100n, redeemable: 1_000n });
    expect((await failureOf(play(caller, 500n, 901n, playId))).code).toBe('idempotency-conflict');
    expect(await failureOf(play(caller, 1_101n))).toMatchObject({
      code: 'insufficient-funds',
      params: { max: '11.00' },
    });
    expect(await play(caller, 1_100n, 1_100n)).toEqual({ balance: 1_100n, unplayed: 0n, redeemable: 1_100n });
  });

  test('is required as often as the operator says', async () => {
    await database.query({
      text: `insert into operator (id, partner_key, name, settings)
        values ('strict', 'strict', 'Strict', '{"sweepstake":{"playthrough":"3"}}')`,
    });
    const userId = newUser().userId;
    const grant = { operatorId: 'strict', userId, coin: 'SC', grantId: randomUUID(), amount: 1_000n } as const;
    expect(await grantCoins(database, grant)).toEqual({ balance: 1_000n, unplayed: 3_000n, redeemable: 0n });
    const played = {
      operatorId: 'strict',
      userId,
      coin: 'SC',
      playId: randomUUID(),
      staked: 1_000n,
      won: 1_000n,
    } as const;
    expect(await reportPlay(database, played)).toEqual({ balance: 1_000n, unplayed: 2_000n, redeemable: 0n });
  });

  test('is written once: no play can be changed or removed', async () => {
    await play(await player(), 1n);
    for (const text of ['update coin_play set staked = 1000000', 'delete from coin_play']) {
      await expect(database.query({ text }).catch((error: unknown) => constraintOf(error))).resolves.toBe(
        'ledger_immutable',
      );
    }
  });
});

describe('[SWP-2] a redemption', () => {
  test('holds the coins, sends the payout amount to the provider, and books both currencies once when paid', async () => {
    const caller = await player();
    const intent = await intentOf(caller);
    const answer = await redeem(intent);
    expect(answer).toMatchObject({
      status: transactionStatusCodes.waiting,
      fee: '1.00',
      receives: '99.00',
      payout: { currency: 'USDT', amount: '99.00000000', rate: '1' },
    });
    expect(await redeem(intent)).toEqual(answer);
    expect(await walletOf(database, caller)).toMatchObject({ SC: 0n, held: 10_000n });
    await confirm(intent);
    const { withdrawalId } = intent.request;
    expect(bench.provider.withdraws).toMatchObject([
      { withdrawalId, amountMinor: 10_000n, receivesMinor: 9_900_000_000n, currency: 'USDT' },
    ]);
    const [spent, clearing, kept] = await Promise.all([
      bookOf(database, 'USDT', 'coin_redemption'),
      bookOf(database, 'USDT', 'provider_clearing', { userId: 'fake' }),
      bookOf(database, 'SC', 'withdrawal_fee'),
    ]);
    const report = reportOn(withdrawalId, paid);
    await Promise.all(Array.from({ length: 5 }, () => bench.payments.withdrawals.apply(report)));
    await bench.payments.receiveCallback('fake', callbackOf({ ...report, eventId: randomUUID() }));
    await bench.payments.runDueWork();
    expect(await walletOf(database, caller)).toEqual({ GC: 0n, SC: 0n, INR: 0n, held: 0n });
    expect((await bookOf(database, 'USDT', 'coin_redemption')) - spent).toBe(-9_900_000_000n);
    expect((await bookOf(database, 'USDT', 'provider_clearing', { userId: 'fake' })) - clearing).toBe(9_900_000_000n);
    expect((await bookOf(database, 'SC', 'withdrawal_fee')) - kept).toBe(100n);
    expect(await bench.payments.withdrawals.status(caller, withdrawalId)).toMatchObject({
      status: transactionStatusCodes.processed,
      payout: { currency: 'USDT', amount: '99.00000000' },
    });
    const [hook] = await database.query<{ body: { data: object } }>({
      text: `select body::jsonb as body from webhook_delivery where withdrawal_id = $1 and type = 'withdrawal.processed'`,
      values: [withdrawalId],
    });
    expect(hook?.body.data).toMatchObject({ currency: 'SC', payout: { currency: 'USDT', amount: '99.00000000' } });
  });

  test('that is refused, unconfirmed or cancelled returns all coins', async () => {
    const caller = await player();
    const refused = await intentOf(caller);
    await redeem(refused);
    bench.provider.onWithdraw = async () => ({ kind: 'declined', code: 'closed' });
    expect((await failureOf(confirm(refused))).code).not.toBe('ok');
    expect(await walletOf(database, caller)).toMatchObject({ SC: 10_000n, held: 0n });

    const later = await intentOf(caller);
    bench.provider.onWithdraw = async ({ withdrawalId }) => ({ kind: 'accepted', providerRef: refOf(withdrawalId) });
    await redeem(later);
    await confirm(later);
    await bench.payments.withdrawals.apply(reportOn(later.request.withdrawalId, { outcome: 'declined' }));
    const cancelled = await intentOf(caller);
    await redeem(cancelled);
    await bench.payments.withdrawals.cancel(caller, cancelled.request.withdrawalId);
    const forgotten = await intentOf(caller);
    await redeem(forgotten);
    await database.query({
      text: `update withdrawal set expires_at = now() - interval '1 hour' where client_key = $1`,
      values: [forgotten.request.withdrawalId],
    });
    await bench.payments.runDueWork();
    expect(await walletOf(database, caller)).toMatchObject({ SC: 10_000n, held: 0n });
    expect(await coinState(database, 'op', caller.userId, 'SC')).toMatchObject({ unplayed: 0n, redeemable: 10_000n });
  });

  test('that was paid and comes back returns the coins with their fee, and reverses its bookings', async () => {
    const caller = await player();
    const intent = await intentOf(caller);
    const before = await bookOf(database, 'USDT', 'coin_redemption');
    await redeem(intent);
    await confirm(intent);
    await bench.payments.withdrawals.apply(reportOn(intent.request.withdrawalId, paid));
    const returned = reportOn(intent.request.withdrawalId, { ...paid, outcome: 'returned' });
    expect(await bench.payments.withdrawals.apply(returned)).toMatchObject({ outcome: 'moved' });
    expect(await walletOf(database, caller)).toMatchObject({ SC: 10_000n, held: 0n });
    expect(await bookOf(database, 'USDT', 'coin_redemption')).toBe(before);
  });

  test('that is paid after its coins were returned goes to staff: charged to the user, or borne by the operator', async () => {
    for (const [decision, left, spent] of [
      ['charge', 0n, -9_900_000_000n],
      ['bear', 10_000n, 0n],
    ] as const) {
      const caller = await player();
      const intent = await intentOf(caller);
      const before = await bookOf(database, 'USDT', 'coin_redemption');
      await redeem(intent);
      await confirm(intent);
      const { withdrawalId } = intent.request;
      await bench.payments.withdrawals.apply(reportOn(withdrawalId, { outcome: 'declined' }));
      expect(await walletOf(database, caller)).toMatchObject({ SC: 10_000n, held: 0n });
      await bench.payments.withdrawals.apply(reportOn(withdrawalId, paid));
      expect(await walletOf(database, caller)).toMatchObject({ SC: 10_000n, held: 0n });
      await bench.payments.settleLatePayout({ operatorId: 'op', id: withdrawalId }, decision, 'eve');
      expect(await walletOf(database, caller)).toMatchObject({ SC: left, held: 0n });
      expect((await bookOf(database, 'USDT', 'coin_redemption')) - before).toBe(spent);
      expect(await bookOf(database, 'USDT', 'suspense')).toBe(0n);
    }
  });

  test.each(['pass-through', 'operator'])(
    'works in the mode %s: the ledger has the coins, no wallet is asked',
    async (mode) => {
      await database.query({
        text: `update operator set wallet_mode = $1, wallet_url = 'https://wallet.example' where id = 'op'`,
        values: [mode],
      });
      try {
        const caller = await player();
        const declined = await intentOf(caller);
        await redeem(declined);
        await confirm(declined);
        await bench.payments.withdrawals.apply(reportOn(declined.request.withdrawalId, { outcome: 'declined' }));
        expect(await walletOf(database, caller)).toMatchObject({ SC: 10_000n, held: 0n });
        const intent = await intentOf(caller);
        expect(await redeem(intent)).toMatchObject({ status: 0, payout: { currency: 'USDT', amount: '99.00000000' } });
        await confirm(intent);
        await bench.payments.withdrawals.apply(reportOn(intent.request.withdrawalId, paid));
        expect(await walletOf(database, caller)).toEqual({ GC: 0n, SC: 0n, INR: 0n, held: 0n });
        const asked = await database.query({
          text: 'select 1 from operator_wallet_call where user_id = $1',
          values: [caller.userId],
        });
        expect(asked).toEqual([]);
        expect((await auditLedger(database)).faults).toEqual([]);
      } finally {
        await database.query({ text: `update operator set wallet_mode = 'cashier' where id = 'op'` });
      }
    },
  );

  test('with another amount from the provider goes to staff', async () => {
    const intent = await intentOf(await player());
    await redeem(intent);
    await confirm(intent);
    const { withdrawalId } = intent.request;
    for (const wrong of [
      { currency: 'SC', paidMinor: 9_900n },
      { currency: 'USDT', paidMinor: 9_900_000_001n },
    ]) {
      expect(await bench.payments.withdrawals.apply(reportOn(withdrawalId, wrong))).toMatchObject({
        outcome: 'unmatched',
      });
    }
  });

  test('is limited to the played coins and to the balance, and never possible for gold', async () => {
    const caller = newUser();
    await give(caller, 10_000n);
    await play(caller, 6_000n);
    expect(await failureOf(redeem(await intentOf(caller, { amount: '60.01' })))).toMatchObject({
      code: 'playthrough-required',
      params: { max: '60.00', unplayed: '40.00' },
    });
    expect(await failureOf(redeem(await intentOf(caller, { amount: '100.01' })))).toMatchObject({
      code: 'insufficient-funds',
      params: { max: '100.00' },
    });
    await give(caller, 10_000n, { coin: 'GC' });
    const gold = await intentOf(caller, { currency: 'GC', amount: '60.00' });
    expect((await failureOf(redeem(gold))).code).toBe('method-unavailable');
    expect(await failureOf(redeem(await intentOf(caller, { amount: '60.00' })))).toEqual({ code: 'ok' });
    expect(await walletOf(database, caller)).toEqual({ GC: 10_000n, SC: 4_000n, INR: 0n, held: 6_000n });
  });

  test('of fifty concurrent redemptions of the whole amount one succeeds', async () => {
    const caller = newUser();
    await give(caller, 20_000n);
    await play(caller, 10_000n);
    const intents = await Promise.all(Array.from({ length: 50 }, () => intentOf(caller)));
    const results = await Promise.all(intents.map((intent) => failureOf(redeem(intent))));
    expect(results.filter(({ code }) => code === 'ok')).toHaveLength(1);
    expect(new Set(results.map(({ code }) => code))).toEqual(new Set(['ok', 'playthrough-required']));
    expect(await walletOf(database, caller)).toMatchObject({ SC: 10_000n, held: 10_000n });
  });
});

describe('[SWP-2] a quote', () => {
  test('is honoured for its minute at the rate on the screen, and afterwards a new quote is offered', async () => {
    const caller = await player();
    const intent = await intentOf(caller, { amount: '60.00' });
    clock.advance(QUOTE_LIFETIME_S * 1_000 - 1);
    expect(await failureOf(redeem(intent))).toEqual({ code: 'ok' });
    const later = await intentOf(caller, { amount: '40.00' });
    clock.advance(QUOTE_LIFETIME_S * 1_000);
    const failure = await failureOf(redeem(later));
    expect(failure).toMatchObject({
      code: 'rate-stale',
      params: { rate: '1', amount: '39.00000000', currency: 'USDT' },
    });
    expect(await walletOf(database, caller)).toMatchObject({ SC: 4_000n, held: 6_000n });
    const fresh = { ...later, request: { ...later.request, quote: failure.params?.['quote'] } };
    expect(await failureOf(redeem(fresh))).toEqual({ code: 'ok' });
  });

  test('of another user or currency, forged or missing is invalid', async () => {
    const caller = await player();
    const own = await quoteOf(caller);
    const [content = '', mac = ''] = own.split('.');
    const dear = Buffer.from(JSON.stringify(['USDT', '1000', clock.now() + 1_000])).toString('base64url');
    for (const quote of [
      undefined,
      '',
      'rubbish',
      `${dear}.${mac}`,
      `${content}.`,
      await quoteOf(newUser()),
      await quoteOf(caller, 'BTC'),
    ]) {
      expect((await failureOf(redeem(await intentOf(caller, { quote })))).code, quote).toBe('rate-stale');
    }
  });

  test('ends when its rate becomes stale; without a rate nothing is redeemed and nothing is held', async () => {
    const caller = await player();
    await rates.setMood('stopped', 299_000);
    const intent = await intentOf(caller);
    clock.advance(1_000);
    expect(await failureOf(redeem(intent))).toEqual({ code: 'rate-stale' });
    await rates.setMood('down');
    expect(await failureOf(redeem(intent))).toEqual({ code: 'rate-stale' });
    expect(await walletOf(database, caller)).toMatchObject({ SC: 10_000n, held: 0n });
  });
});

test('[SRV-2] after all tests no asset was created or lost, and unplayed coins match the journals and plays', async () => {
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
  const wrong = await database.query({
    text: `select 1 from playthrough
      where granted <> (select coalesce(sum(amount), 0) from posting join account on account.id = account_id
          join journal on journal.id = journal_id
        where account.operator_id = playthrough.operator_id and owner = user_id and account.asset = 'SC'
          and account.kind = 'user' and journal.kind in ('deposit_credit', 'coin_grant', 'deposit_reversal'))
        or played <> (select coalesce(sum(staked), 0) from coin_play
          where coin_play.operator_id = playthrough.operator_id and coin_play.user_id = playthrough.user_id and asset = 'SC')`,
  });
  expect(wrong).toEqual([]);
});
