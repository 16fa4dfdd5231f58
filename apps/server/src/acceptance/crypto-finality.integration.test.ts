/** Chains that say themselves which blocks are irreversible: Base and Polygon. */
import { systemClock } from '@opencashier/core/time/clock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import { FakeNode } from '../providers/crypto/testing/fake-node.ts';
import type { DepositReport, Provider } from '../providers/provider.ts';
import { CoinBench } from './coins.fixture.ts';

const REQUIRED = 3;
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const bridged = '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA';
let database: Database;
withPayments((made) => {
  ({ database } = made);
});

describe.each([
  ['base', 'USDC', usdc],
  ['polygon', 'USDT', '0xc2132D05D31c914a87C6611C10748AEb04B58e8F'],
])('[CRY-2] [SRV-4] irreversible blocks of %s', (key, coin, contract) => {
  let coins: CoinBench;
  let provider: Provider;
  let address: string;
  let told: DepositReport[];

  beforeEach(async () => {
    coins = new CoinBench({ key, family: 'evm', coin, contract }, { database, clock: systemClock });
    told = [];
    await coins.open({ confirmations: REQUIRED, questionsPerSecond: 1000 });
    provider = coins.start();
    address = (await coins.addressFrom(provider)) ?? '';
    await look();
  });
  afterEach(() => coins.close());

  async function mine(count = 1): Promise<void> {
    coins.chain.mine(count);
    await look();
  }
  async function look(): Promise<void> {
    await database.query({ text: `update crypto_chain set next_at = '-infinity'` });
    await provider.watch?.round(async (report) => told.push(report));
  }
  const outcomes = () => [...new Set(told.map(({ outcome }) => outcome))];

  test('a payment is credited once, when the chain calls its block irreversible, however many confirmations it has', async () => {
    coins.node.notFinal = 40;
    coins.send(address);
    await mine(30);
    expect(outcomes()).toEqual(['pending']);
    expect(told.at(-1)?.chain).toMatchObject({ confirmations: REQUIRED - 1, requiredConfirmations: REQUIRED });
    coins.node.notFinal = 0;
    await look();
    await mine(50);
    expect(told.filter(({ outcome }) => outcome === 'paid')).toMatchObject([
      { paidMinor: 100_000_000n, currency: coin },
    ]);
  });

  test('a reorganisation of blocks that are not irreversible yet drops the payment, and credits nobody', async () => {
    coins.node.notFinal = 40;
    coins.send(address);
    await mine(10);
    coins.chain.fork(11, 'lost');
    await mine(REQUIRED);
    coins.node.notFinal = 0;
    await mine(60);
    expect(outcomes()).toEqual(['pending', 'vanished']);
  });

  test.each(['unknown', 1000] as const)(
    'a node whose irreversible height is %s credits nobody, and reads on',
    async (notFinal) => {
      coins.node.notFinal = notFinal;
      coins.send(address);
      await mine(10);
      await mine(10);
      expect(outcomes()).toEqual(['pending']);
      const [row] = await database.query<{ height: bigint }>({
        text: 'select scanned_height as height from crypto_chain',
      });
      expect(Number(row?.height)).toBe(coins.chain.height);
    },
  );

  test('a payment that waits to become irreversible costs one request a round more', async () => {
    coins.node.notFinal = 1000;
    for (let count = 0; count < 5; count += 1) {
      coins.send((await coins.addressFrom(provider)) ?? '');
      await mine();
    }
    await mine(REQUIRED);
    await mine();
    const before = coins.node.asked;
    await mine();
    expect(coins.node.asked - before).toBeLessThanOrEqual(3);
  });

  test('a second node must call the block irreversible, too', async () => {
    const second = new FakeNode('evm', coins.chain);
    second.notFinal = 40;
    const [chain] = Object.values(coins.settings.chains);
    const nodes = [...(chain?.nodes ?? []), { url: await second.open(), headers: {} }];
    if (chain !== undefined) coins.settings = { chains: { [key]: { ...chain, nodes } } };
    provider = coins.start();
    coins.send(address);
    await mine();
    await mine(10);
    await mine();
    expect(outcomes()).toEqual(['pending']);
    second.notFinal = 0;
    await mine();
    expect(outcomes()).toEqual(['pending', 'paid']);
    await second.close();
  });

  test('another token at the same address, such as a bridged form of the coin, is not credited as the coin', async () => {
    coins.chain.send({ to: address, raw: 5_000_000n, contract: bridged });
    await mine(REQUIRED + 1);
    expect(told).toEqual([]);
    coins.send(address, 2_000_000n);
    await mine(REQUIRED + 1);
    expect(told.filter(({ outcome }) => outcome === 'paid')).toMatchObject([{ paidMinor: 200_000_000n }]);
  });
});
