/** Wallets that all operators share are compared with the books of all of them, and no operator sees the result. */
import { randomBytes, randomUUID } from 'node:crypto';
import { systemClock } from '@opencashier/core/time/clock';
import { Address } from '@ton/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { silentLogger } from '../database/testing/test-database.ts';
import { SHARED_WALLETS } from '../monitoring/shared-wallets-query.ts';
import { type OperatorApi, withOperatorApi } from '../operator-api/operator-api.fixture.ts';
import { ann, commandOf } from '../payments/testing/payments.fixture.ts';
import { createCryptoProvider } from '../providers/crypto/crypto.ts';
import { FakeChain } from '../providers/crypto/testing/fake-chain.ts';
import { FakeNode } from '../providers/crypto/testing/fake-node.ts';
import type { Provider } from '../providers/provider.ts';
import { compareChain } from '../settlements/compare-chain.ts';
import { createCoinBench, forgetChains } from './coin-bench.fixture.ts';

const REQUIRED = 3;
/** The index may be as many blocks behind. */
const SETTLED = 20;
const MASTER = `0:${'cc'.repeat(32)}`;
const kinds = [
  { coin: 'TON', decimals: 9 },
  { coin: 'USDT', decimals: 6, contract: MASTER },
];

let database: Database;
let api: OperatorApi;
withOperatorApi((made) => {
  ({ database, api } = made);
});

describe.each(kinds)('[SRV-1] the shared wallet with $coin', ({ coin, decimals, contract }) => {
  const unit = 10n ** BigInt(decimals);
  let chain: FakeChain;
  let node: FakeNode;
  let wallet: string;
  let provider: Provider;
  let payments: ReturnType<typeof createCoinBench>['payments'];
  let operators: string[];

  beforeEach(async () => {
    chain = new FakeChain();
    node = new FakeNode('ton', chain);
    wallet = new Address(0, randomBytes(32)).toString({ bounceable: false });
    operators = [`one-${randomUUID()}`, `two-${randomUUID()}`];
    for (const id of operators) {
      const text = 'insert into operator (id, partner_key, name) values ($1, $1, $1)';
      await database.query({ text, values: [id] });
    }
    const ton = {
      nodes: [{ url: await node.open(), headers: {} }],
      account: wallet,
      tokens: contract === undefined ? {} : { [coin]: { contract, decimals } },
      isCoinWatched: contract === undefined,
      confirmations: REQUIRED,
      questionsPerSecond: 1000,
    };
    const compare = (reading: Parameters<typeof compareChain>[1]) => compareChain(database, reading);
    const log = silentLogger;
    provider = createCryptoProvider({ database, clock: systemClock, log, compare, settings: { chains: { ton } } });
    ({ payments } = createCoinBench(database, provider, {
      providerOptions: { network: 'ton' },
      amount_rules: { [coin]: { min: '0.5', max: '500' } },
    }));
  });
  afterEach(async () => {
    await node.close();
    await forgetChains(database);
  });

  async function look(isReading = false): Promise<void> {
    await database.query({
      text: `update crypto_chain set next_at = '-infinity', balances_due_at = case when $1 then '-infinity'::timestamptz else 'infinity' end`,
      values: [isReading],
    });
    await provider.watch?.round((report) => payments.apply(report));
  }
  async function paid(operatorId: string, coins: bigint): Promise<void> {
    const caller = { ...ann, operatorId, userId: `user-${randomUUID()}`, currency: coin };
    const { apiResponse } = await payments.createDeposit(
      commandOf({ amount: '0.5', currency: coin, paymentType: 'coin' }, caller),
    );
    await look();
    chain.send({ to: `${wallet}/${apiResponse.data?.depositMemo}`, raw: coins * unit, ...(contract && { contract }) });
    chain.mine(REQUIRED + 1);
    await look();
  }
  async function readBalances(): Promise<void> {
    chain.mine(SETTLED);
    await look();
    await look(true);
  }
  const run = (command: string) =>
    runCommand(command, { environment: { DATABASE_URL: 'postgres://nowhere' }, open: keptOpen(database) });
  const listed = async () => {
    const { out, exitCode } = await run('shared-balances list --json');
    const rows = out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return { exitCode, row: rows.find(({ currency }) => currency === coin) };
  };
  /** The last rows of tests before this one differ, too. */
  const acceptAll = async () => {
    const { row } = await listed();
    if (row !== undefined && Number(row.difference) !== 0)
      await run(
        `shared-balances accept ton ${coin} --difference ${row.difference} --by maria --reason "another wallet"`,
      );
  };

  test('is compared with the books of all operators, whose staff see no number of it', async () => {
    const [one = '', two = ''] = operators;
    await paid(one, 7n);
    await paid(two, 50n);
    await readBalances();
    await acceptAll();
    expect(await listed()).toMatchObject({ row: { found: '57.00000000', difference: '0.00000000' } });
    chain.take(wallet, 30n * unit, contract);
    await readBalances();
    const { exitCode, row } = await listed();
    expect([exitCode, row.found]).toEqual([1, '27.00000000']);
    expect(row.difference).toBe('-30.00000000');
    for (const operatorId of operators) {
      expect((await api.ask('/settlement-mismatches', undefined, operatorId)).body).toMatchObject({ mismatches: [] });
      expect((await api.ask('/player-funds', undefined, operatorId)).body).toMatchObject({ chains: [] });
      expect((await api.ask('/settlement-files', undefined, operatorId)).body).toMatchObject({ files: [] });
    }
    const samples = SHARED_WALLETS.samplesOf(await database.query({ text: SHARED_WALLETS.text }));
    expect(samples).toContainEqual(
      expect.objectContaining({ labels: { chain: 'ton', currency: coin }, value: Number(row.difference) }),
    );
  });

  test('is accepted by staff with the difference that they saw, once, and a further one shows alone', async () => {
    await paid(operators[0] ?? '', 20n);
    await readBalances();
    await acceptAll();
    chain.take(wallet, 5n * unit, contract);
    await readBalances();
    const { row } = await listed();
    const accept = (difference: string) =>
      run(`shared-balances accept ton ${coin} --difference ${difference} --by maria --reason swept`);
    expect(await accept('-4.5')).toMatchObject({ exitCode: 1, errors: expect.stringContaining('another difference') });
    expect(await accept('many')).toMatchObject({ exitCode: 2, errors: expect.stringContaining('--difference') });
    expect(await accept(row.difference)).toMatchObject({ exitCode: 0 });
    expect(await accept(row.difference)).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('no difference'),
    });
    await readBalances();
    expect((await listed()).row).toMatchObject({ difference: '0.00000000' });
    const { out } = await run('shared-balances list --accepted --json');
    expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({ currency: coin, by: 'maria', reason: 'swept' });
    chain.take(wallet, 2n * unit, contract);
    await readBalances();
    expect((await listed()).row).toMatchObject({ difference: '-2.00000000' });
    for (const text of ['update shared_balance set found = 0', 'delete from shared_balance', 'truncate shared_balance'])
      expect(await database.query({ text }).then(() => 'accepted', constraintOf)).toBe('ledger_immutable');
  });

  test('is unknown while the node is silent or names no balance, and never 0', async () => {
    await paid(operators[0] ?? '', 20n);
    const count = async () => (await database.query({ text: 'select 1 from shared_balance' })).length;
    const before = await count();
    node.mood = 'down';
    await look(true);
    node.mood = 'nonsense';
    await look(true);
    expect(await count()).toBe(before);
    node.mood = 'well';
    await readBalances();
    expect(await count()).toBe(before + 1);
  });

  test('says since when the wallet was not compared, although somebody accepted a difference since', async () => {
    await paid(operators[0] ?? '', 20n);
    await readBalances();
    expect((await listed()).row).not.toHaveProperty('notComparedSince');
    const old = new Date(Date.now() - 37 * 3_600_000).toISOString();
    await database.query({ text: 'alter table shared_balance disable trigger shared_balance_immutable' });
    await database.query({ text: 'update shared_balance set at = $2 where currency = $1', values: [coin, old] });
    await database.query({ text: 'alter table shared_balance enable trigger shared_balance_immutable' });
    await acceptAll();
    expect(await listed()).toMatchObject({
      exitCode: 1,
      row: { difference: '0.00000000', read: old, notComparedSince: old },
    });
    expect((await run('shared-balances list')).out).toContain(`not compared since ${old}`);
    await readBalances();
    expect((await listed()).row).not.toHaveProperty('notComparedSince');
  });

  test('counts a payment that is in a block and not credited, or that the index may not have yet', async () => {
    await paid(operators[0] ?? '', 20n);
    await readBalances();
    await acceptAll();
    await paid(operators[1] ?? '', 3n);
    // The index is behind: it has not got the newest payment.
    chain.take(wallet, 3n * unit, contract);
    await look(true);
    expect((await listed()).row).toMatchObject({ difference: '0.00000000' });
    chain.take(wallet, -3n * unit, contract);
    await readBalances();
    expect((await listed()).row).toMatchObject({ difference: '0.00000000', found: '23.00000000' });
  });
});
