/** Strangers send a hot wallet on TON thousands of cheap transfers. They must hold up neither its payouts nor what staff must know. */
import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { FakeTon, newTonAddress } from '../providers/crypto/testing/fake-ton.ts';
import { TestSigner } from '../providers/crypto/testing/test-signer.ts';
import { createPayoutBench, type PayoutBench } from './coin-payouts.fixture.ts';
import { ofTonWallet, orderByHand, wallet } from './ton-wallet.fixture.ts';

const REQUIRED = 3;
const LONG_ENOUGH = REQUIRED + 3;
const HALF = 500_000_000n;
const FLOOD = 2500;

let node: FakeTon;
let opened: TestDatabase;
let signer: TestSigner;
let bench: PayoutBench;

beforeAll(async () => {
  opened = await openTestDatabase();
  await seedOperator(opened.database);
  [node, signer] = [new FakeTon(), new TestSigner()];
  node.ledger.fund(wallet, 100n * HALF);
  bench = createPayoutBench({
    database: opened.database,
    clock: systemClock,
    log: silentLogger,
    nodes: [await node.open()],
    signer: await signer.open(),
    ...ofTonWallet(REQUIRED),
    payouts: { mostFee: '0.2' },
  });
});
afterAll(async () => {
  await Promise.all([node?.close(), signer?.close()]);
  await opened?.drop();
});

test('[WD-2] a payout below thousands of transfers to the wallet is paid in its time', async () => {
  const address = newTonAddress(1);
  const { status } = await bench.cashOut('TON', '0.5', address);
  await bench.round();
  node.ledger.mine(LONG_ENOUGH);
  node.ledger.flood(wallet, FLOOD);
  await bench.round();
  expect([await status(), node.ledger.account(address).balance]).toEqual([1, HALF]);
});

test('[WD-2] an order by hand below thousands of transfers is found by later rounds, and holds the payout for staff', async () => {
  node.isForgetful = true;
  const address = newTonAddress(2);
  const { payout } = await bench.cashOut('TON', '0.5', address);
  await bench.round();
  node.ledger.receive(orderByHand(node.ledger, newTonAddress(3), HALF));
  node.ledger.mine(LONG_ENOUGH);
  for (let rounds = 0; rounds < 3; rounds += 1) {
    node.ledger.flood(wallet, FLOOD / 2);
    await bench.round();
  }
  expect(await payout()).toMatchObject({ state: 'displaced', reason: 'slot-spent' });
  expect(node.ledger.account(address).balance).toBe(0n);
});
