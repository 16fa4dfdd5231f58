import { randomBytes, randomUUID } from 'node:crypto';
import { systemClock } from '@opencashier/core/time/clock';
import { HDKey } from '@scure/bip32';
import { Address } from '@ton/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { silentLogger } from '../database/testing/test-database.ts';
import { accountBalance, userBalance } from '../ledger/ledger.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { ann, commandOf } from '../payments/testing/payments.fixture.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import { createCryptoProvider } from '../providers/crypto/crypto.ts';
import { FakeChain } from '../providers/crypto/testing/fake-chain.ts';
import { FakeNode } from '../providers/crypto/testing/fake-node.ts';
import { destinationOf } from '../providers/crypto/ton/ton-wallet.ts';
import type { Provider } from '../providers/provider.ts';
import { createCoinBench } from './coin-bench.fixture.ts';
import { watchedKinds } from './crypto-kinds.fixture.ts';

const REQUIRED = 3;
let database: Database;
withPayments((made) => {
  ({ database } = made);
});

describe.each(watchedKinds)('[SRV-4] [CRY-2] $name', ({ family, chain: key, coin, network, decimals, contract }) => {
  let chain: FakeChain;
  let node: FakeNode;
  let second: FakeNode;
  let secondChain: FakeChain;
  let provider: Provider;
  let payments: ReturnType<typeof createCoinBench>['payments'];
  const unit = 10n ** BigInt(decimals);

  beforeEach(async () => {
    chain = new FakeChain();
    secondChain = chain;
    node = new FakeNode(family, chain);
    const account = accountOf("m/84'/0'/0'");
    await start([await node.open()], account);
  });
  afterEach(async () => {
    await node.close();
    await second?.close();
    await database.query({ text: 'delete from crypto_output' });
    await database.query({ text: 'delete from crypto_address' });
    await database.query({ text: 'delete from crypto_chain' });
  });

  function accountOf(path: string): string {
    return family === 'ton'
      ? new Address(0, randomBytes(32)).toString({ bounceable: false })
      : HDKey.fromMasterSeed(randomBytes(32)).derive(path).publicExtendedKey;
  }

  async function start(urls: readonly string[], account: string, { isTokenKnown = true } = {}): Promise<void> {
    provider = createCryptoProvider({
      database,
      clock: systemClock,
      log: silentLogger,
      settings: {
        chains: {
          [key]: {
            nodes: urls.map((url) => ({ url, headers: {} })),
            account,
            // In lower case, as in many lists of tokens.
            tokens:
              contract === undefined || !isTokenKnown
                ? {}
                : { [coin]: { contract: family === 'evm' ? contract.toLowerCase() : contract, decimals } },
            isCoinWatched: contract === undefined,
            questionsPerSecond: 1000,
            confirmations: REQUIRED,
          },
        },
      },
    });
    payments = createCoinBench(database, provider, {
      providerOptions: { network },
      amount_rules: { [coin]: { min: '0.01', max: '500' } },
    }).payments;
  }

  /** Runs a round of the watcher, as if the chain's next block were due. */
  async function look(): Promise<void> {
    await database.query({ text: `update crypto_chain set next_at = '-infinity'` });
    await database.query({ text: 'update crypto_address set look_at = now()' });
    await provider.watch?.round((report) => payments.apply(report));
  }
  async function mine(count = 1): Promise<void> {
    chain.mine(count);
    await look();
  }

  /** A deposit of at least 0.5 coins, and the address that it was given. */
  async function openDeposit(amount = '0.5') {
    const caller = { ...ann, userId: `user-${randomUUID()}`, currency: coin };
    const command = commandOf({ amount, currency: coin, paymentType: 'coin' }, caller);
    const { apiResponse } = await payments.createDeposit(command);
    const { depositId } = command.request;
    const { depositAddress: shown = '', depositMemo: memo } = apiResponse.data ?? {};
    const address = memo === undefined ? shown : destinationOf(shown, memo);
    const status = () => payments.depositStatus(caller, depositId);
    const balance = () => userBalance(database, 'op', caller.userId, coin);
    await look();
    return { depositId, address, caller, status, balance, data: apiResponse.data };
  }
  /** @param tenths of a coin */
  const send = (to: string, tenths: bigint, more: object = {}) =>
    chain.send({ to, raw: (tenths * unit) / 10n, ...(contract !== undefined && { contract }), ...more });
  const inBooks = (tenths: bigint) => tenths * 10_000_000n;

  test('an address of its own for each deposit; seen, counted, and credited as much as came at the needed depth', async () => {
    const [one, other] = [await openDeposit(), await openDeposit()];
    expect(one.address).not.toBe(other.address);
    const paidTo = one.data?.depositMemo === undefined ? one.address : `text=${one.data.depositMemo}`;
    expect(one.data?.qrCodeText).toContain(contract === undefined || family !== 'evm' ? paidTo : contract);
    send(one.address, 7n);
    await mine();
    expect(await one.status()).toMatchObject({ status: 0, confirmations: 1, requiredConfirmations: REQUIRED });
    await mine(REQUIRED - 2);
    expect(await one.balance()).toBe(0n);
    await mine();
    expect(await one.status()).toMatchObject({ status: 1, cryptoCurrency: coin });
    expect(await one.balance()).toBe(inBooks(7n));
    await mine(30);
    expect(await one.balance()).toBe(inBooks(7n));
    expect(await other.balance()).toBe(0n);
    expect(await other.status()).toMatchObject({ status: 0 });
  });

  test('the same deposit asked for again has the same address', async () => {
    const { depositId, address } = await openDeposit();
    const [given] = await database.query<{ address: string }>({
      text: 'select address from crypto_address where deposit_id = $1',
      values: [depositId],
    });
    expect(given?.address).toBe(address);
  });

  test.each([1, 2])(
    'a fork of %i blocks before the credit: the payment is counted again in its new block',
    async (depth) => {
      const { address, balance } = await openDeposit();
      send(address, 5n);
      await mine(depth);
      chain.fork(depth, 'again');
      await look();
      expect(await balance()).toBe(0n);
      await mine(REQUIRED - 1);
      expect(await balance()).toBe(inBooks(5n));
    },
  );

  test('a payment that a fork drops before its credit is never credited', async () => {
    const { address, balance, status } = await openDeposit();
    send(address, 5n);
    await mine(REQUIRED - 1);
    chain.fork(REQUIRED - 1, 'lost');
    await look();
    await mine(20);
    expect(await balance()).toBe(0n);
    expect((await status()).status).not.toBe(1);
  });

  test('a deeper fork that drops a credited payment takes it back, once it has stayed away long enough', async () => {
    const { address, balance, status } = await openDeposit();
    send(address, 5n);
    await mine(REQUIRED);
    expect(await balance()).toBe(inBooks(5n));
    chain.fork(REQUIRED + 1, 'lost');
    await look();
    expect(await balance()).toBe(inBooks(5n));
    await mine(REQUIRED);
    expect(await balance()).toBe(0n);
    expect((await status()).status).toBe(2);
    await mine(20);
    expect(await balance()).toBe(0n);
  });

  test('a deeper fork that mines a credited payment again changes nothing', async () => {
    const { address, balance } = await openDeposit();
    send(address, 5n);
    await mine(REQUIRED);
    chain.fork(REQUIRED + 1, 'again');
    await look();
    await mine(30);
    expect(await balance()).toBe(inBooks(5n));
  });

  test('two transactions are two payments, each credited once', async () => {
    const { address, balance } = await openDeposit();
    send(address, 6n);
    send(address, 9n);
    await mine(REQUIRED);
    await mine(2);
    expect(await balance()).toBe(inBooks(15n));
    await mine(20);
    expect(await balance()).toBe(inBooks(15n));
  });

  test('less than the minimum is kept aside and said', async () => {
    const { address, balance, status } = await openDeposit();
    const suspense = () => accountBalance(database, 'op', { owner: '', asset: coin, kind: 'suspense' });
    const before = await suspense();
    send(address, 3n);
    await mine(REQUIRED);
    expect(await balance()).toBe(0n);
    expect((await suspense()) - before).toBe(inBooks(3n));
    expect(await status()).toMatchObject({ status: 3, reason: 'transaction.reason.below-minimum' });
  });

  test('ignores transfers to other addresses and of other assets', async () => {
    const { address, balance } = await openDeposit();
    const foreign =
      { tron: 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj', ton: `0:${'9'.repeat(64)}` }[family as string] ??
      `0x${'9'.repeat(40)}`;
    if (family !== 'esplora') chain.send({ to: address, raw: 5n * unit, contract: foreign });
    if (contract !== undefined) chain.send({ to: address, raw: 5n * unit });
    send(family === 'evm' || family === 'esplora' ? `0x${'8'.repeat(40)}` : foreign, 9n);
    await mine(REQUIRED + 1);
    expect(await balance()).toBe(0n);
  });

  test('a node that is down or talks nonsense credits nobody; afterwards everything is made up for', async () => {
    const { address, balance } = await openDeposit();
    send(address, 5n);
    for (const mood of ['down', 'nonsense'] as const) {
      node.mood = mood;
      await mine(30);
      expect(await balance()).toBe(0n);
    }
    node.mood = 'well';
    await look();
    await look();
    expect(await balance()).toBe(inBooks(5n));
  });

  test('while a second node disagrees, or does not answer, nothing is credited', async () => {
    const account = accountOf("m/84'/0'/1'");
    secondChain = new FakeChain();
    second = new FakeNode(family, secondChain);
    const agreeing = new FakeNode(family, chain);
    await start([await reopened(), await second.open()], account);
    const { address, balance } = await openDeposit();
    send(address, 5n);
    await mine(REQUIRED + 1);
    expect(await balance()).toBe(0n);
    second.mood = 'down';
    await mine();
    expect(await balance()).toBe(0n);
    await start([await reopened(), await agreeing.open()], account);
    await look();
    expect(await balance()).toBe(inBooks(5n));
    await agreeing.close();
  });

  test('a payment is credited when every node reports it, and reversed when no node has it any more', async () => {
    const account = accountOf("m/84'/0'/2'");
    const both = async (other: FakeChain): Promise<void> => {
      await second?.close();
      second = new FakeNode(family, other);
      await start([await reopened(), await second.open()], account);
      await look();
    };
    await both(chain.copy());
    const { address, balance } = await openDeposit();
    send(address, 5n);
    chain.mine(REQUIRED + 1);
    await both(chain.copy({ isEmpty: true }));
    expect(await balance()).toBe(0n);
    const before = chain.copy();
    await both(before);
    expect(await balance()).toBe(inBooks(5n));
    chain.fork(REQUIRED + 2, 'lost');
    await look();
    await mine(REQUIRED * 2);
    expect(await balance()).toBe(inBooks(5n));
    await both(chain.copy());
    expect(await balance()).toBe(0n);
  });

  test('[CRY-1] the least amount is one that can be sent on the chain, and paying it is enough', async () => {
    const { address, balance, data } = await openDeposit('0.50000001');
    const least = decimals < 8 ? '0.50000100' : '0.50000001';
    expect(data?.minDepositValue).toBe(least);
    const raw = BigInt(least.replace('.', '')) * 10n ** BigInt(Math.max(0, decimals - 8));
    chain.send({
      to: address,
      raw: decimals < 8 ? raw / 10n ** BigInt(8 - decimals) : raw,
      ...(contract !== undefined && { contract }),
    });
    await mine(REQUIRED);
    expect(await balance()).toBe(BigInt(least.replace('.', '')));
  });

  if (contract !== undefined) {
    test('what came of a token that the settings no longer name waits, and is not counted in another unit', async () => {
      const account = accountOf("m/84'/0'/3'");
      await start([await reopened()], account);
      const { address, balance } = await openDeposit();
      send(address, 5n);
      await mine(1);
      await start([await reopened()], account, { isTokenKnown: false });
      await mine(REQUIRED);
      expect(await balance()).toBe(0n);
      await start([await reopened()], account);
      await look();
      expect(await balance()).toBe(inBooks(5n));
    });
  } else if (family === 'evm') {
    test.each([
      ['block', 'behind'],
      ['receipt', 'without-receipts'],
    ] as const)('a %s that the node does not have yet is asked for again', async (_what, mood) => {
      const { address, balance } = await openDeposit();
      send(address, 5n);
      node.mood = mood;
      for (let rounds = 0; rounds < 5; rounds += 1) await mine();
      node.mood = 'well';
      await mine(REQUIRED);
      await mine(10);
      expect(await balance()).toBe(inBooks(5n));
    });
  }

  async function reopened(): Promise<string> {
    await node.close();
    node = new FakeNode(family, chain);
    return node.open();
  }

  if (family === 'esplora') {
    test('a payment in no block is shown, and one that replaces it is the one that counts', async () => {
      const { address, balance, status } = await openDeposit();
      send(address, 5n);
      await look();
      expect(await status()).toMatchObject({ status: 0, confirmations: 0 });
      // Replaced by fee: the first transaction is in no block and no longer pending.
      chain.waiting = [];
      send(address, 6n);
      await mine(REQUIRED);
      expect(await balance()).toBe(inBooks(6n));
    });

    test('several outputs of one transaction are one payment', async () => {
      const { address, balance } = await openDeposit();
      const txid = send(address, 3n);
      send(address, 4n, { txid });
      await mine(REQUIRED);
      expect(await balance()).toBe(inBooks(7n));
    });
  } else {
    test('a transaction that failed brings nothing', async () => {
      const { address, balance } = await openDeposit();
      send(address, 5n, { hasFailed: true });
      await mine(REQUIRED + 1);
      expect(await balance()).toBe(0n);
    });
  }
});

test('[SRV-2] after all these tests the ledger is sound', async () => {
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});
