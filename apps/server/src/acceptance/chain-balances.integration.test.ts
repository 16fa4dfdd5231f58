/** The balances of chains are compared with the ledger, from the payment to the approved booking. */
import { randomBytes, randomUUID } from 'node:crypto';
import { systemClock } from '@opencashier/core/time/clock';
import { HDKey } from '@scure/bip32';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import type { Database } from '../database/database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { comparedChains } from '../monitoring/compared-chains-query.ts';
import { type OperatorApi, withOperatorApi } from '../operator-api/operator-api.fixture.ts';
import { ann, commandOf } from '../payments/testing/payments.fixture.ts';
import type { CompareReading } from '../providers/chain-reading.ts';
import { BalanceStore } from '../providers/crypto/balances/balance-store.ts';
import { ADDRESSES_PER_ROUND } from '../providers/crypto/balances/read-balances.ts';
import { createCryptoProvider } from '../providers/crypto/crypto.ts';
import { FakeChain } from '../providers/crypto/testing/fake-chain.ts';
import { FakeNode } from '../providers/crypto/testing/fake-node.ts';
import type { Provider } from '../providers/provider.ts';
import { compareChain } from '../settlements/compare-chain.ts';
import { createCoinBench, forgetChains } from './coin-bench.fixture.ts';
import { watchedKinds } from './crypto-kinds.fixture.ts';

const REQUIRED = 3;
let database: Database;
let api: OperatorApi;
withOperatorApi((made) => {
  ({ database, api } = made);
});

interface Shown {
  readonly mismatchId: string;
  readonly class: string;
  readonly state: string;
  readonly expected: string;
  readonly found: string;
}

/** One of each form of balance. The tests of the Solana source read its balances. */
const kinds = watchedKinds.filter(({ chain }) => ['bitcoin', 'ethereum', 'bsc', 'tron'].includes(chain));

describe.each(kinds)(
  '[SRV-1] [SRV-2] the balance of $name',
  ({ family, chain: key, coin, network, decimals, contract }) => {
    let chain: FakeChain;
    let node: FakeNode;
    let provider: Provider;
    let payments: ReturnType<typeof createCoinBench>['payments'];
    let warnings: string[];
    let compare: CompareReading;
    const unit = 10n ** BigInt(decimals);
    /** A new one for each test. */
    let operatorId: string;
    const ask = async (path: string, body?: object) => (await api.ask(path, body, operatorId)).body;

    beforeEach(async () => {
      operatorId = `op-${randomUUID()}`;
      const text = 'insert into operator (id, partner_key, name) values ($1, $1, $1)';
      await database.query({ text, values: [operatorId] });
      chain = new FakeChain();
      node = new FakeNode(family, chain);
      warnings = [];
      compare = (reading) => compareChain(database, reading);
      const tokens = contract === undefined ? {} : { [coin]: { contract, decimals } };
      const account = HDKey.fromMasterSeed(randomBytes(32)).derive("m/84'/0'/0'").publicExtendedKey;
      provider = createCryptoProvider({
        database,
        clock: systemClock,
        log: { info: () => undefined, error: () => undefined, warn: (_fields, message) => void warnings.push(message) },
        compare: (reading) => compare(reading),
        settings: {
          chains: {
            [key]: {
              nodes: [{ url: await node.open(), headers: {} }],
              account,
              tokens,
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
    });
    afterEach(async () => {
      await node.close();
      await forgetChains(database);
    });

    /** A round of the watch, which reads no balances unless a test wants it. */
    async function look(isReading = false): Promise<void> {
      await database.query({
        text: `update crypto_chain set next_at = '-infinity', balances_due_at = case when $1 then balances_due_at else 'infinity' end`,
        values: [isReading],
      });
      await provider.watch?.round((report) => payments.apply(report));
    }
    /** Rounds of the watch until a whole reading is compared. */
    async function readBalances(): Promise<void> {
      await database.query({ text: `update crypto_chain set balances_due_at = '-infinity'` });
      for (let round = 0; round < 5; round += 1) await look(true);
    }
    async function openDeposit({ isWatched = true } = {}): Promise<string> {
      const caller = { ...ann, operatorId, userId: `user-${randomUUID()}`, currency: coin };
      const { apiResponse } = await payments.createDeposit(
        commandOf({ amount: '0.5', currency: coin, paymentType: 'coin' }, caller),
      );
      if (isWatched) await look();
      return apiResponse.data?.depositAddress ?? '';
    }
    const send = (to: string, raw: bigint) => chain.send({ to, raw, ...(contract !== undefined && { contract }) });
    /** @returns the address with the coins */
    async function paid(tenths: bigint): Promise<string> {
      const address = await openDeposit();
      send(address, (tenths * unit) / 10n);
      chain.mine(REQUIRED + 1);
      await look();
      return address;
    }
    const take = (address: string, tenths: bigint) => chain.take(address, (tenths * unit) / 10n, contract);
    const mismatches = async (query = '?state=open'): Promise<Shown[]> =>
      (await ask(`/settlement-mismatches${query}`))['mismatches'] as Shown[];
    const funds = async () => (await ask('/player-funds')) as { currencies: object[]; chains: object[] };
    async function end(mismatchId: string, account: string): Promise<void> {
      const decision = { decisionId: randomUUID(), account, decidedBy: 'maria', reason: 'swept' };
      const proposed = await ask(`/settlement-mismatches/${mismatchId}/resolve`, decision);
      const approval = { decision: 'approve', decidedBy: 'ivan' };
      expect(await ask(`/settlement-bookings/${proposed['bookingId']}/decide`, approval)).toMatchObject({
        state: 'approved',
      });
    }

    test('agrees while payments are credited, and is the bank side of player funds', async () => {
      await paid(7n);
      await paid(5n);
      await openDeposit();
      await readBalances();
      expect(await mismatches()).toEqual([]);
      expect(await funds()).toMatchObject({
        currencies: [
          {
            currency: coin,
            owedToUsers: '1.20000000',
            bank: '1.20000000',
            onChain: '1.20000000',
            inTransit: '0.00000000',
            surplus: '0.00000000',
          },
        ],
        chains: [
          {
            chain: key,
            currency: coin,
            found: '1.20000000',
            expected: '1.20000000',
            lastBlock: chain.height,
            addresses: 2,
          },
        ],
      });
      expect((await api.ask('/player-funds', undefined, 'other')).body).toMatchObject({ chains: [] });
      // What is credited after the reading is in transit until the next one.
      await paid(3n);
      expect(await funds()).toMatchObject({
        currencies: [{ bank: '1.20000000', inTransit: '0.30000000', surplus: '0.00000000' }],
      });
      expect(await ask('/settlement-files')).toMatchObject({
        files: [{ provider: 'crypto', mapping: key, lines: 0, importedBy: 'the-cashier' }],
      });
      expect(await auditLedger(database)).toMatchObject({ isSound: true });
    });

    test('has a payment that is not deep enough, and no difference', async () => {
      const address = await openDeposit();
      send(address, unit);
      chain.mine(1);
      await readBalances();
      expect(await mismatches()).toEqual([]);
      expect(await funds()).toMatchObject({ chains: [{ found: '1.00000000', expected: '1.00000000' }] });
    });

    test('counts a payment once in player funds that was in a block at the reading and is credited after it', async () => {
      await paid(7n);
      const address = await openDeposit();
      send(address, unit);
      chain.mine(1);
      await readBalances();
      const surplus = { bank: '1.70000000', inTransit: '-1.00000000', surplus: '0.00000000' };
      expect(await funds()).toMatchObject({ currencies: [{ owedToUsers: '0.70000000', ...surplus }] });
      chain.mine(REQUIRED + 1);
      await look();
      const credited = {
        owedToUsers: '1.70000000',
        bank: '1.70000000',
        inTransit: '0.00000000',
        surplus: '0.00000000',
      };
      expect(await funds()).toMatchObject({ currencies: [credited] });
      await readBalances();
      expect(await funds()).toMatchObject({ currencies: [credited] });
    });

    test('lacks coins that were moved, once and with their age, until two people have ended it', async () => {
      const address = await paid(7n);
      take(address, 4n);
      await readBalances();
      const [found] = await mismatches();
      expect(found).toMatchObject({
        class: 'balance',
        kind: 'balance',
        reference: key,
        provider: 'crypto',
        expected: '0.70000000',
        found: '0.30000000',
      });
      await readBalances();
      expect(await mismatches()).toEqual([expect.objectContaining({ mismatchId: found?.mismatchId })]);
      expect(await funds()).toMatchObject({ currencies: [{ surplus: '-0.40000000' }] });
      await end(found?.mismatchId ?? '', 'settlement_account');
      expect(await funds()).toMatchObject({
        currencies: [{ bank: '0.70000000', onChain: '0.30000000', inTransit: '0.00000000', surplus: '0.00000000' }],
      });
      await readBalances();
      expect(await mismatches()).toEqual([]);
      // A further sweep is a difference of its own.
      take(address, 3n);
      await readBalances();
      expect(await mismatches()).toMatchObject([{ expected: '0.30000000', found: '0.00000000' }]);
      expect(await auditLedger(database)).toMatchObject({ isSound: true });
    });

    test('has coins that the watch never saw, and they clear when they are gone', async () => {
      const address = await paid(7n);
      take(address, -2n);
      await readBalances();
      const [found] = await mismatches();
      expect(found).toMatchObject({ class: 'balance', expected: '0.70000000', found: '0.90000000' });
      take(address, 2n);
      await readBalances();
      expect(await mismatches('')).toMatchObject([{ mismatchId: found?.mismatchId, state: 'cleared' }]);
    });

    test('is read of all assets of an address, although a round ends among them', async () => {
      const addresses = [await paid(7n), await paid(5n)];
      const text = `insert into crypto_output select chain, txid, address, 'other', raw, height, block_hash from crypto_output`;
      await database.query({ text });
      const balances = new BalanceStore(database);
      const page = await balances.changing(key, '', 1);
      const rest = await balances.changing(key, page.at(-1)?.address ?? '', 1);
      expect([page.length, rest.length]).toEqual([2, 2]);
      expect(new Set([...page, ...rest].map(({ address }) => address))).toEqual(new Set(addresses));
    });

    test('is unknown while the node is silent, and never 0', async () => {
      await paid(7n);
      await database.query({ text: `update crypto_chain set balances_due_at = '-infinity'` });
      node.mood = 'down';
      await look(true);
      node.mood = 'nonsense';
      await look(true);
      expect(await mismatches('')).toEqual([]);
      expect(await ask('/settlement-files')).toMatchObject({ files: [] });
      expect(await funds()).toMatchObject({
        chains: [],
        currencies: [{ bank: '0.00000000', inTransit: '0.70000000' }],
      });
      node.mood = 'well';
      await readBalances();
      expect(await funds()).toMatchObject({ chains: [{ found: '0.70000000' }] });
    });

    const uncompared = async () => (await comparedChains([key]).read(database))[0]?.value;

    test('shows in a metric how long its last comparison was ago, and only a finished one counts', async () => {
      await paid(7n);
      await database.query({ text: `update crypto_chain set opened_at = now() - interval '2 days'` });
      expect(await uncompared()).toBeGreaterThanOrEqual(172_800);
      compare = () => Promise.reject(new Error('the books are busy'));
      await (await handedOver())();
      expect(await uncompared()).toBeGreaterThanOrEqual(172_800);
      compare = (reading) => compareChain(database, reading);
      await readBalances();
      expect(await uncompared()).toBeLessThan(3_600);
      node.mood = 'down';
      const text = `update crypto_chain set compared_at = now() - interval '40 hours', balances_due_at = '-infinity'`;
      await database.query({ text });
      await look(true);
      expect(await uncompared()).toBeGreaterThanOrEqual(144_000);
      // A chain that left the settings is not missed.
      expect(await comparedChains([]).read(database)).toEqual([]);
    });

    test('says since when it was not compared, instead of a number that looks fresh', async () => {
      await paid(7n);
      await readBalances();
      expect((await funds()).chains[0]).not.toHaveProperty('notComparedSince');
      expect((await funds()).currencies[0]).not.toHaveProperty('notComparedSince');
      const old = new Date(Date.now() - 37 * 3_600_000).toISOString();
      await database.transaction(async (transaction) => {
        await transaction.query({ text: 'set local session_replication_role = replica' });
        await transaction.query({ text: `update chain_balance set at = '${old}' where operator_id = '${operatorId}'` });
      });
      expect(await funds()).toMatchObject({
        currencies: [{ onChain: '0.70000000', notComparedSince: old }],
        chains: [{ found: '0.70000000', read: old, notComparedSince: old }],
      });
      // As of the time of the reading it was fresh.
      const then = (await ask(`/player-funds?at=${old}`)) as { chains: object[] };
      expect(then.chains).toMatchObject([{ read: old }]);
      expect(then.chains[0]).not.toHaveProperty('notComparedSince');
      const surroundings = { environment: { DATABASE_URL: 'postgres://nowhere' }, open: keptOpen(database) };
      const printed = await runCommand(`player-funds ${operatorId}`, surroundings);
      expect(printed.out).toContain(`0.70000000 (not compared since ${old})`);
      expect(printed.progress).toContain(`${key} was not compared since ${old}. It had 0.70000000 ${coin}`);
    });

    /** Rounds of the watch alone, until a reading waits to be compared. @returns the round that compares it */
    async function handedOver(): Promise<() => Promise<void>> {
      const [watch, balances] = provider.watch?.parts ?? [];
      await database.query({ text: `update crypto_chain set next_at = '-infinity', balances_due_at = '-infinity'` });
      await watch?.round((report) => payments.apply(report));
      return async () => balances?.round(async () => undefined);
    }

    test('is compared beside the watch: a payment is credited while the sums take long', async () => {
      await paid(7n);
      let isReleased = (): void => undefined;
      const release = new Promise<void>((resolve) => {
        isReleased = resolve;
      });
      compare = async (reading) => {
        await release;
        await compareChain(database, reading);
      };
      const comparing = (await handedOver())();
      await paid(5n);
      expect(await funds()).toMatchObject({ currencies: [{ owedToUsers: '1.20000000' }], chains: [] });
      isReleased();
      await comparing;
      expect(await mismatches()).toEqual([]);
      expect(await funds()).toMatchObject({
        currencies: [{ bank: '0.70000000', inTransit: '0.50000000', surplus: '0.00000000' }],
      });
    });

    test('is read again after an hour when its comparison failed, or came too late', async () => {
      await paid(7n);
      compare = () => Promise.reject(new Error('the books are busy'));
      await (await handedOver())();
      expect(warnings).toContain('the balances of a chain could not be compared with the ledger');
      compare = (reading) => compareChain(database, reading);
      const late = await handedOver();
      await database.query({ text: `update crypto_chain set read_at = now() - interval '6 minutes'` });
      await late();
      expect(warnings.at(-1)).toMatch(/read too long ago/);
      expect(await ask('/settlement-files')).toMatchObject({ files: [] });
      const [due] = await database.query<{ minutes: number }>({
        text: `select extract(epoch from balances_due_at - now())::float8 / 60 as minutes from crypto_chain`,
      });
      expect(due?.minutes).toBeGreaterThan(50);
      await readBalances();
      expect(await funds()).toMatchObject({ chains: [{ found: '0.70000000' }] });
    });

    test('finds in a month of lost, doubled and short coins each week what changed, and nothing else', async () => {
      const faults = ['none', 'lost', 'none', 'doubled', 'none', 'short', 'none'] as const;
      const moved = { none: 0n, lost: -5n, doubled: 5n, short: -2n };
      const sums: bigint[] = [];
      for (const week of [0, 1, 2]) {
        const count = week === 0 ? ADDRESSES_PER_ROUND + 5 : 4;
        const addresses: string[] = [];
        for (let n = 0; n < count; n += 1) addresses.push(await openDeposit({ isWatched: false }));
        for (const address of addresses) send(address, unit / 2n);
        chain.mine(REQUIRED + 1);
        await look();
        const found = addresses.map((address, n) => {
          const tenths = moved[faults[(n + week) % faults.length] ?? 'none'];
          take(address, -tenths);
          return tenths;
        });
        await readBalances();
        sums.push(found.reduce((sum, tenths) => sum + tenths, 0n));
      }
      const open = await mismatches();
      const tenthsOf = ({ found, expected }: Shown): bigint =>
        BigInt(Math.round((Number(found) - Number(expected)) * 10));
      expect(open.map(tenthsOf)).toEqual(sums.filter((sum) => sum !== 0n));
      expect(open.length).toBeGreaterThan(1);
      for (const { mismatchId } of open) await end(mismatchId, 'write_off');
      await readBalances();
      expect(await mismatches()).toEqual([]);
      // Written off, and still not there: the operator must bring as much.
      expect(await funds()).toMatchObject({ currencies: [{ surplus: '-1.00000000' }] });
    });
  },
);
