/** Payouts on TON by an external signer, on a chain in memory that checks orders as the wallet contract does. Its nodes lie and are late. */
import { systemClock } from '@opencashier/core/time/clock';
import { Address } from '@ton/core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { FakeTon, newTonAddress } from '../providers/crypto/testing/fake-ton.ts';
import { type SignerMood, TestSigner } from '../providers/crypto/testing/test-signer.ts';
import { TonLedger } from '../providers/crypto/testing/ton-ledger.ts';
import { readTonMessage } from '../providers/crypto/ton/ton-message.ts';
import { TonSource } from '../providers/crypto/ton/ton-source.ts';
import { createPayoutBench, type PayoutBench, type PayoutBenchOptions } from './coin-payouts.fixture.ts';
import { MASTER, ofTonWallet, orderByHand, rawWallet, wallet } from './ton-wallet.fixture.ts';

const REQUIRED = 3;
/** Blocks until the last message of a payout is deep enough. */
const LONG_ENOUGH = REQUIRED + 3;
const PENDING = 3;
const DAY_S = 86_400;
/** 0.5 of a coin of nine decimals, and in the ledger's unit. */
const HALF = 500_000_000n;
const HALF_MINOR = 50_000_000n;

let ledger: TonLedger;
let node: FakeTon;
let second: FakeTon;
let nodeUrls: string[];
let opened: TestDatabase;
let database: Database;
let signer: TestSigner;
let signerUrl: string;
let bench: PayoutBench;
let errors: string[];
let warnings: string[];
let next = 0;

const newPayee = (bounceable = false): string => newTonAddress(++next, { bounceable });
const paidTo = (address: string): bigint => ledger.account(address).balance;

function open(more: Partial<PayoutBenchOptions> = {}): PayoutBench {
  const log = {
    ...silentLogger,
    warn: (_fields: object, message: string) => void warnings.push(message),
    error: (_fields: object, message: string) => void errors.push(message),
  };
  return createPayoutBench({
    database,
    clock: { ...systemClock, now: () => Date.now() + ledger.laterS * 1000 },
    log,
    nodes: nodeUrls,
    signer: signerUrl,
    ...ofTonWallet(REQUIRED),
    ...more,
    payouts: { mostFee: '0.2', ...more.payouts },
  });
}

async function mine(count = 1): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    ledger.mine();
    await bench.round();
  }
}

beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  await seedOperator(database);
  ledger = new TonLedger();
  [node, second] = [new FakeTon(ledger), new FakeTon(ledger)];
  signer = new TestSigner();
  signer.now = () => Date.now() + ledger.laterS * 1000;
  nodeUrls = await Promise.all([node.open(), second.open()]);
  signerUrl = await signer.open();
  ledger.fund(wallet, 1_000_000_000_000n);
  ledger.giveJettons(wallet, MASTER, 1_000_000_000n);
});
afterAll(async () => {
  await Promise.all([node?.close(), second?.close(), signer?.close()]);
  await opened?.drop();
});
beforeEach(() => {
  [errors, warnings] = [[], []];
  signer.mood = 'well';
  signer.requests.length = 0;
  for (const one of [node, second])
    Object.assign(one, { isForgetful: false, lateBy: 0, tells: (told: unknown) => told });
  bench = open();
});

test('[WD-2] the first order brings the contract along, is signed outside, and pays exactly once', async () => {
  expect(ledger.account(wallet).isActive).toBe(false);
  // An address that nobody has used could only bounce. It gets its coins all the same.
  const address = newPayee(true);
  const { status, held, payout } = await bench.cashOut('TON', '0.5', address);
  await bench.round();
  expect(await payout()).toMatchObject({ state: 'broadcast' });
  expect(signer.requests).toMatchObject([
    { chain: 'ton', format: 'ton-v4r2', wallet, pays: { coin: 'TON', address, units: String(HALF) } },
  ]);
  await mine();
  expect(await payout()).toMatchObject({ state: 'seen' });
  await mine(2);
  expect([await status(), await held()]).toEqual([PENDING, HALF_MINOR]);
  await mine(LONG_ENOUGH);
  expect([await status(), await held(), paidTo(address)]).toEqual([1, 0n, HALF]);
  expect(ledger.account(wallet)).toMatchObject({ isActive: true, seqno: 1 });
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});

test('[WD-2] a memo reaches the recipient and the signer, and a payout without one has no comment', async () => {
  const address = newPayee();
  const { status } = await bench.cashOut('TON', '0.5', address, 'op', 'A/42');
  await bench.round();
  await mine(LONG_ENOUGH);
  expect(await status()).toBe(1);
  expect(signer.requests[0]?.pays).toMatchObject({ address, memo: 'A/42' });
  const arrived = ledger.transactions.findLast(({ account }) => account === Address.parse(address).toRawString());
  const comment = readTonMessage(arrived?.in.body.toBoc().toString('base64'));
  expect(comment).toEqual({ kind: 'comment', comment: 'A/42' });
});

test('[WD-2] jettons are followed to the recipient, and the stored fee is what the transfer kept', async () => {
  const address = newPayee();
  const before = ledger.account(wallet).balance;
  const { status, payout } = await bench.cashOut('USDT', '12.5', address, 'op', '77');
  await bench.round();
  expect(signer.requests[0]?.pays).toMatchObject({ contract: MASTER, address, memo: '77', units: '12500000' });
  await mine(2);
  expect([await status(), ledger.jettonsOf(address, MASTER)?.raw]).toEqual([PENDING, 0n]);
  await mine(LONG_ENOUGH);
  expect([await status(), ledger.jettonsOf(address, MASTER)?.raw]).toEqual([1, 12_500_000n]);
  const { id = '' } = (await payout()) ?? {};
  const [row] = await database.query<{ fee: string }>({
    text: 'select fee::text as fee from coin_payout where withdrawal_id = $1',
    values: [id],
  });
  // The chain in memory charges no fee for forwarding.
  expect(BigInt(row?.fee ?? 0) - 266_669n).toBe(before - ledger.account(wallet).balance);
});

test('[WD-2] several payouts have one seqno after the other, and each is paid once', async () => {
  const payees = Array.from({ length: 5 }, () => newPayee());
  const before = ledger.account(wallet).seqno;
  const paid = await Promise.all(payees.map((address) => bench.cashOut('TON', '0.5', address)));
  await bench.round();
  // The wallet takes one order at a time. The others wait for their turn, which is not worth a warning.
  expect([ledger.waiting, warnings]).toEqual([2, []]);
  await mine(5 + LONG_ENOUGH);
  expect(await Promise.all(paid.map(({ status }) => status()))).toEqual([1, 1, 1, 1, 1]);
  expect(payees.map(paidTo)).toEqual(payees.map(() => HALF));
  expect(ledger.account(wallet).seqno).toBe(before + 5);
});

describe('money that does not arrive', () => {
  test('[WD-2] a contract returns coins: the payout has certainly failed, and the amount returns', async () => {
    const address = newPayee(true);
    ledger.putRefusing(address);
    const { status, held, payout, free } = await bench.cashOut('TON', '0.5', address);
    const before = await free();
    await bench.round();
    await mine(LONG_ENOUGH);
    expect(await payout()).toMatchObject({ state: 'failed', reason: 'refused-by-chain' });
    expect([await status(), await held(), paidTo(address)]).toEqual([2, 0n, 0n]);
    expect(await free()).toBe(before + HALF_MINOR);
  });

  test('[WD-2] jettons that a blocked account returns: the amount returns, and the wallet has its tokens again', async () => {
    const address = newPayee();
    ledger.block(address);
    const before = ledger.jettonsOf(wallet, MASTER)?.raw;
    const { status, payout } = await bench.cashOut('USDT', '12.5', address);
    await bench.round();
    await mine(LONG_ENOUGH);
    expect([await payout(), await status()]).toMatchObject([{ state: 'failed' }, 2]);
    expect(ledger.jettonsOf(wallet, MASTER)?.raw).toBe(before);
  });

  test('[WD-2] money that left the wallet meanwhile: the seqno is spent, nobody is paid, and the amount returns', async () => {
    const address = newPayee();
    const { status, payout } = await bench.cashOut('TON', '0.5', address);
    await bench.round();
    const { balance } = ledger.account(wallet);
    ledger.account(wallet).balance = 10_000_000n;
    await mine(LONG_ENOUGH);
    ledger.account(wallet).balance = balance;
    expect([await payout(), await status(), paidTo(address)]).toMatchObject([{ state: 'failed' }, 2, 0n]);
  });
});

describe('a node that is wrong', () => {
  test('[WD-2] that forgets orders gets them again', async () => {
    node.isForgetful = second.isForgetful = true;
    const address = newPayee();
    const { status } = await bench.cashOut('TON', '0.5', address);
    await bench.round();
    expect(ledger.waiting).toBe(0);
    node.isForgetful = second.isForgetful = false;
    await bench.round();
    await mine(LONG_ENOUGH);
    expect([await status(), paidTo(address), signer.requests.length]).toEqual([1, HALF, 1]);
  });

  test('[WD-2] that claims a bounce, alone, ends no payout', async () => {
    const address = newPayee(true);
    ledger.account(address).isActive = true;
    node.tells = (one) =>
      one.account === Address.parse(address).toRawString().toUpperCase()
        ? { ...one, description: { type: 'ord', aborted: true, bounce: { type: 'ok' } } }
        : one;
    const { status, payout } = await bench.cashOut('TON', '0.5', address);
    await bench.round();
    await mine(LONG_ENOUGH);
    expect([(await payout())?.state, await status(), warnings.length > 0]).toEqual(['seen', PENDING, true]);
    node.tells = (one) => one;
    await mine();
    expect([await status(), paidTo(address)]).toEqual([1, HALF]);
  });

  test('[WD-2] that shows an order without its message proves neither a payment nor a failure', async () => {
    for (const one of [node, second])
      one.tells = (told) => (told.in_msg.source === null ? { ...told, out_msgs: [] } : told);
    const address = newPayee();
    const { status, payout } = await bench.cashOut('TON', '0.5', address);
    await bench.round();
    await mine(LONG_ENOUGH);
    expect([(await payout())?.state, await status()]).toEqual(['broadcast', PENDING]);
    for (const one of [node, second]) one.tells = (told) => told;
    await mine();
    expect([await status(), paidTo(address)]).toEqual([1, HALF]);
  });

  test('[WD-2] whose index is late, or lacks one order of the wallet, displaces no payout', async () => {
    const [first, other] = [newPayee(), newPayee()];
    const paid = [await bench.cashOut('TON', '0.5', first), await bench.cashOut('TON', '0.5', other)];
    await bench.round();
    for (const one of [node, second]) one.lateBy = 4;
    await mine(3);
    expect(await Promise.all(paid.map(async ({ payout }) => (await payout())?.state))).toEqual([
      'broadcast',
      'broadcast',
    ]);
    const withheld = ledger.transactions.filter(({ in: order }) => order.source === null).at(-2)?.hash;
    for (const one of [node, second]) {
      one.lateBy = 0;
      one.tells = (told) => (told.hash === withheld ? undefined : told);
    }
    await mine(LONG_ENOUGH);
    expect([(await paid[0]?.payout())?.state, await paid[1]?.status()]).toEqual(['broadcast', 1]);
    for (const one of [node, second]) one.tells = (told) => told;
    await mine();
    expect([await paid[0]?.status(), paidTo(first), paidTo(other)]).toEqual([1, HALF, HALF]);
  });

  test('[WD-2] of another network gets no payout', async () => {
    node.globalId = -3;
    const { payout } = await bench.cashOut('TON', '0.5', newPayee());
    await bench.round();
    expect(await payout()).toMatchObject({ state: 'queued', reason: 'node-refused' });
    node.globalId = -239;
    await bench.round();
    await mine(LONG_ENOUGH);
    expect(await payout()).toMatchObject({ state: 'confirmed' });
  });
});

describe('time and other hands', () => {
  test('[WD-2] an order whose time is over is signed again for the same seqno, and pays once', async () => {
    node.isForgetful = second.isForgetful = true;
    const address = newPayee();
    const before = ledger.account(wallet).seqno;
    const { status } = await bench.cashOut('TON', '0.5', address);
    await bench.round();
    ledger.laterS = DAY_S + 1;
    node.isForgetful = second.isForgetful = false;
    await bench.round();
    await mine(LONG_ENOUGH);
    expect(signer.requests.map(({ version }) => version)).toEqual([1, 2]);
    expect([await status(), paidTo(address), ledger.account(wallet).seqno]).toEqual([1, HALF, before + 1]);
    ledger.laterS = 0;
  });

  test('[WD-2] an order by hand that takes the seqno holds the payout for staff, and pays nobody twice', async () => {
    node.isForgetful = second.isForgetful = true;
    const address = newPayee();
    const { status, held, payout } = await bench.cashOut('TON', '0.5', address);
    await bench.round();
    ledger.receive(orderByHand(ledger, newPayee(), HALF));
    await mine(LONG_ENOUGH);
    expect(await payout()).toMatchObject({ state: 'displaced', reason: 'slot-spent' });
    expect([await status(), await held(), paidTo(address)]).toEqual([PENDING, HALF_MINOR, 0n]);
    expect(errors).toEqual(['a transaction that is not ours spent what a payout had reserved']);
  });
});

describe('a signer that is wrong', () => {
  const wrong: readonly (readonly [SignerMood, string, string])[] = [
    ['other-recipient', 'TON', 'wrong-recipient'],
    ['other-amount', 'TON', 'wrong-amount'],
    ['other-nonce', 'TON', 'wrong-slot'],
    ['other-key', 'TON', 'wrong-sender'],
    ['higher-fee', 'USDT', 'wrong-fee'],
    ['other-recipient', 'USDT', 'wrong-recipient'],
  ];
  for (const [mood, coin, reason] of wrong) {
    test(`[WD-2] ${mood} of ${coin}: nothing is sent, the amount stays held, and the wallet stops`, async () => {
      signer.mood = mood;
      const address = newPayee();
      const { held, payout, status } = await bench.cashOut(coin, '0.5', address);
      await bench.round();
      expect(await payout()).toMatchObject({ state: 'refused', reason });
      expect([await held(), ledger.waiting]).toEqual([HALF_MINOR, 0]);
      signer.mood = 'well';
      const later = await bench.cashOut('TON', '0.5', newPayee());
      await bench.round();
      expect(await later.payout()).toMatchObject({ state: 'queued' });
      await database.query({ text: `update coin_payout set state = 'prepared' where state = 'refused'` });
      await bench.round();
      await mine(LONG_ENOUGH + 1);
      expect([await status(), await later.status()]).toEqual([1, 1]);
    });
  }

  for (const mood of ['garbage', 'drops-answer', 'later'] as const) {
    test(`[WD-2] ${mood}: the same order is asked for until it is signed, and paid once`, async () => {
      signer.mood = mood;
      const address = newPayee();
      const { status } = await bench.cashOut('TON', '0.5', address);
      await bench.round();
      await bench.round();
      signer.mood = 'well';
      await bench.round();
      await mine(LONG_ENOUGH);
      expect(new Set(signer.requests.map(({ unsigned }) => unsigned)).size).toBe(1);
      expect([await status(), paidTo(address)]).toEqual([1, HALF]);
    });
  }
});

describe('limits and mistakes', () => {
  test('[WD-2] a payout over the limit of an hour waits, and goes on when the limit allows it', async () => {
    await database.query({
      text: `update coin_payout set prepared_at = now() - interval '2 days' where prepared_at is not null`,
    });
    bench = open({ payouts: { limits: { TON: { hour: '0.7' } } } });
    const [first, other] = [
      await bench.cashOut('TON', '0.5', newPayee()),
      await bench.cashOut('TON', '0.5', newPayee()),
    ];
    await bench.round();
    await mine(LONG_ENOUGH);
    expect([await first.status(), await other.payout()]).toMatchObject([1, { state: 'queued', reason: 'hour-limit' }]);
    bench = open();
    await bench.round();
    await mine(LONG_ENOUGH);
    expect(await other.status()).toBe(1);
  });

  test('[WD-2] payouts of jettons wait for coins that pay their fees, and go on by themselves', async () => {
    const { balance } = ledger.account(wallet);
    ledger.account(wallet).balance = 100_000_000n;
    const { status, payout } = await bench.cashOut('USDT', '12.5', newPayee());
    await bench.round();
    expect(await payout()).toMatchObject({ state: 'queued', reason: 'low-coin' });
    ledger.account(wallet).balance = balance;
    await bench.round();
    await mine(LONG_ENOUGH);
    expect(await status()).toBe(1);
  });

  test('[WD-2] settings that no payout can keep fail at the start', () => {
    expect(() => open({ payouts: { mostFee: '0.05' } })).toThrow('at least 0.12');
    expect(() => open({ wallet })).toThrow('not a public key');
  });
});

test('[WD-2] nothing that came back to the hot wallet is a deposit', async () => {
  const source = new TonSource(
    { url: nodeUrls[0] ?? '' },
    { wallet, tokens: [MASTER], isCoinWatched: true, warn: () => undefined },
  );
  const came = ledger.transactions.filter(
    ({ account, in: { source: from } }) => account === rawWallet && from !== null,
  );
  expect(came.some(({ in: { bounced } }) => bounced)).toBe(true);
  expect(came.some(({ in: { bounced } }) => !bounced)).toBe(true);
  const found = [];
  for (let from = 101; from <= ledger.height; from += source.mostBlocks) {
    const to = Math.min(ledger.height, from + source.mostBlocks - 1);
    found.push(...((await source.scan({ wallets: async () => [] }, { from, to }))?.payments ?? []));
  }
  expect(found).toEqual([]);
});

test('[WD-2] the ledger is sound after all of it', async () => {
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});
