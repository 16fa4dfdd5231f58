import { randomBytes, randomUUID } from 'node:crypto';
import { systemClock } from '@opencashier/core/time/clock';
import { Address } from '@ton/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { silentLogger } from '../database/testing/test-database.ts';
import { accountBalance, userBalance } from '../ledger/ledger.ts';
import { reviewPage } from '../operator-api/money/reviews.ts';
import { ann, commandOf } from '../payments/testing/payments.fixture.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import { createCryptoProvider } from '../providers/crypto/crypto.ts';
import { FakeChain } from '../providers/crypto/testing/fake-chain.ts';
import { FakeNode } from '../providers/crypto/testing/fake-node.ts';
import { commentBody, encryptedBody } from '../providers/crypto/testing/ton-bodies.ts';
import { tonMemo } from '../providers/crypto/ton/ton-wallet.ts';
import type { Provider } from '../providers/provider.ts';
import { createCoinBench } from './coin-bench.fixture.ts';

const REQUIRED = 3;
const TON = 1_000_000_000n;
/** The balance in the ledger. */
const COIN = 100_000_000n;

let database: Database;
let chain: FakeChain;
let node: FakeNode;
let wallet: string;
let provider: Provider;
let payments: ReturnType<typeof createCoinBench>['payments'];
withPayments((made) => {
  ({ database } = made);
});
beforeEach(async () => {
  chain = new FakeChain();
  node = new FakeNode('ton', chain);
  wallet = new Address(0, randomBytes(32)).toString({ bounceable: false });
  start([await node.open()]);
});
afterEach(async () => {
  await node.close();
  await database.query({ text: 'delete from crypto_output' });
  await database.query({ text: 'delete from crypto_address' });
  await database.query({ text: 'delete from crypto_chain' });
});

function start(urls: readonly string[], operator?: string): void {
  const ton = {
    nodes: urls.map((url) => ({ url, headers: {} })),
    account: wallet,
    tokens: {},
    isCoinWatched: true,
    confirmations: REQUIRED,
    questionsPerSecond: 1000,
    ...(operator !== undefined && { operator }),
  };
  provider = createCryptoProvider({ database, clock: systemClock, log: silentLogger, settings: { chains: { ton } } });
  ({ payments } = createCoinBench(database, provider, {
    providerOptions: { network: 'ton' },
    amount_rules: { TON: { min: '0.5', max: '500' } },
  }));
}

async function reopened(): Promise<string> {
  await node.close();
  node = new FakeNode('ton', chain);
  return node.open();
}

/** Mines a block and runs a round of the watcher. */
async function mine(count = 1): Promise<void> {
  chain.mine(count);
  await database.query({ text: `update crypto_chain set next_at = '-infinity'` });
  await provider.watch?.round((report) => payments.apply(report));
}

async function openDeposit() {
  const caller = { ...ann, userId: `user-${randomUUID()}`, currency: 'TON' };
  const { apiResponse } = await payments.createDeposit(
    commandOf({ amount: '0.5', currency: 'TON', paymentType: 'coin' }, caller),
  );
  await mine();
  const { depositAddress, depositMemo = '', qrCodeText } = apiResponse.data ?? {};
  return {
    memo: depositMemo,
    depositAddress,
    qrCodeText,
    balance: () => userBalance(database, 'op', caller.userId, 'TON'),
  };
}
const send = (memo: string, raw: bigint, ton = {}) => chain.send({ to: `${wallet}/${memo}`, raw, ton });
const reviews = async () => (await reviewPage(database, 'op', { limit: 50 })).reviews;
const suspense = () => accountBalance(database, 'op', { owner: '', asset: 'TON', kind: 'suspense' });
const sentBack = async (): Promise<void> => {
  for (const { id } of await reviews()) await payments.resolveReview({ operatorId: 'op', id }, 'refund', 'eve');
};

describe('[SRV-4] [CRY-2] one wallet of TON for everybody', () => {
  test('[CRY-5] shows the wallet, a memo of the deposit\u2019s own, and the link with both; pays each to its own', async () => {
    const [one, other] = [await openDeposit(), await openDeposit()];
    expect([one.depositAddress, other.depositAddress]).toEqual([wallet, wallet]);
    expect(one.memo).not.toBe(other.memo);
    expect(one.qrCodeText).toBe(`ton://transfer/${wallet}?amount=500000000&text=${one.memo}`);
    send(other.memo, TON);
    send('', 2n * TON, { body: commentBody(` ${one.memo.toLowerCase().slice(0, 6)} ${one.memo.slice(6)}`) });
    await mine(REQUIRED);
    expect([await one.balance(), await other.balance()]).toEqual([2n * COIN, COIN]);
    expect(await reviews()).toEqual([]);
  });

  test('a node of the test network, whose coins cost nothing, is not listened to until it is another', async () => {
    const { memo, balance } = await openDeposit();
    chain.globalId = -3;
    send(memo, TON);
    await mine(REQUIRED);
    expect([await balance(), await reviews()]).toEqual([0n, []]);
    chain.globalId = -239;
    await mine();
    expect(await balance()).toBe(COIN);
  });

  test('[SRV-2] a memo stays its deposit\u2019s when it is not watched any more: nothing is booked twice, or as nobody\u2019s', async () => {
    const { memo, balance } = await openDeposit();
    const before = await suspense();
    send(memo, TON);
    await mine();
    await database.query({ text: 'update crypto_address set watched_until = now()' });
    await mine(REQUIRED);
    expect([await balance(), await reviews(), await suspense()]).toEqual([COIN, [], before]);
    send(memo, 2n * TON);
    await mine(REQUIRED);
    expect([await balance(), await reviews(), await suspense()]).toEqual([3n * COIN, [], before]);
  });

  test('money without a memo, or with an unknown one, is left to staff and credited to nobody', async () => {
    const { balance } = await openDeposit();
    send('', TON);
    send(tonMemo(wallet, { branch: 0, index: 999 }), 2n * TON);
    send('', 3n * TON, { body: encryptedBody() });
    send('', 4n * TON, { body: commentBody(Buffer.from([0xff, 0x00])) });
    await mine(REQUIRED - 1);
    expect(await reviews()).toEqual([]);
    await mine();
    await mine(5);
    const listed = await reviews();
    expect(listed.map(({ reason, userId, suspense: [money] }) => [reason, userId, money?.amount]).sort()).toEqual(
      ['1', '2', '3', '4'].map((coins) => ['unassigned', '', `${coins}.00000000`]),
    );
    expect(listed[0]?.decisions).toEqual(['refund']);
    expect(await suspense()).toBe(10n * COIN);
    expect(await balance()).toBe(0n);
    await expect(
      payments.resolveReview({ operatorId: 'op', id: listed[0]?.id ?? '' }, 'credit', 'eve'),
    ).rejects.toThrow(/names no user/);
    await sentBack();
    expect(await suspense()).toBe(0n);
    expect(await reviews()).toEqual([]);
  });

  test('advertising of strangers, in the smallest amounts, asks nobody', async () => {
    await openDeposit();
    for (let count = 0; count < 20; count += 1) send('', 1n, { body: commentBody('claim your prize') });
    send('', TON / 100n - 10n);
    await mine(REQUIRED + 1);
    expect(await reviews()).toEqual([]);
  });

  test('less than the minimum under a memo is a matter of its deposit', async () => {
    const { memo, balance } = await openDeposit();
    send(memo, TON / 4n);
    await mine(REQUIRED);
    expect(await reviews()).toMatchObject([{ reason: 'below-minimum', decisions: ['credit', 'refund'] }]);
    expect(await balance()).toBe(0n);
    await sentBack();
  });

  test('a fork that takes money of nobody\u2019s away ends its review', async () => {
    await openDeposit();
    send('', TON);
    await mine(REQUIRED);
    expect(await reviews()).toHaveLength(1);
    chain.fork(REQUIRED + 1, 'lost');
    await mine();
    await mine(REQUIRED);
    expect(await reviews()).toEqual([]);
    expect(await suspense()).toBe(0n);
  });

  test('a second node must also report money without an owner', async () => {
    const silent = new FakeNode('ton', chain.copy({ isEmpty: true }));
    const agreeing = new FakeNode('ton', chain);
    const url = await reopened();
    start([url, await silent.open()]);
    await openDeposit();
    send('', TON);
    await mine(REQUIRED);
    expect(await reviews()).toEqual([]);
    start([url, await agreeing.open()]);
    await mine();
    expect(await reviews()).toHaveLength(1);
    await sentBack();
    await Promise.all([silent.close(), agreeing.close()]);
  });

  test('of several operators the one that the settings name has the review, and without a name nobody', async () => {
    await database.query({ text: `insert into operator (id, partner_key, name) values ('two', 'pk-two', 'Other')` });
    await openDeposit();
    send('', TON);
    await mine(REQUIRED);
    expect(await reviews()).toEqual([]);
    expect(await suspense()).toBe(0n);
    const parked = { text: `select 1 from deposit_event where status = 'parked' and outcome = 'unknown-deposit'` };
    expect(await database.query(parked)).toHaveLength(1);
    start([await reopened()], 'pk-two');
    send('', 2n * TON);
    await mine(REQUIRED);
    expect(await reviews()).toEqual([]);
    const ofTwo = (await reviewPage(database, 'two', { limit: 50 })).reviews;
    expect(ofTwo).toMatchObject([{ reason: 'unassigned', suspense: [{ amount: '2.00000000' }] }]);
  });
});
