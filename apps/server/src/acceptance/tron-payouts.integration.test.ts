/** Payouts on TRON by a signer that is right, wrong, slow or silent, and nodes that lie, lag, lose and reorganise. */

import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { silentLogger } from '../database/testing/test-database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { type FakeTron, type FakeTronNode, newTronAddress } from '../providers/crypto/testing/fake-tron-node.ts';
import { type SignerMood, TestSigner } from '../providers/crypto/testing/test-signer.ts';
import type { PayoutBench } from './coin-payouts.fixture.ts';
import { TRON_REQUIRED, TRON_TOKEN, type TronWallet, withTronWallet } from './tron-wallet.fixture.ts';

/** The status of a withdrawal that its provider has accepted. */
const PENDING = 3;
const HALF = 500_000n;
/** Blocks until one cannot be taken back. */
const UNTIL_FINAL = 4;

let made: TronWallet;
let chain: FakeTron;
let nodes: readonly [FakeTronNode, FakeTronNode];
let database: Database;
let signer: TestSigner;
let bench: PayoutBench;
let next = 0;

withTronWallet((one) => {
  made = one;
  ({ chain, nodes, signer } = one);
  ({ database } = one.opened);
});
beforeEach(() => {
  signer.mood = 'well';
  signer.requests.length = 0;
  signer.signed.length = 0;
  for (const node of nodes) node.mood = {};
  bench = made.open();
});

const newAddress = (): string => newTronAddress(++next);

async function mine(count = 1): Promise<void> {
  chain.mine(count);
  await bench.round();
}

test('[WD-2] coins are signed outside, sent, and paid exactly once, in a block that the chain cannot take back', async () => {
  const address = newAddress();
  const { status, held, payout } = await bench.cashOut('TRX', '0.5', address);
  expect(await payout()).toMatchObject({ state: 'queued' });
  await bench.round();
  expect(await payout()).toMatchObject({ state: 'broadcast' });
  expect(signer.requests).toMatchObject([
    { chain: 'tron', operator: 'op', version: 1, format: 'tron', pays: { coin: 'TRX', address, units: '500000' } },
  ]);
  await mine();
  expect(await payout()).toMatchObject({ state: 'seen' });
  // It has its confirmations, and the chain could still take it back.
  await mine(TRON_REQUIRED - 1);
  expect([await status(), await held()]).toEqual([PENDING, 50_000_000n]);
  await mine();
  expect([await status(), await held(), chain.balance(address)]).toEqual([1, 0n, HALF]);
  await mine(5);
  expect([chain.balance(address), signer.requests.length]).toEqual([HALF, 1]);
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});

test('[WD-2] tokens are paid by their contract, with a bound on its fee, and only their event proves it', async () => {
  const address = newAddress();
  const { status } = await bench.cashOut('USDT', '12.5', address);
  await bench.round();
  expect(signer.requests).toMatchObject([{ pays: { contract: TRON_TOKEN }, mostFeeUnits: expect.any(String) }]);
  // 130 percent of the energy, and the bytes.
  expect(Number(signer.requests[0]?.mostFeeUnits)).toBeGreaterThan(3_900_000);
  expect(Number(signer.requests[0]?.mostFeeUnits)).toBeLessThan(4_400_000);
  await mine(UNTIL_FINAL);
  expect([await status(), chain.balance(address, TRON_TOKEN)]).toEqual([1, 12_500_000n]);
});

test('[WD-2] equal payouts of one moment are different transactions, and each is paid', async () => {
  const address = newAddress();
  const paid = [await bench.cashOut('TRX', '0.5', address), await bench.cashOut('TRX', '0.5', address)];
  await bench.round();
  expect(chain.waiting).toHaveLength(2);
  await mine(UNTIL_FINAL);
  expect(await Promise.all(paid.map(({ status }) => status()))).toEqual([1, 1]);
  expect(chain.balance(address)).toBe(2n * HALF);
});

describe('a signer that is wrong', () => {
  const wrong: readonly (readonly [SignerMood, string])[] = [
    ['other-recipient', 'wrong-recipient'],
    ['other-amount', 'wrong-amount'],
    ['higher-fee', 'wrong-fee'],
    ['other-nonce', 'wrong-slot'],
    ['other-key', 'wrong-sender'],
  ];
  for (const coin of ['TRX', 'USDT'] as const) {
    for (const [mood, reason] of wrong) {
      test(`[WD-2] ${mood}, ${coin}: nothing is sent, the amount stays held, and the wallet stops`, async () => {
        signer.mood = mood;
        const address = newAddress();
        const { status, held, payout } = await bench.cashOut(coin, '0.5', address);
        await bench.round();
        expect(await payout()).toMatchObject({ state: 'refused', reason });
        signer.mood = 'well';
        const later = await bench.cashOut('TRX', '0.5', newAddress());
        await mine(UNTIL_FINAL);
        expect([await status(), await held(), chain.waiting.length]).toEqual([PENDING, 50_000_000n, 0]);
        expect(await later.payout()).toMatchObject({ state: 'queued' });
        // Staff let the signer be asked for the same transaction again.
        await database.query({ text: `update coin_payout set state = 'prepared' where state = 'refused'` });
        await bench.round();
        await mine(UNTIL_FINAL);
        const paid = chain.balance(address, coin === 'TRX' ? '' : TRON_TOKEN);
        expect([await status(), await later.status(), paid]).toEqual([1, 1, HALF]);
      });
    }
  }

  for (const mood of ['garbage', 'hangs', 'drops-answer', 'down', 'later'] as const) {
    test(`[WD-2] ${mood}: the same transaction is asked for until it is signed, and paid once`, async () => {
      signer.mood = mood;
      const address = newAddress();
      const { status, payout } = await bench.cashOut('TRX', '0.5', address);
      await bench.round();
      await bench.round();
      expect(await payout()).toMatchObject({ state: 'prepared' });
      // Somebody who has the signature that nobody got may send it at any time.
      const lost = signer.signed.at(-1);
      signer.mood = 'well';
      await bench.round();
      if (lost !== undefined) expect(chain.take(lost)).toBe('DUP_TRANSACTION_ERROR');
      await mine(UNTIL_FINAL);
      expect(new Set(signer.requests.map(({ unsigned }) => unsigned)).size).toBe(1);
      expect([await status(), chain.balance(address)]).toEqual([1, HALF]);
    });
  }

  test('[WD-2] a signature that only a stranger has ends the payout as paid, because its transaction has a name', async () => {
    signer.mood = 'drops-answer';
    const address = newAddress();
    const { status, payout } = await bench.cashOut('TRX', '0.5', address);
    await bench.round();
    expect(chain.take(signer.signed.at(-1) ?? '')).toBe('SUCCESS');
    signer.mood = 'down';
    await mine(UNTIL_FINAL);
    expect(await payout()).toMatchObject({ state: 'confirmed' });
    expect([await status(), chain.balance(address)]).toEqual([1, HALF]);
  });
});

describe('nodes', () => {
  test('[WD-2] a node that loses its answers is sent the same bytes again, and its duplicate error is success', async () => {
    for (const node of nodes) node.mood = { losesAnswers: true };
    const address = newAddress();
    const { status } = await bench.cashOut('TRX', '0.5', address);
    await bench.round();
    await bench.round();
    for (const node of nodes) node.mood = {};
    await bench.round();
    expect(chain.waiting).toHaveLength(1);
    await mine(UNTIL_FINAL);
    expect([await status(), chain.balance(address)]).toEqual([1, HALF]);
  });

  test('[WD-2] a fork takes a payout out of its block: the same bytes are sent again, and paid once', async () => {
    for (const keepsPayments of [true, false]) {
      const address = newAddress();
      const { status, payout } = await bench.cashOut('TRX', '0.5', address);
      await bench.round();
      await mine(2);
      expect(await payout()).toMatchObject({ state: 'seen' });
      chain.reorganise(2, keepsPayments);
      await bench.round();
      expect(await payout()).toMatchObject({ state: 'broadcast' });
      await mine(UNTIL_FINAL);
      expect([await status(), chain.balance(address)]).toEqual([1, HALF]);
    }
    expect(signer.requests.length).toBe(2);
  });

  test('[WD-2] one node that says a payment has failed, or that it is final, ends nothing', async () => {
    const address = newAddress();
    const { status, held } = await bench.cashOut('USDT', '0.5', address);
    await bench.round();
    nodes[0].mood = { lies: true };
    await mine(UNTIL_FINAL);
    expect([await status(), await held()]).toEqual([PENDING, 50_000_000n]);
    nodes[0].mood = {};
    nodes[1].mood = { behind: 3 };
    await bench.round();
    expect(await status()).toBe(PENDING);
    nodes[1].mood = {};
    await bench.round();
    expect([await status(), chain.balance(address, TRON_TOKEN)]).toEqual([1, HALF]);
  });

  test('[WD-2] a node of another network, or with another time, prepares nothing', async () => {
    const { status, payout } = await bench.cashOut('TRX', '0.5', newAddress());
    for (const change of ['isForeign', 'clock'] as const) {
      nodes[0].mood = { isForeign: change === 'isForeign' };
      const offset = change === 'clock' ? 400_000 : 0;
      const clock = { now: () => chain.now() + offset, setTimer: () => () => {}, setRepeating: () => () => {} };
      bench = made.open({ clock });
      await bench.round();
      expect(await payout()).toMatchObject({ state: 'queued', reason: 'node-refused' });
    }
    bench = made.open();
    await bench.round();
    await mine(UNTIL_FINAL);
    expect(await status()).toBe(1);
  });

  test('[WD-2] two processes in one round pay each payout once', async () => {
    const addresses = Array.from({ length: 4 }, newAddress);
    const paid = await Promise.all(addresses.map((address) => bench.cashOut('TRX', '0.5', address)));
    const other = made.open();
    for (let turn = 0; turn < 4; turn += 1) await Promise.all([bench.round(), other.round()]);
    chain.mine(UNTIL_FINAL);
    await Promise.all([bench.round(), other.round()]);
    await bench.round();
    expect(await Promise.all(paid.map(({ status }) => status()))).toEqual([1, 1, 1, 1]);
    expect(addresses.map((address) => chain.balance(address))).toEqual(addresses.map(() => HALF));
  });

  test('[WD-2] one node alone or named twice is refused at the start, and so is a wallet that is no address', () => {
    const node = 'http://127.0.0.1:9';
    for (const alone of [[node], [node, `${node}/`]])
      expect(() => made.open({ nodes: alone })).toThrow('need a second node');
    expect(() => made.open({ wallet: TestSigner.evmWallet })).toThrow('not an address');
  });
});

describe('fees, limits and refusals', () => {
  test('[WD-2] a payout waits for coins, for tokens, for lower fees and for a limit, and goes on by itself', async () => {
    const address = newAddress();
    const { status, payout } = await bench.cashOut('USDT', '0.5', address);
    const waits = async (why: string): Promise<void> => {
      await bench.round();
      expect(await payout()).toMatchObject({ state: 'queued', reason: why });
    };
    bench = made.open({ payouts: { limits: { USDT: { hour: '0.1' } } } });
    await waits('hour-limit');
    bench = made.open({ payouts: { mostFee: '3' } });
    await waits('fee-high');
    const coins = chain.balance(TestSigner.tronWallet);
    bench = made.open();
    chain.fund(TestSigner.tronWallet, -coins + 1000n);
    await waits('low-coin');
    const tokens = chain.balance(TestSigner.tronWallet, TRON_TOKEN);
    chain.fund(TestSigner.tronWallet, -tokens, TRON_TOKEN);
    await waits('low-balance');
    chain.fund(TestSigner.tronWallet, tokens, TRON_TOKEN);
    // Staked energy covers the contract, and the bytes need a few coins.
    chain.fund(TestSigner.tronWallet, 500_000n);
    await waits('low-coin');
    chain.stakedEnergy = 60_000;
    await bench.round();
    expect(await payout()).toMatchObject({ state: 'broadcast' });
    await mine(UNTIL_FINAL);
    chain.stakedEnergy = 0;
    chain.fund(TestSigner.tronWallet, coins);
    expect([await status(), chain.balance(address, TRON_TOKEN)]).toEqual([1, HALF]);
  });

  test('[WD-2] what the contract would refuse is not signed, and staff may decline it', async () => {
    chain.isRefusing = true;
    const { payout } = await bench.cashOut('USDT', '0.5', newAddress());
    await bench.round();
    chain.isRefusing = false;
    expect(await payout()).toMatchObject({ state: 'queued', reason: 'node-refused' });
    expect(signer.requests).toEqual([]);
    await database.query({ text: `update coin_payout set state = 'declined' where state = 'queued'` });
    await bench.round();
  });

  for (const [what, change, result] of [
    ['runs out of energy', { energy: 300_000n }, 'OUT_OF_ENERGY'],
    ['refuses the payment', { isRefusing: true }, 'REVERT'],
  ] as const) {
    test(`[WD-2] a contract that ${what} in an irreversible block returns the amount, and not before`, async () => {
      const address = newAddress();
      const { status, held, payout } = await bench.cashOut('USDT', '0.5', address);
      await bench.round();
      Object.assign(chain, change);
      await mine(UNTIL_FINAL - 1);
      const { hash } = (await payout()) ?? {};
      expect([await status(), await held(), hash]).toEqual([PENDING, 50_000_000n, expect.any(String)]);
      expect(chain.find(hash ?? '')).toMatchObject({ result });
      await mine();
      Object.assign(chain, { energy: 30_000n, isRefusing: false });
      expect(await payout()).toMatchObject({ state: 'failed', reason: 'refused-by-chain' });
      expect([await status(), await held(), chain.balance(address, TRON_TOKEN)]).toEqual([2, 0n, 0n]);
    });
  }

  test('[WD-2] a payout to the wallet itself is declined at once', async () => {
    const { status, free } = await bench.cashOut('TRX', '0.5', TestSigner.tronWallet);
    expect([await status(), await free()]).toEqual([2, 100_000_000_000n]);
  });

  test('[WD-2] little left in the wallet is noted', async () => {
    const warnings: string[] = [];
    const log = { ...silentLogger, warn: (_fields: object, message: string) => void warnings.push(message) };
    bench = made.open({ log, payouts: { lowBalance: { USDT: '9000000' } } });
    await bench.round();
    expect(warnings).toContain('a hot wallet has little left');
  });
});
