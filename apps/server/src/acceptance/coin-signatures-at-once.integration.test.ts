/** The same signed payouts of coins come twice at the same time, as when two people upload one file (WD-2). */
import { systemClock } from '@opencashier/core/time/clock';
import { base64 } from '@scure/base';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { betweenReads } from '../database/testing/intercepted.fixture.ts';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import type { CoinSignatures } from '../providers/coin-signatures.ts';
import { storeSignature } from '../providers/crypto/payouts/payout-rows.ts';
import { FakeBitcoin, payToKey } from '../providers/crypto/testing/fake-bitcoin.ts';
import { SigningDevice } from '../providers/crypto/testing/signing-device.ts';
import { createPayoutBench, type PayoutBench } from './coin-payouts.fixture.ts';

const device = new SigningDevice();
const payee = payToKey(new Uint8Array(32).fill(3));
const bob = { operatorId: 'op', by: 'bob' };

let opened: TestDatabase;
let node: FakeBitcoin;
let bench: PayoutBench;
let signatures: CoinSignatures;
/** Happens when the waiting payouts have been read, and before anything is stored. */
let afterReading: () => Promise<unknown>;

beforeAll(async () => {
  opened = await openTestDatabase();
  await seedOperator(opened.database);
  node = new FakeBitcoin();
  const nodes = [await node.open()];
  for (let count = 0; count < 8; count += 1) node.fund(device.address.script, 30_000_000n);
  const database = betweenReads(opened.database, async (_reads, last) => {
    if (last?.text.includes('from coin_payout p join coin_transaction') !== true) return;
    const work = afterReading;
    afterReading = async () => undefined;
    await work();
  });
  bench = createPayoutBench({
    database,
    clock: systemClock,
    log: silentLogger,
    signer: '',
    chain: 'bitcoin',
    nodes,
    wallet: device.wallet,
    settings: { confirmations: 2 },
    payouts: { signer: { byFile: true }, mostFee: '0.001', raiseFeeAfterSeconds: 3600 },
  });
  const { coinSignatures } = bench.provider;
  if (coinSignatures === undefined) throw new Error('The fixture has no signatures by file');
  signatures = coinSignatures;
});
beforeEach(() => {
  afterReading = async () => undefined;
});
afterAll(async () => {
  await node?.close();
  await opened?.drop();
});

/** A payout that waits, as somebody took and signed it. */
async function oneSigned() {
  const { payout } = await bench.cashOut('BTC', '0.1', payee.address);
  await bench.round();
  const withdrawalId = (await payout())?.id ?? '';
  const [taken] = await signatures.take({ operatorId: 'op', by: 'ann' });
  expect(taken?.withdrawalId).toBe(withdrawalId);
  return {
    withdrawalId,
    signed: base64.encode(device.sign(base64.decode(taken?.unsigned ?? '')).signed),
    givers: () =>
      opened.database.query({
        text: 'select given_by as by, hash from coin_transaction where withdrawal_id = $1',
        values: [withdrawalId],
      }),
  };
}
const giveAsMax = (signed: string) => signatures.give({ operatorId: 'op', by: 'max' }, [signed], false);

test('[WD-2] a signature that another upload has stored meanwhile is known, as one that was stored before', async () => {
  const { signed, givers } = await oneSigned();
  afterReading = async () => expect(await giveAsMax(signed)).toMatchObject([{ isNew: true }]);
  const second = await signatures.give(bob, [signed], false);
  expect(second).toMatchObject([{ isNew: false }]);
  expect(await givers()).toMatchObject([{ by: 'max' }]);
  expect(await signatures.give(bob, [signed], false)).toEqual(second);
});

test('[WD-2] another signature that was stored meanwhile is a conflict, and stays', async () => {
  const { withdrawalId, signed, givers } = await oneSigned();
  const hash = 'ab'.repeat(32);
  afterReading = async () => {
    const waiting = { operatorId: 'op', withdrawalId, state: 'prepared' } as const;
    await opened.database.transaction((transaction) =>
      storeSignature(transaction, waiting, 1, { hash, signed: 'another' }, { by: 'max' }),
    );
  };
  await expect(signatures.give(bob, [signed], false)).rejects.toMatchObject({
    code: 'state-conflict',
    message: 'Transaction 1 was signed or has ended meanwhile. Nothing was stored.',
  });
  expect(await givers()).toEqual([{ by: 'max', hash }]);
});
