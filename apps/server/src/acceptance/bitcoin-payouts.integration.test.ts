/** Bitcoin payouts by PSBT, on a node that checks signatures, coins and fees as the network does. */
import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { decidePayout } from '../providers/crypto/payouts/decide-payout.ts';
import { FakeBitcoin, newBitcoinPayee, payToKey } from '../providers/crypto/testing/fake-bitcoin.ts';
import { BITCOIN_KEY, type SignerMood, TestSigner } from '../providers/crypto/testing/test-signer.ts';
import { createPayoutBench, type PayoutBench } from './coin-payouts.fixture.ts';

const REQUIRED = 3;
const PENDING = 3;
const AMOUNT = 10_000_000n;
const wallet = payToKey(BITCOIN_KEY);

let node: FakeBitcoin;
let opened: TestDatabase;
let database: Database;
let signer: TestSigner;
let bench: PayoutBench;
let next = 0;

const newPayee = () => newBitcoinPayee(++next);

async function open(raiseFeeAfterSeconds = 3600, nodes = [nodeUrl]): Promise<PayoutBench> {
  return createPayoutBench({
    database,
    clock: systemClock,
    log: silentLogger,
    chain: 'bitcoin',
    nodes,
    signer: signerUrl,
    wallet: wallet.publicKey,
    settings: { confirmations: REQUIRED },
    payouts: { mostFee: '0.001', raiseFeeAfterSeconds },
  });
}
let nodeUrl: string;
let signerUrl: string;

async function mine(count = 1): Promise<void> {
  node.mine(count);
  await bench.round();
}

beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  await seedOperator(database);
  node = new FakeBitcoin();
  signer = new TestSigner();
  [nodeUrl, signerUrl] = await Promise.all([node.open(), signer.open()]);
  for (let count = 0; count < 12; count += 1) node.fund(wallet.script, 30_000_000n);
});
afterAll(async () => {
  await Promise.all([node?.close(), signer?.close()]);
  await opened?.drop();
});
beforeEach(async () => {
  signer.mood = 'well';
  signer.requests.length = 0;
  node.isForgetful = false;
  node.showsSpent = false;
  bench = await open();
});

test('[WD-2] a PSBT is signed outside, its payee gets the amount once, and the change returns to the wallet', async () => {
  const payee = newPayee();
  const { status, held, payout } = await bench.cashOut('BTC', '0.1', payee.address);
  await bench.round();
  expect(await payout()).toMatchObject({ state: 'broadcast' });
  expect(signer.requests).toMatchObject([{ format: 'psbt', pays: { address: payee.address, units: '10000000' } }]);
  expect(node.waiting).toHaveLength(1);
  await mine(REQUIRED - 1);
  expect([await status(), await held()]).toEqual([PENDING, AMOUNT]);
  node.reorganise(2);
  await bench.round();
  expect(await payout()).toMatchObject({ state: 'broadcast' });
  await mine(REQUIRED);
  expect([await status(), await held(), node.receivedBy(payee.script)]).toEqual([1, 0n, AMOUNT]);
});

test('[WD-2] a node that shows spent coins as free, or coins that another node lacks, begins no payout', async () => {
  const paid = await bench.cashOut('BTC', '0.1', newPayee().address);
  await bench.round();
  await mine(REQUIRED);
  expect(await paid.status()).toBe(1);
  const payee = newPayee();
  const payout = await bench.cashOut('BTC', '0.1', payee.address);
  node.showsSpent = true;
  await bench.round();
  expect(await payout.payout()).toMatchObject({ state: 'queued', reason: 'node-behind' });
  node.showsSpent = false;
  const other = new FakeBitcoin();
  const doubting = await open(3600, [nodeUrl, await other.open()]);
  await doubting.round();
  await other.close();
  expect(await payout.payout()).toMatchObject({ state: 'queued', reason: 'nodes-disagree' });
  await bench.round();
  await mine(REQUIRED);
  expect([await payout.status(), node.receivedBy(payee.script)]).toEqual([1, 10_000_000n]);
});

test('[WD-2] payouts side by side spend different coins', async () => {
  const payees = [newPayee(), newPayee(), newPayee()];
  const paid = await Promise.all(payees.map(({ address }) => bench.cashOut('BTC', '0.1', address)));
  await bench.round();
  expect(node.waiting).toHaveLength(3);
  await mine(REQUIRED);
  expect(await Promise.all(paid.map(({ status }) => status()))).toEqual([1, 1, 1]);
});

test('[WD-2] a payout in no block is replaced by a higher fee from the same coins, and paid once', async () => {
  bench = await open(1);
  const payee = newPayee();
  const { status } = await bench.cashOut('BTC', '0.1', payee.address);
  await bench.round();
  const [first] = node.waiting;
  await database.query({
    text: `update coin_transaction set sent_at = now() - interval '1 minute' where sent_at is not null`,
  });
  node.rate = 9;
  await bench.round();
  await bench.round();
  expect(node.waiting).toHaveLength(1);
  expect(node.waiting[0]).toMatchObject({ spends: first?.spends });
  expect(node.waiting[0]?.fee).toBeGreaterThan(first?.fee ?? 0n);
  await mine(REQUIRED);
  expect([await status(), node.receivedBy(payee.script)]).toEqual([1, AMOUNT]);
  expect(signer.requests.map(({ version }) => version)).toEqual([1, 2]);
});

test('[WD-2] a transaction that the nodes forget is sent again', async () => {
  node.isForgetful = true;
  const payee = newPayee();
  const { status } = await bench.cashOut('BTC', '0.1', payee.address);
  await bench.round();
  expect(node.waiting).toHaveLength(0);
  node.isForgetful = false;
  await bench.round();
  await mine(REQUIRED);
  expect([await status(), node.receivedBy(payee.script)]).toEqual([1, AMOUNT]);
});

test('[WD-2] a payout whose coins another one spent in part begins again with the rest, and is paid once', async () => {
  signer.mood = 'refuses';
  const payee = newPayee();
  const large = await bench.cashOut('BTC', '0.5', payee.address);
  await bench.round();
  signer.mood = 'well';
  const small = await bench.cashOut('BTC', '0.1', newPayee().address);
  await bench.round();
  await mine(REQUIRED);
  expect(await small.status()).toBe(1);
  const { id = '' } = (await large.payout()) ?? {};
  const decision = { operatorId: 'op', withdrawalId: id, decision: 'again', by: 'eve', hasLooked: false } as const;
  expect(await decidePayout(database, decision)).toBe('queued');
  await bench.round();
  await mine(REQUIRED);
  expect([await large.status(), node.receivedBy(payee.script)]).toEqual([1, 5n * AMOUNT]);
});

test('[WD-2] coins that a payout gave up, and that nobody spent, do not let another payout be declined', async () => {
  signer.mood = 'refuses';
  const large = await bench.cashOut('BTC', '0.5', newPayee().address);
  await bench.round();
  signer.mood = 'well';
  const small = await bench.cashOut('BTC', '0.1', newPayee().address);
  await bench.round();
  signer.mood = 'refuses';
  const refused = await bench.cashOut('BTC', '0.1', newPayee().address);
  await bench.round();
  signer.mood = 'well';
  await mine(REQUIRED);
  expect(await small.status()).toBe(1);
  // The large payout begins again, with a coin that it did not have.
  node.fund(wallet.script, 90_000_000n);
  const decision = { operatorId: 'op', by: 'eve', hasLooked: false } as const;
  const idOf = async (one: typeof large): Promise<string> => (await one.payout())?.id ?? '';
  await decidePayout(database, { ...decision, withdrawalId: await idOf(large), decision: 'again' });
  await bench.round();
  await mine(REQUIRED);
  expect(await large.status()).toBe(1);
  const declined = decidePayout(database, { ...decision, withdrawalId: await idOf(refused), decision: 'decline' });
  await expect(declined).rejects.toThrow('can still be mined');
});

describe('a signer that is wrong', () => {
  const wrong: readonly (readonly [SignerMood, string])[] = [
    ['other-recipient', 'wrong-recipient'],
    ['other-amount', 'wrong-amount'],
    ['higher-fee', 'wrong-fee'],
    ['other-key', 'wrong-sender'],
  ];
  for (const [mood, reason] of wrong) {
    test(`[WD-2] ${mood}: nothing is sent, and the amount stays held`, async () => {
      signer.mood = mood;
      const payee = newPayee();
      const { held, payout, status } = await bench.cashOut('BTC', '0.1', payee.address);
      await bench.round();
      expect(await payout()).toMatchObject({ state: 'refused', reason });
      expect([await held(), node.waiting.length]).toEqual([AMOUNT, 0]);
      signer.mood = 'well';
      await database.query({ text: `update coin_payout set state = 'prepared' where state = 'refused'` });
      await bench.round();
      await mine(REQUIRED);
      expect([await status(), node.receivedBy(payee.script)]).toEqual([1, AMOUNT]);
    });
  }
});
