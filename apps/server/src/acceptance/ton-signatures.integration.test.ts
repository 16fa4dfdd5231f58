/** Payouts on TON that people sign as files. The time of an order may end before anybody has signed it. */
import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { FakeTon, newTonAddress } from '../providers/crypto/testing/fake-ton.ts';
import { signTon } from '../providers/crypto/testing/test-signer.ts';
import { createPayoutBench, type PayoutBench } from './coin-payouts.fixture.ts';
import { ofTonWallet, wallet } from './ton-wallet.fixture.ts';

const REQUIRED = 3;
const DAY_S = 86_400;
const HALF = 500_000_000n;

const node = new FakeTon();
const { ledger } = node;
let opened: TestDatabase;
let bench: PayoutBench;

beforeAll(async () => {
  opened = await openTestDatabase();
  await seedOperator(opened.database);
  ledger.fund(wallet, 100n * HALF);
  bench = createPayoutBench({
    database: opened.database,
    clock: { ...systemClock, now: () => Date.now() + ledger.laterS * 1000 },
    log: silentLogger,
    nodes: [await node.open()],
    signer: '',
    ...ofTonWallet(REQUIRED),
    payouts: { mostFee: '0.2', signer: { byFile: true } },
  });
});
afterAll(async () => {
  await node.close();
  await opened?.drop();
});

test('[WD-2] an order whose time ended before it was signed has a successor for the same seqno, and pays once', async () => {
  const { coinSignatures } = bench.provider;
  if (coinSignatures === undefined) throw new Error('No wallet is signed by file');
  const address = newTonAddress(1);
  const { status } = await bench.cashOut('TON', '0.5', address);
  await bench.round();
  const ann = { operatorId: 'op', by: 'ann' };
  const [first] = await coinSignatures.take(ann);
  await bench.round();
  expect(await coinSignatures.take(ann)).toEqual([first]);
  ledger.laterS = DAY_S + 1;
  await bench.round();
  const waiting = await coinSignatures.take(ann);
  expect(waiting).toMatchObject([{ version: 2, address }]);
  const [old = '', good = ''] = [first, waiting[0]].map((one) => signTon(one?.unsigned ?? '', 'well'));
  const give = (signed: string) => coinSignatures.give({ operatorId: 'op', by: 'bob' }, [signed], false);
  await expect(give(old)).rejects.toThrow('differs from the transaction that waits');
  expect(await give(good)).toMatchObject([{ version: 2, isNew: true }]);
  await bench.round();
  for (let block = 0; block < REQUIRED + 3; block += 1) {
    ledger.mine();
    await bench.round();
  }
  expect([await status(), ledger.account(address).balance, ledger.account(wallet).seqno]).toEqual([1, HALF, 1]);
});
