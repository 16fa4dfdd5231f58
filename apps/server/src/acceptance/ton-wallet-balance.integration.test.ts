/** The wallet of TON that takes deposits and pays out is compared with the books of all operators, while payouts leave. */
import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { FakeTon, newTonAddress } from '../providers/crypto/testing/fake-ton.ts';
import { TestSigner } from '../providers/crypto/testing/test-signer.ts';
import { TonLedger } from '../providers/crypto/testing/ton-ledger.ts';
import { compareChain } from '../settlements/compare-chain.ts';
import { decideShared, proposeShared } from '../settlements/shared-acceptances.ts';
import { latestShared } from '../settlements/shared-balances.ts';
import { createPayoutBench, type PayoutBench } from './coin-payouts.fixture.ts';
import { MASTER, ofTonWallet, orderByHand, wallet } from './ton-wallet.fixture.ts';

const REQUIRED = 3;
/** Blocks until the last message of a payout is deep enough. */
const LONG_ENOUGH = REQUIRED + 3;

let ledger: TonLedger;
let node: FakeTon;
let opened: TestDatabase;
let signer: TestSigner;
let bench: PayoutBench;

beforeAll(async () => {
  opened = await openTestDatabase();
  const { database } = opened;
  await seedOperator(database);
  ledger = new TonLedger();
  node = new FakeTon(ledger);
  signer = new TestSigner();
  signer.now = () => Date.now() + ledger.laterS * 1000;
  bench = createPayoutBench({
    database,
    clock: { ...systemClock, now: () => Date.now() + ledger.laterS * 1000 },
    log: silentLogger,
    nodes: [await node.open()],
    signer: await signer.open(),
    ...ofTonWallet(REQUIRED),
    payouts: { mostFee: '0.2' },
    compare: (reading) => compareChain(database, reading),
  });
  ledger.fund(wallet, 1_000_000_000_000n);
  ledger.giveJettons(wallet, MASTER, 1_000_000_000n);
  // The first round makes the row of a chain that has given out no address.
  await bench.provider.watch?.round(async () => undefined);
});
afterAll(async () => {
  await Promise.all([node?.close(), signer?.close()]);
  await opened?.drop();
});

async function mine(count = 1): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    ledger.mine();
    await bench.round();
  }
}
async function differences(): Promise<Record<string, bigint>> {
  await opened.database.query({ text: `update crypto_chain set next_at = '-infinity', balances_due_at = '-infinity'` });
  await bench.provider.watch?.round(async () => undefined);
  const rows = await latestShared(opened.database);
  return Object.fromEntries(rows.map(({ currency, difference }) => [currency, difference]));
}

test('[SRV-1] [WD-2] payouts of coins and jettons make no difference at any time, and an order by hand does', async () => {
  const { TON = 0n, USDT = 0n } = await differences();
  expect([TON, USDT]).toEqual([100_000_000_000n, 100_000_000_000n]);
  for (const [currency, difference] of [['TON', TON] as const, ['USDT', USDT] as const]) {
    const wanted = { chain: 'ton', currency, difference, by: 'maria', reason: 'our own coins' };
    const { id } = await proposeShared(opened.database, wanted);
    await decideShared(opened.database, id, { decision: 'confirm', by: 'ivan' });
  }
  const agrees = { TON: 0n, USDT: 0n };
  for (const currency of ['TON', 'USDT']) {
    const { status } = await bench.cashOut(currency, '12.5', newTonAddress(currency === 'TON' ? 1 : 2));
    await bench.round();
    expect(await differences()).toEqual(agrees);
    for (let block = 0; block < LONG_ENOUGH + 2; block += 1) {
      await mine();
      expect(await differences()).toEqual(agrees);
    }
    expect(await status()).toBe(1);
  }
  ledger.receive(orderByHand(ledger, newTonAddress(3), 5_000_000_000n));
  await mine(LONG_ENOUGH);
  const { TON: stolen = 0n, ...others } = await differences();
  expect(others).toEqual({ USDT: 0n });
  expect(Number(stolen)).toBeCloseTo(-500_000_000, -6);
});
