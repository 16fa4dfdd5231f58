/** A payment that vanishes before its credit, from the mempool or by a fork: it is replaced, dropped, or comes back. */
import { randomBytes, randomUUID } from 'node:crypto';
import { systemClock } from '@opencashier/core/time/clock';
import { HDKey } from '@scure/bip32';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { silentLogger } from '../database/testing/test-database.ts';
import { userBalance } from '../ledger/ledger.ts';
import { ann, type Bench, commandOf } from '../payments/testing/payments.fixture.ts';
import { depositStateOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import { createCryptoProvider } from '../providers/crypto/crypto.ts';
import { FakeChain } from '../providers/crypto/testing/fake-chain.ts';
import { FakeNode } from '../providers/crypto/testing/fake-node.ts';
import type { Provider } from '../providers/provider.ts';
import { createCoinBench } from './coin-bench.fixture.ts';

const REQUIRED = 3;
const HALF = 50_000_000n;

let database: Database;
let chain: FakeChain;
let node: FakeNode;
let provider: Provider;
let bench: Bench;
withPayments((made) => {
  ({ database } = made);
});
beforeEach(async () => {
  chain = new FakeChain();
  node = new FakeNode('esplora', chain);
  const bitcoin = {
    nodes: [{ url: await node.open(), headers: {} }],
    account: HDKey.fromMasterSeed(randomBytes(32)).derive("m/84'/0'/0'").publicExtendedKey,
    tokens: {},
    isCoinWatched: true,
    confirmations: REQUIRED,
    questionsPerSecond: 1000,
  };
  const settings = { chains: { bitcoin } };
  provider = createCryptoProvider({ database, clock: systemClock, log: silentLogger, settings });
  bench = createCoinBench(database, provider, {
    providerOptions: { network: 'btc' },
    amount_rules: { BTC: { min: '0.01', max: '500' } },
  });
});
afterEach(async () => {
  await node.close();
  for (const table of ['crypto_output', 'crypto_address', 'crypto_series', 'crypto_chain']) {
    await database.query({ text: `delete from ${table}` });
  }
});

async function look(): Promise<void> {
  await database.query({ text: `update crypto_chain set next_at = '-infinity'` });
  await database.query({ text: 'update crypto_address set look_at = now()' });
  await provider.watch?.round((report) => bench.payments.apply(report));
}
async function mine(count = 1): Promise<void> {
  chain.mine(count);
  await look();
}

async function openDeposit() {
  const caller = { ...ann, userId: `user-${randomUUID()}`, currency: 'BTC' };
  const command = commandOf({ amount: '0.5', currency: 'BTC', paymentType: 'coin' }, caller);
  const { apiResponse } = await bench.payments.createDeposit(command);
  const { depositId } = command.request;
  await look();
  const [row] = await database.query<{ id: string }>({
    text: 'select id from deposit where user_id = $1',
    values: [caller.userId],
  });
  return {
    id: row?.id ?? '',
    address: apiResponse.data?.depositAddress ?? '',
    status: () => bench.payments.depositStatus(caller, depositId),
    cancel: () => bench.payments.cancelDeposit(caller, depositId),
    balance: () => userBalance(database, 'op', caller.userId, 'BTC'),
  };
}

/** Lets a deposit's time end. */
async function overdue(id: string): Promise<void> {
  await database.query({
    text: `update deposit set expires_at = now() - interval '1 second', check_at = now() where id = $1`,
    values: [id],
  });
  await bench.payments.runDueWork();
}

describe('[SRV-3] [CRY-2] a payment that vanishes before its credit', () => {
  test('replaced by nothing: the deposit says so, waits again, and expires in time', async () => {
    const { id, address, status } = await openDeposit();
    chain.send({ to: address, raw: HALF });
    await look();
    expect(await status()).toMatchObject({ status: 0, confirmations: 0, receivedAmount: '0.50000000' });
    chain.waiting = [];
    // A node that lags may not have the transaction, so one check is no proof.
    await look();
    expect(await status()).toMatchObject({ confirmations: 0 });
    await mine(2);
    const waiting = await status();
    expect(waiting).toMatchObject({ status: 0, reason: 'transaction.reason.vanished' });
    for (const shown of ['txid', 'confirmations', 'receivedAmount']) expect(waiting).not.toHaveProperty(shown);
    await overdue(id);
    expect(await depositStateOf(database, id)).toBe('expired');
    expect(await status()).toMatchObject({ status: 2, reason: 'transaction.reason.expired' });
  });

  test('while it is seen nobody cancels or expires the deposit; afterwards a cancel cancels', async () => {
    const { id, address, cancel } = await openDeposit();
    chain.send({ to: address, raw: HALF });
    await look();
    expect(await cancel()).toMatchObject({ isCancelled: false, transaction: { status: 0, confirmations: 0 } });
    await overdue(id);
    expect(await depositStateOf(database, id)).toBe('detected');
    chain.waiting = [];
    await look();
    await mine(2);
    expect(await cancel()).toMatchObject({ isCancelled: true, transaction: { status: 2 } });
    expect(await depositStateOf(database, id)).toBe('cancelled');
  });

  test('replaced by another one: that one is shown and credited, also when it comes later', async () => {
    const { address, status, balance } = await openDeposit();
    chain.send({ to: address, raw: HALF });
    await look();
    chain.waiting = [];
    await look();
    await mine(2);
    const txid = chain.send({ to: address, raw: HALF + 1n });
    await look();
    const seen = await status();
    expect(seen).toMatchObject({ status: 0, txid, receivedAmount: '0.50000001' });
    expect(seen).not.toHaveProperty('reason');
    await mine(REQUIRED);
    expect(await balance()).toBe(HALF + 1n);
  });

  test('the same one that comes back is shown again and credited', async () => {
    const { address, status, balance } = await openDeposit();
    const txid = chain.send({ to: address, raw: HALF });
    await look();
    const sent = chain.waiting;
    chain.waiting = [];
    await look();
    await mine(2);
    expect(await status()).not.toHaveProperty('txid');
    chain.waiting = [...sent];
    await look();
    expect(await status()).toMatchObject({ txid, confirmations: 0 });
    await mine(REQUIRED);
    expect(await balance()).toBe(HALF);
  });

  test('taken out of its block by a fork for good: the deposit waits again and expires', async () => {
    const { id, address, status } = await openDeposit();
    chain.send({ to: address, raw: HALF });
    await mine(REQUIRED - 1);
    expect(await status()).toMatchObject({ status: 0, confirmations: REQUIRED - 1 });
    chain.fork(REQUIRED - 1, 'lost');
    await look();
    await mine(REQUIRED + 1);
    await mine();
    const waiting = await status();
    expect(waiting).toMatchObject({ status: 0, reason: 'transaction.reason.vanished' });
    expect(waiting).not.toHaveProperty('txid');
    await overdue(id);
    expect(await depositStateOf(database, id)).toBe('expired');
  });

  test('money that still arrives after the expiry is left to staff', async () => {
    const { id, address, balance } = await openDeposit();
    chain.send({ to: address, raw: HALF });
    await look();
    const sent = chain.waiting;
    chain.waiting = [];
    await look();
    await mine(2);
    await overdue(id);
    chain.waiting = [...sent];
    await mine(REQUIRED);
    expect(await depositStateOf(database, id)).toBe('late_paid');
    expect(await balance()).toBe(0n);
  });
});
