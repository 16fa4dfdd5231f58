/** The watcher with a real EVM chain: real blocks, signed transactions, contracts and reorganisations. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '@opencashier/core/time/clock';
import { HDKey } from '@scure/bip32';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { userBalance } from '../ledger/ledger.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { ann, commandOf, seedOperator } from '../payments/testing/payments.fixture.ts';
import { TRANSFER_TOPIC } from '../providers/crypto/chain/transfer-event.ts';
import { createCryptoProvider } from '../providers/crypto/crypto.ts';
import { createEvmSource } from '../providers/crypto/evm/evm-source.ts';
import { mayHold } from '../providers/crypto/evm/log-bloom.ts';
import { LocalChain } from '../providers/crypto/testing/local-chain.ts';
import type { Provider } from '../providers/provider.ts';
import { createCoinBench } from './coin-bench.fixture.ts';

const REQUIRED = 3;
const ETHER = 10n ** 18n;
/** The ledger counts crypto in 8 decimals. */
const BOOKED = 10n ** 8n;

let chain: LocalChain;
let token: string;
let otherToken: string;
let opened: TestDatabase;
let database: Database;
let provider: Provider;
let payments: ReturnType<typeof createCoinBench>['payments'];

beforeAll(async () => {
  [chain, opened] = await Promise.all([LocalChain.open(), openTestDatabase()]);
  database = opened.database;
  await seedOperator(database);
  token = await chain.putToken();
  otherToken = await chain.putToken();
  const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(3)).derive("m/44'/60'/0'").publicExtendedKey;
  const settings = {
    nodes: [{ url: chain.url, headers: {} }],
    account,
    tokens: { USDT: { contract: token, decimals: 6 } },
    isCoinWatched: true,
    confirmations: REQUIRED,
    questionsPerSecond: 1000,
  };
  provider = createCryptoProvider({
    database,
    clock: systemClock,
    log: silentLogger,
    settings: { chains: { ethereum: settings } },
  });
  const amounts = { min: '0.01', max: '500' };
  ({ payments } = createCoinBench(database, provider, {
    providerOptions: { network: 'erc20' },
    amount_rules: { ETH: amounts, USDT: amounts },
  }));
});
afterAll(async () => {
  await chain?.close();
  await opened?.drop();
});

/** Mines blocks, so that the reorganisation of one test does not reach the blocks of another. */
beforeEach(() => chain.mine(10));

async function look(): Promise<void> {
  await database.query({ text: `update crypto_chain set next_at = '-infinity'` });
  await provider.watch?.round((report) => payments.apply(report));
}
async function mine(count = 1): Promise<void> {
  await chain.mine(count);
  await look();
}

async function openDeposit(currency: 'ETH' | 'USDT') {
  const caller = { ...ann, userId: `user-${randomUUID()}`, currency };
  const command = commandOf({ amount: '0.5', currency, paymentType: 'coin' }, caller);
  const { apiResponse } = await payments.createDeposit(command);
  await look();
  return {
    address: apiResponse.data?.depositAddress ?? '',
    status: () => payments.depositStatus(caller, command.request.depositId),
    balance: () => userBalance(database, 'op', caller.userId, currency),
  };
}

test('[SRV-4] [CRY-2] coins: seen, counted, and credited exactly at the needed depth, once', async () => {
  const { address, status, balance } = await openDeposit('ETH');
  await chain.send({ to: address, value: (ETHER * 123_456_789n) / BOOKED + 7n });
  await mine();
  expect(await status()).toMatchObject({ status: 0, confirmations: 1, requiredConfirmations: REQUIRED });
  await mine(REQUIRED - 2);
  expect(await balance()).toBe(0n);
  await mine();
  // The operator keeps amounts below the ledger's 8 decimals.
  expect(await balance()).toBe(123_456_789n);
  expect(await status()).toMatchObject({ status: 1, cryptoCurrency: 'ETH' });
  await mine(20);
  expect(await balance()).toBe(123_456_789n);
});

test('[SRV-4] [CRY-2] tokens: by the events of their own contract; what failed and what only looks alike is nothing', async () => {
  const { address, status, balance } = await openDeposit('USDT');
  await chain.sendToken(token, address, 1_500_000n);
  await chain.sendToken(otherToken, address, 9_000_000n);
  // The account owns no tokens, so the contract reverts.
  await chain.sendToken(token, address, 4_000_000n, chain.account(1));
  await chain.send({ to: address, value: ETHER });
  await mine(REQUIRED);
  expect(await balance()).toBe(150_000_000n);
  expect(await status()).toMatchObject({ status: 1, cryptoCurrency: 'USDT' });
  await mine(20);
  expect(await balance()).toBe(150_000_000n);
});

test('[SRV-4] [CRY-2] a reorganisation before the credit: the same transaction is counted again from its new block', async () => {
  const { address, balance } = await openDeposit('ETH');
  const signed = await chain.send({ to: address, value: ETHER });
  await mine(REQUIRED - 1);
  await chain.reorganise(REQUIRED - 1);
  await look();
  await mine();
  expect(await balance()).toBe(0n);
  await chain.sendSigned(signed);
  await mine();
  await mine(REQUIRED - 2);
  expect(await balance()).toBe(0n);
  await mine();
  expect(await balance()).toBe(BOOKED);
});

test.each(['ETH', 'USDT'] as const)(
  '[SRV-4] [CRY-2] a reorganisation that drops credited %s takes them back once they stayed away long enough',
  async (currency) => {
    const { address, status, balance } = await openDeposit(currency);
    if (currency === 'ETH') await chain.send({ to: address, value: ETHER });
    else await chain.sendToken(token, address, 1_000_000n);
    await mine(REQUIRED);
    expect(await balance()).toBe(BOOKED);
    await chain.reorganise(REQUIRED + 1);
    await look();
    await mine(REQUIRED - 1);
    expect(await balance()).toBe(BOOKED);
    await mine(2);
    expect(await balance()).toBe(0n);
    expect((await status()).status).toBe(2);
  },
);

test('[SRV-4] [CRY-2] a credited transaction that a reorganisation moves to another block stays credited, once', async () => {
  const { address, balance } = await openDeposit('ETH');
  const signed = await chain.send({ to: address, value: ETHER });
  await mine(REQUIRED);
  expect(await balance()).toBe(BOOKED);
  await chain.reorganise(REQUIRED + 1);
  await look();
  await chain.sendSigned(signed);
  await mine();
  await mine(20);
  expect(await balance()).toBe(BOOKED);
});

test('[SRV-4] an address that holds coins or tokens counts as used, and one that nobody paid does not', async () => {
  const source = createEvmSource({ url: chain.url }, { tokens: [token], isCoinWatched: true });
  const [holdsCoins, holdsTokens, empty] = [
    `0x${'1'.repeat(40)}`,
    `0x${'2'.repeat(40)}`,
    `0x${'3'.repeat(40)}`,
  ] as const;
  await chain.send({ to: holdsCoins, value: 1n });
  await chain.sendToken(token, holdsTokens, 1n);
  await mine();
  const used = [holdsCoins, holdsTokens, empty].map((address) => source.isUsed?.(address));
  expect(await Promise.all(used)).toEqual([true, true, false]);
  // The count of transactions stays, although everything was sent on.
  expect(await source.isUsed?.(chain.account(0))).toBe(true);
});

test('[SRV-4] the head of a block says whether events of a token may stand in it', async () => {
  await chain.sendToken(token, chain.account(2), 1n);
  await mine();
  const [full, empty] = await Promise.all(
    ['latest', 'earliest'].map((which) => chain.ask('eth_getBlockByNumber', [which, false])),
  );
  const bloomOf = (block: unknown): string => (block as { logsBloom: string }).logsBloom;
  const items = [token.slice(2), TRANSFER_TOPIC];
  expect([mayHold(bloomOf(full), items), mayHold(bloomOf(empty), items)]).toEqual([true, false]);
  expect(mayHold(bloomOf(full), [otherToken.slice(2), TRANSFER_TOPIC])).toBe(false);
});

test('[SRV-2] after all these tests the ledger is sound', async () => {
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});
