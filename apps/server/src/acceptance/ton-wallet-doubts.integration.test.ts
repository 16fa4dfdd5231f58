/** Nodes of TON that name another seqno than the payouts of the wallet explain. */
import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { FakeTon, newTonAddress } from '../providers/crypto/testing/fake-ton.ts';
import { TestSigner } from '../providers/crypto/testing/test-signer.ts';
import { TonLedger } from '../providers/crypto/testing/ton-ledger.ts';
import { createPayoutBench, type PayoutBench } from './coin-payouts.fixture.ts';
import { ofTonWallet, wallet } from './ton-wallet.fixture.ts';

const HALF = 500_000_000n;
const REQUIRED = 2;
const ledger = new TonLedger();
const nodes = [new FakeTon(ledger), new FakeTon(ledger)] as const;
const signer = new TestSigner();
let opened: TestDatabase;
let bench: PayoutBench;

beforeAll(async () => {
  opened = await openTestDatabase();
  await seedOperator(opened.database);
  const urls = await Promise.all(nodes.map((node) => node.open()));
  ledger.fund(wallet, 1_000_000_000_000n);
  bench = createPayoutBench({
    database: opened.database,
    clock: systemClock,
    log: silentLogger,
    nodes: urls,
    signer: await signer.open(),
    ...ofTonWallet(REQUIRED),
    payouts: { mostFee: '0.2' },
  });
});
afterAll(async () => {
  await Promise.all([...nodes.map((node) => node.close()), signer.close()]);
  await opened?.drop();
});

async function settle(): Promise<void> {
  for (let turn = 0; turn < 2 * REQUIRED + 4; turn += 1) {
    await bench.round();
    ledger.mine();
  }
  await bench.round();
}

test('[WD-2] a payout on TON waits for nodes that lag, disagree, or show more than the cashier knows', async () => {
  const paid = await bench.cashOut('TON', '0.5', newTonAddress(1));
  await settle();
  expect(await paid.status()).toBe(1);
  const address = newTonAddress(2);
  const payout = await bench.cashOut('TON', '0.5', address);
  const cases = [
    [[-1, 0], 'node-behind'],
    [[0, -1], 'node-behind'],
    [[7, 0], 'nodes-disagree'],
    [[0, 7], 'nodes-disagree'],
    [[7, 7], 'used-elsewhere'],
  ] as const;
  for (const [[first, second], reason] of cases) {
    [nodes[0].seqnoOff, nodes[1].seqnoOff] = [first, second];
    await settle();
    expect(await payout.payout()).toMatchObject({ state: 'queued', reason });
  }
  [nodes[0].seqnoOff, nodes[1].seqnoOff] = [0, 0];
  await settle();
  expect([await payout.status(), ledger.account(address).balance]).toEqual([1, HALF]);
});
