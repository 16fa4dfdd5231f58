/** Coin payouts on a real EVM chain, by a signer that is right, wrong, slow or silent. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { silentLogger } from '../database/testing/test-database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import type { LocalChain } from '../providers/crypto/testing/local-chain.ts';
import { type SignerMood, TestSigner } from '../providers/crypto/testing/test-signer.ts';
import type { PayoutBench, PayoutBenchOptions } from './coin-payouts.fixture.ts';
import { type HotWallet, withHotWallet } from './hot-wallet.fixture.ts';

const REQUIRED = 3;
/** The status of a withdrawal that its provider has accepted. */
const PENDING = 3;
const ETHER = 10n ** 18n;
const HALF = ETHER / 2n;

let chain: LocalChain;
let made: HotWallet;
let database: Database;
let signer: TestSigner;
let token: string;
let bench: PayoutBench;
let errors: string[];
let next = 0;

/** A new address for each payout, so that its balance counts what it got. */
const newAddress = (): string => `0x${(0xabc000 + ++next).toString(16).padStart(40, '1')}`;
const tokensOf = async (address: string): Promise<bigint> => {
  const data = `0x70a08231${address.slice(2).padStart(64, '0')}`;
  return BigInt(String(await chain.ask('eth_call', [{ to: token, data }, 'latest'])));
};
const nonceNow = async (): Promise<number> =>
  Number(await chain.ask('eth_getTransactionCount', [TestSigner.evmWallet, 'latest']));

function open(more: Partial<PayoutBenchOptions> = {}): PayoutBench {
  const log = { ...silentLogger, error: (_fields: object, message: string) => void errors.push(message) };
  const settings = { confirmations: REQUIRED, tokens: { USDT: { contract: token, decimals: 6 } } };
  return made.open({ log, settings, ...more });
}

async function mine(count = 1): Promise<void> {
  await chain.mine(count);
  await bench.round();
}

withHotWallet(ETHER * 1000n, (one) => {
  made = one;
  ({ chain, signer } = one);
  ({ database } = one.opened);
});
beforeAll(async () => {
  token = await chain.putToken();
  await chain.sendToken(token, TestSigner.evmWallet, 1_000_000_000n);
  await chain.mine();
});
beforeEach(() => {
  errors = [];
  signer.mood = 'well';
  signer.requests.length = 0;
  signer.signed.length = 0;
  bench = open();
});

test('[WD-2] coins are signed outside, sent, counted, and paid exactly once at the needed depth', async () => {
  const address = newAddress();
  const { status, held, payout } = await bench.cashOut('ETH', '0.5', address);
  expect(await payout()).toMatchObject({ state: 'queued' });
  await bench.round();
  expect(await payout()).toMatchObject({ state: 'broadcast' });
  expect(signer.requests).toMatchObject([
    {
      chain: 'ethereum',
      operator: 'op',
      version: 1,
      format: 'eip1559',
      pays: { coin: 'ETH', address, amount: '0.500000000000000000' },
    },
  ]);
  await mine();
  expect(await payout()).toMatchObject({ state: 'seen' });
  await mine(REQUIRED - 2);
  expect([await status(), await held()]).toEqual([PENDING, 50_000_000n]);
  await mine();
  expect([await status(), await held()]).toEqual([1, 0n]);
  await mine(5);
  expect(await chain.balance(address)).toBe(HALF);
  expect(signer.requests.length).toBe(1);
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});

test('[WD-2] tokens are paid by their contract, and only their event proves it', async () => {
  const address = newAddress();
  const { status } = await bench.cashOut('USDT', '12.5', address);
  await bench.round();
  await mine(REQUIRED);
  expect(await status()).toBe(1);
  expect(await tokensOf(address)).toBe(12_500_000n);
});

test('[WD-2] several payouts have one nonce after the other, and each is paid once', async () => {
  const addresses = Array.from({ length: 5 }, newAddress);
  const before = await nonceNow();
  const paid = await Promise.all(addresses.map((address) => bench.cashOut('ETH', '0.5', address)));
  await bench.round();
  await mine(REQUIRED);
  expect(await Promise.all(paid.map(({ status }) => status()))).toEqual([1, 1, 1, 1, 1]);
  expect(await Promise.all(addresses.map((address) => chain.balance(address)))).toEqual(addresses.map(() => HALF));
  expect(await nonceNow()).toBe(before + 5);
});

describe('a signer that is wrong', () => {
  const wrong: readonly (readonly [SignerMood, string])[] = [
    ['other-recipient', 'wrong-recipient'],
    ['other-amount', 'wrong-amount'],
    ['higher-fee', 'wrong-fee'],
    ['other-nonce', 'wrong-slot'],
    ['other-key', 'wrong-sender'],
  ];
  for (const [mood, reason] of wrong) {
    test(`[WD-2] ${mood}: nothing is sent, the amount stays held, staff are alerted, and the wallet stops`, async () => {
      signer.mood = mood;
      const address = newAddress();
      const before = await nonceNow();
      const { status, held, payout } = await bench.cashOut('ETH', '0.5', address);
      await bench.round();
      expect(await payout()).toMatchObject({ state: 'refused', reason });
      expect(errors).toEqual(['the signer did not sign what it was asked for']);
      signer.mood = 'well';
      const later = await bench.cashOut('ETH', '0.5', newAddress());
      await mine(REQUIRED);
      expect([await status(), await held(), await chain.balance(address)]).toEqual([PENDING, 50_000_000n, 0n]);
      expect(await nonceNow()).toBe(before);
      expect(await later.payout()).toMatchObject({ state: 'queued' });
      // Staff let the signer be asked for the same transaction again.
      await database.query({ text: `update coin_payout set state = 'prepared' where state = 'refused'` });
      await bench.round();
      await mine(REQUIRED);
      expect([await status(), await later.status(), await chain.balance(address)]).toEqual([1, 1, HALF]);
      expect(await nonceNow()).toBe(before + 2);
    });
  }

  test('[WD-2] a policy of the signer refuses one payout, and the next one pays with the same nonce', async () => {
    signer.mood = 'refuses';
    const address = newAddress();
    const before = await nonceNow();
    const { status, payout } = await bench.cashOut('ETH', '0.5', address);
    await bench.round();
    expect(await payout()).toMatchObject({ state: 'refused', reason: 'signer-policy' });
    signer.mood = 'well';
    const other = await bench.cashOut('ETH', '0.5', newAddress());
    await bench.round();
    await mine(REQUIRED);
    expect([await status(), await other.status()]).toEqual([PENDING, 1]);
    expect(await nonceNow()).toBe(before + 1);
    expect(await chain.balance(address)).toBe(0n);
  });

  for (const mood of ['garbage', 'hangs', 'drops-answer', 'down', 'later'] as const) {
    test(`[WD-2] ${mood}: the same transaction is asked for until it is signed, and paid once`, async () => {
      signer.mood = mood;
      const address = newAddress();
      const { status, payout } = await bench.cashOut('ETH', '0.5', address);
      await bench.round();
      await bench.round();
      expect(await payout()).toMatchObject({ state: 'prepared' });
      // Somebody who has the signature that nobody got may send it at any time.
      const lost = signer.signed.at(-1);
      signer.mood = 'well';
      await bench.round();
      // Another signature of the same payment was sent meanwhile, so the node has no room for this one.
      if (lost !== undefined) await expect(chain.sendSigned(lost)).rejects.toThrow('underpriced');
      await mine(REQUIRED);
      expect(new Set(signer.requests.map(({ unsigned }) => unsigned)).size).toBe(1);
      expect([await status(), await chain.balance(address)]).toEqual([1, HALF]);
    });
  }
});

describe('limits, fees and forks', () => {
  test('[WD-2] a payout over the limit of an hour waits, and goes on when the limit allows it', async () => {
    await database.query({
      text: `update coin_payout set prepared_at = now() - interval '2 days' where prepared_at is not null`,
    });
    bench = open({ payouts: { limits: { ETH: { hour: '0.7' } } } });
    const [first, second] = [
      await bench.cashOut('ETH', '0.5', newAddress()),
      await bench.cashOut('ETH', '0.5', newAddress()),
    ];
    await bench.round();
    await mine(REQUIRED);
    expect([await first.status(), await second.status()]).toEqual([1, PENDING]);
    expect(await second.payout()).toMatchObject({ state: 'queued', reason: 'hour-limit' });
    await database.query({
      text: `update coin_payout set prepared_at = now() - interval '61 minutes' where prepared_at is not null`,
    });
    await bench.round();
    await mine(REQUIRED);
    expect(await second.status()).toBe(1);
  });

  test('[WD-2] payouts wait for an empty wallet and for high fees, and go on by themselves', async () => {
    const balance = await chain.balance(TestSigner.evmWallet);
    await chain.ask('anvil_setBalance', [TestSigner.evmWallet, '0x1']);
    const { status, payout } = await bench.cashOut('ETH', '0.5', newAddress());
    await bench.round();
    expect(await payout()).toMatchObject({ state: 'queued', reason: 'low-balance' });
    await chain.ask('anvil_setBalance', [TestSigner.evmWallet, `0x${balance.toString(16)}`]);
    bench = open({ payouts: { mostFee: '0.000000001' } });
    await bench.round();
    expect(await payout()).toMatchObject({ state: 'queued', reason: 'fee-high' });
    bench = open();
    await bench.round();
    await mine(REQUIRED);
    expect(await status()).toBe(1);
  });

  test('[WD-2] a payout in no block gets a higher fee under the same nonce, and is paid once', async () => {
    bench = open({ payouts: { raiseFeeAfterSeconds: 60 } });
    const address = newAddress();
    const before = await nonceNow();
    const { status } = await bench.cashOut('ETH', '0.5', address);
    await bench.round();
    for (let time = 0; time < 2; time += 1) {
      await database.query({
        text: `update coin_transaction set sent_at = now() - interval '1 hour' where sent_at is not null`,
      });
      await bench.round();
    }
    expect(signer.requests.map(({ version }) => version)).toEqual([1, 2, 3]);
    await mine(REQUIRED);
    expect([await status(), await chain.balance(address), await nonceNow()]).toEqual([1, HALF, before + 1]);
  });

  test('[WD-2] a fork takes a payout out of its block: the same bytes are sent again, and paid once', async () => {
    const address = newAddress();
    const before = await nonceNow();
    const { status, payout } = await bench.cashOut('ETH', '0.5', address);
    await bench.round();
    await mine();
    expect(await payout()).toMatchObject({ state: 'seen' });
    await chain.reorganise(1);
    await bench.round();
    expect(await payout()).toMatchObject({ state: 'broadcast' });
    await mine(REQUIRED);
    expect([await status(), await chain.balance(address), await nonceNow()]).toEqual([1, HALF, before + 1]);
    expect(signer.requests.length).toBe(1);
  });

  test('[WD-2] a transaction by hand that takes the nonce holds the payout for staff, and pays nobody twice', async () => {
    signer.mood = 'drops-answer';
    const address = newAddress();
    const { status, held, payout } = await bench.cashOut('ETH', '0.5', address);
    await bench.round();
    // The signature that nobody got is sent by somebody, and mined.
    await chain.sendSigned(signer.signed.at(-1) ?? '');
    await chain.mine();
    signer.mood = 'well';
    await bench.round();
    await mine(REQUIRED);
    expect(await payout()).toMatchObject({ state: 'displaced', reason: 'slot-spent' });
    expect([await status(), await held(), await chain.balance(address)]).toEqual([PENDING, 50_000_000n, HALF]);
    await mine(REQUIRED);
    expect(await chain.balance(address)).toBe(HALF);
  });

  test('[WD-2] two processes in one round pay each payout once', async () => {
    const addresses = Array.from({ length: 4 }, newAddress);
    const before = await nonceNow();
    const paid = await Promise.all(addresses.map((address) => bench.cashOut('ETH', '0.5', address)));
    const other = open();
    for (let turn = 0; turn < 4; turn += 1) await Promise.all([bench.round(), other.round()]);
    await chain.mine(REQUIRED);
    await Promise.all([bench.round(), other.round()]);
    expect(await Promise.all(paid.map(({ status }) => status()))).toEqual([1, 1, 1, 1]);
    expect(await Promise.all(addresses.map((address) => chain.balance(address)))).toEqual(addresses.map(() => HALF));
    expect(await nonceNow()).toBe(before + 4);
  });

  test('[WD-2] a token that refuses the payment returns the amount, because the chain certainly paid nothing', async () => {
    const address = newAddress();
    const { status, held, payout } = await bench.cashOut('USDT', '12.5', address);
    await bench.round();
    // The tokens are gone before the block.
    const place = `0x${TestSigner.evmWallet.slice(2).toLowerCase().padStart(64, '0')}`;
    await chain.ask('anvil_setStorageAt', [token, place, `0x${'0'.repeat(64)}`]);
    await mine(REQUIRED);
    expect(await payout()).toMatchObject({ state: 'failed', reason: 'refused-by-chain' });
    expect([await status(), await held(), await tokensOf(address)]).toEqual([2, 0n, 0n]);
  });
});
