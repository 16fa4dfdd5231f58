/** Wallets that all operators share are compared with the books of all of them, and no operator sees the result. */
import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import type { CryptoSettings } from '../providers/crypto/crypto-settings.ts';
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
  let settings: CryptoSettings;

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
    settings = { chains: { ton } };
    const compare = (reading: Parameters<typeof compareChain>[1]) => compareChain(database, reading);
    const log = silentLogger;
    provider = createCryptoProvider({ database, clock: systemClock, log, compare, settings });
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
  /** A change that the database refuses otherwise. */
  const unguarded = (text: string, ...values: unknown[]) =>
    database.transaction(async (transaction) => {
      await transaction.query({ text: 'set local session_replication_role = replica' });
      await transaction.query({ text, values });
    });
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const readAgo = (hours: number) => unguarded('update shared_balance set at = $1', ago(hours));
  const watchedAgo = (hours: number) => unguarded('update crypto_coin set watched_at = $1', ago(hours));
  const run = (command: string, more: Record<string, string> = {}) =>
    runCommand(command, { environment: { DATABASE_URL: 'postgres://nowhere', ...more }, open: keptOpen(database) });
  const listed = async (more: Record<string, string> = {}) => {
    const { out, exitCode } = await run('shared-balances list --json', more);
    const rows = out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return { exitCode, row: rows.find(({ currency }) => currency === coin) };
  };
  /** @returns the proposal, and what the command printed */
  const propose = async (difference: string, by = 'maria', reason = 'swept') => {
    const printed = await run(
      `shared-balances propose ton ${coin} --difference ${difference} --by ${by} --reason "${reason}"`,
    );
    return { ...printed, proposal: /[\da-f-]{36}/.exec(printed.out)?.[0] ?? '' };
  };
  const decide = (decision: 'confirm' | 'reject', proposal: string, by: string) =>
    run(`shared-balances ${decision} ${proposal} --by ${by}`);
  /** The last rows of tests before this one differ, too. */
  const acceptAll = async () => {
    const { row } = await listed();
    if (row === undefined || Number(row.difference) === 0) return;
    const { proposal } = await propose(row.difference, 'maria', 'another wallet');
    await decide('confirm', proposal, 'ivan');
  };
  const proposals = async () => {
    const { out } = await run('shared-balances list --proposals --json');
    const rows: { currency: string }[] = out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return rows.filter(({ currency }) => currency === coin);
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

  test('is accepted by two people with the difference that they saw, once, and a further one shows alone', async () => {
    await paid(operators[0] ?? '', 20n);
    await readBalances();
    await acceptAll();
    chain.take(wallet, 5n * unit, contract);
    await readBalances();
    const { row } = await listed();
    expect(await propose('-4.5')).toMatchObject({ exitCode: 1, errors: expect.stringContaining('another difference') });
    expect(await propose('many')).toMatchObject({ exitCode: 2, errors: expect.stringContaining('--difference') });
    const { proposal } = await propose(row.difference);
    expect((await listed()).row).toMatchObject({ difference: '-5.00000000' });
    expect(await propose(row.difference, 'ivan')).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('waits'),
    });
    for (const same of ['maria', 'Maria'])
      expect(await decide('confirm', proposal, same)).toMatchObject({
        exitCode: 1,
        errors: expect.stringContaining('This person has proposed the acceptance'),
      });
    expect((await listed()).row).toMatchObject({ difference: '-5.00000000' });
    // Asked for twice, accepted once.
    for (let times = 0; times < 2; times += 1)
      expect(await decide('confirm', proposal, 'ivan')).toMatchObject({ exitCode: 0 });
    expect(await decide('reject', proposal, 'ivan')).toMatchObject({ exitCode: 1 });
    expect(await propose(row.difference)).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('no difference'),
    });
    await readBalances();
    expect((await listed()).row).toMatchObject({ difference: '0.00000000' });
    const kept = { proposal, difference: '-5.00000000', state: 'confirmed', proposedBy: 'maria', decidedBy: 'ivan' };
    expect((await proposals())[0]).toMatchObject({ ...kept, reason: 'swept' });
    chain.take(wallet, 2n * unit, contract);
    await readBalances();
    expect((await listed()).row).toMatchObject({ difference: '-2.00000000' });
  });

  test('keeps a rejected proposal, and rejects one whose difference has changed since', async () => {
    await paid(operators[0] ?? '', 20n);
    await readBalances();
    await acceptAll();
    chain.take(wallet, 5n * unit, contract);
    await readBalances();
    const first = await propose('-5');
    await readBalances();
    expect((await proposals())[0]).toMatchObject({ proposal: first.proposal, state: 'proposed' });
    expect(await decide('reject', first.proposal, 'maria')).toMatchObject({ exitCode: 0 });
    const second = await propose('-5', 'ivan');
    chain.take(wallet, 2n * unit, contract);
    await readBalances();
    expect(await decide('confirm', second.proposal, 'maria')).toMatchObject({ exitCode: 1 });
    expect((await proposals()).slice(0, 2)).toMatchObject([
      { proposal: second.proposal, state: 'rejected', decidedBy: 'the-cashier' },
      { proposal: first.proposal, state: 'rejected', decidedBy: 'maria' },
    ]);
    expect((await listed()).row).toMatchObject({ difference: '-7.00000000' });
    expect(await decide('confirm', randomUUID(), 'ivan')).toMatchObject({ exitCode: 1 });
    expect(await decide('confirm', 'nonsense', 'ivan')).toMatchObject({ exitCode: 2 });
  });

  test('is accepted although a stranger sent dust of the own coin meanwhile, and of tokens each unit counts', async () => {
    await paid(operators[0] ?? '', 20n);
    await readBalances();
    await acceptAll();
    chain.take(wallet, 5n * unit, contract);
    await readBalances();
    const before = (await listed()).row.accepted;
    const { proposal } = await propose('-5');
    chain.take(wallet, contract === undefined ? -10n : -1n, contract);
    await readBalances();
    expect((await listed()).row).toMatchObject({ difference: contract === undefined ? '-4.99999999' : '-4.99999900' });
    expect(await decide('confirm', proposal, 'ivan')).toMatchObject({ exitCode: contract === undefined ? 0 : 1 });
    if (contract !== undefined) return;
    await readBalances();
    const { row } = await listed();
    expect(row).toMatchObject({ difference: '0.00000000' });
    expect(Number(row.accepted)).toBeCloseTo(Number(before) - 5, 8);
  });

  test('is accepted in the database by two people alone, and what was accepted stays', async () => {
    await paid(operators[0] ?? '', 20n);
    await readBalances();
    await acceptAll();
    chain.take(wallet, 5n * unit, contract);
    await readBalances();
    const { proposal } = await propose('-5');
    const refused = (text: string) => database.query({ text }).then(() => 'accepted', constraintOf);
    const copy = (accepted: string, acceptance: string) =>
      refused(`insert into shared_balance (chain, currency, found, expected, accepted, difference, first_height, last_height, acceptance_id)
        select chain, currency, found, expected, ${accepted}, 0, 1, 1, ${acceptance} from shared_balance where currency = '${coin}'
        order by id desc limit 1`);
    expect(await copy('accepted - 1', 'null')).toBe('shared_balance_agrees');
    expect(await copy(`accepted + difference`, `'${proposal}'`)).toBe('shared_balance_agrees');
    const set = (change: string) => refused(`update shared_acceptance set ${change} where id = '${proposal}'`);
    const decided = "state = 'confirmed', decided_at = now(), decided_by";
    expect(await set(`${decided} = 'MARIA'`)).toBe('shared_acceptance_by_two');
    expect(await set('difference = -6')).toBe('shared_acceptance_immutable');
    await decide('confirm', proposal, 'ivan');
    // The same difference again, which the same two people would accept once more.
    chain.take(wallet, 5n * unit, contract);
    await readBalances();
    expect(await copy('accepted - 500000000', `'${proposal}'`)).toBe('shared_balance_accepted_once');
    // One that was confirmed past the cashier, and whose difference is another one by now.
    const late = (await propose('-5')).proposal;
    await database.query({ text: `update shared_acceptance set ${decided} = 'ivan' where id = '${late}'` });
    chain.take(wallet, 2n * unit, contract);
    await readBalances();
    expect(await copy('accepted - 500000000', `'${late}'`)).toBe('shared_balance_agrees');
    expect(await set(`decided_by = 'olga'`)).toBe('shared_acceptance_immutable');
    for (const table of ['shared_balance', 'shared_acceptance'])
      for (const text of [`delete from ${table}`, `truncate ${table} cascade`])
        expect(await refused(text), text).toBe('ledger_immutable');
    expect(await refused('update shared_balance set found = 0')).toBe('ledger_immutable');
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
    await readAgo(37);
    await acceptAll();
    expect(await listed()).toMatchObject({
      exitCode: 1,
      row: { difference: '0.00000000', notComparedSince: expect.stringMatching(/Z$/) },
    });
    expect((await run('shared-balances list')).out).toContain('not compared since 20');
    await readBalances();
    expect((await listed()).row).not.toHaveProperty('notComparedSince');
  });

  test('of a coin that nobody has compared yet is listed, and needs staff when that lasts', async () => {
    for (const table of ['shared_balance', 'crypto_coin']) await unguarded(`delete from ${table}`);
    node.mood = 'down';
    await look();
    expect(await listed()).toMatchObject({ exitCode: 0, row: { neverComparedSince: expect.any(String) } });
    await database.query({ text: `update crypto_coin set since = now() - interval '40 hours'` });
    expect(await listed()).toMatchObject({ exitCode: 1 });
    expect((await run('shared-balances list')).out).toContain('never compared since');
    node.mood = 'well';
    await readBalances();
    await acceptAll();
    expect((await listed()).row).not.toHaveProperty('neverComparedSince');
    expect(await listed()).toMatchObject({ exitCode: 0 });
  });

  test('is judged by the newest reading after a failover to a server whose clock lags', async () => {
    await paid(operators[0] ?? '', 20n);
    await readBalances();
    await acceptAll();
    // The clock of the old server was ahead.
    await unguarded(`update shared_balance set id = time_id(now() + interval '1 hour') where currency = $1`, coin);
    chain.take(wallet, 5n * unit, contract);
    await readBalances();
    expect(await listed()).toMatchObject({ exitCode: 1, row: { difference: expect.stringMatching(/^-5\.0+$/) } });
    await acceptAll();
    expect(await listed()).toMatchObject({ exitCode: 0, row: { difference: expect.stringMatching(/^0\.0+$/) } });
  });

  test('that left the settings is unwatched after three days, and one whose node fails is not', async () => {
    await paid(operators[0] ?? '', 20n);
    await readBalances();
    await acceptAll();
    chain.take(wallet, 5n * unit, contract);
    await readBalances();
    const sample = async () =>
      SHARED_WALLETS.samplesOf(await database.query({ text: SHARED_WALLETS.text })).find(
        ({ labels }) => labels.currency === coin,
      )?.value;
    // The process that watches begins again, and its node does not answer.
    node.mood = 'down';
    await readAgo(80);
    await watchedAgo(80);
    const file = join(tmpdir(), `crypto-${randomUUID()}.json`);
    writeFileSync(file, JSON.stringify(settings));
    const other = createCryptoProvider({ database, clock: systemClock, log: silentLogger, settings });
    await database.query({ text: `update crypto_chain set next_at = '-infinity'` });
    await other.watch?.round(async () => undefined);
    expect(await listed()).toMatchObject({ exitCode: 1, row: { notComparedSince: expect.any(String) } });
    // Nobody watches it for three days, as when all servers stand still: the settings of the command still name it.
    await watchedAgo(73);
    const named = await listed({ CRYPTO_FILE: file });
    expect(named.row).toHaveProperty('notComparedSince');
    expect(named.row).not.toHaveProperty('unwatchedSince');
    // Settings that cannot be read hide no coin.
    rmSync(file);
    expect((await listed({ CRYPTO_FILE: file })).row).not.toHaveProperty('unwatchedSince');
    expect((await run('shared-balances list', { CRYPTO_FILE: file })).errors).toContain('CRYPTO_FILE cannot be read');
    const left = await listed();
    // What it lacks still waits for two people.
    expect(left).toMatchObject({ exitCode: 1, row: { difference: expect.stringMatching(/^-5\.0+$/) } });
    expect(await sample()).toBe(-5);
    expect(left.row).toMatchObject({ unwatchedSince: expect.any(String) });
    expect(left.row).not.toHaveProperty('notComparedSince');
    expect((await run('shared-balances list')).out).toContain(`unwatched since ${left.row.unwatchedSince}`);
    await acceptAll();
    expect(await listed()).toMatchObject({ exitCode: 0, row: { unwatchedSince: expect.any(String) } });
    expect(await sample()).toBe(0);
    // Another server names it again, and its node still fails.
    await readAgo(80);
    await watchedAgo(71);
    expect(await listed()).toMatchObject({ exitCode: 1, row: { notComparedSince: expect.any(String) } });
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
