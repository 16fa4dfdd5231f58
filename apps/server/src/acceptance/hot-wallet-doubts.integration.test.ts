/** A hot wallet whose nodes lag, lie or show a transaction that the cashier does not know. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keptOpen, type Printed, runCommand } from '../cli/run-command.fixture.ts';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { silentLogger } from '../database/testing/test-database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { withoutTriggers } from '../ledger/without-triggers.fixture.ts';
import { decidePayout } from '../providers/crypto/payouts/decide-payout.ts';
import type { LocalChain } from '../providers/crypto/testing/local-chain.ts';
import { TestSigner } from '../providers/crypto/testing/test-signer.ts';
import { closeOnLoopback, openOnLoopback } from '../providers/loopback-server.fixture.ts';
import type { PayoutBench } from './coin-payouts.fixture.ts';
import { type HotWallet, withHotWallet } from './hot-wallet.fixture.ts';

const HALF = 5n * 10n ** 17n;
const PENDING = 3;
let chain: LocalChain;
let database: Database;
let signer: TestSigner;
let wallet: HotWallet;
let replica: Replica;
let errors: string[];
let next = 0;

withHotWallet(10n ** 21n, (made) => {
  wallet = made;
  ({ chain, signer } = made);
  ({ database } = made.opened);
});
beforeEach(async () => {
  replica = await Replica.open(chain.url);
  signer.requests.length = 0;
  errors = [];
});
afterEach(() => replica.close());

/** A node that answers as the chain does, except that its counts of transactions are off. */
class Replica {
  /** Added to each count. */
  offset = 0;
  readonly url: string;
  readonly #server: Server;

  private constructor(url: string, server: Server) {
    this.url = url;
    this.#server = server;
  }

  static async open(upstream: string): Promise<Replica> {
    const shifted = (answer: { result?: unknown }, method: string) =>
      method === 'eth_getTransactionCount' && typeof answer.result === 'string'
        ? { ...answer, result: `0x${Math.max(0, Number(answer.result) + opened.offset).toString(16)}` }
        : answer;
    const server = createServer((request, response) => {
      void (async () => {
        let body = '';
        for await (const part of request) body += String(part);
        const answer = await fetch(upstream, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        const asked = JSON.parse(body) as { method: string } | { method: string }[];
        const told = (await answer.json()) as { result?: unknown } | { result?: unknown }[];
        const whole = Array.isArray(asked)
          ? (told as { result?: unknown }[]).map((one, at) => shifted(one, asked[at]?.method ?? ''))
          : shifted(told as { result?: unknown }, asked.method);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(whole));
      })();
    });
    const opened = new Replica(await openOnLoopback(server), server);
    return opened;
  }

  close(): Promise<void> {
    return closeOnLoopback(this.#server);
  }
}

const open = (nodes: readonly string[]): PayoutBench =>
  wallet.open({
    nodes,
    log: { ...silentLogger, error: (_fields: object, message: string) => void errors.push(message) },
  });

const newAddress = (): string => `0x${(0xeab000 + ++next).toString(16).padStart(40, '6')}`;
const nonceNow = async (): Promise<bigint> =>
  BigInt(String(await chain.ask('eth_getTransactionCount', [TestSigner.evmWallet, 'latest'])));
async function propose(by: string, tooMany = 0n, address?: string): Promise<Printed & { readonly proposal: string }> {
  const slot = (await nonceNow()) + tooMany;
  const named = address === undefined ? '' : ` --wallet ${address}`;
  const printed = await run(
    `coin-payouts accept-use propose ethereum --next ${slot} --by ${by} --reason "swept by hand"${named}`,
  );
  return { ...printed, proposal: /[\da-f-]{36}/.exec(printed.out)?.[0] ?? '' };
}
const decide = (decision: 'confirm' | 'reject', proposal: string, by: string) =>
  run(`coin-payouts accept-use ${decision} ${proposal} --by ${by}`);
/** As two people of the staff do. */
async function accept(tooMany = 0n, address?: string): Promise<Printed> {
  const proposed = await propose('eve', tooMany, address);
  return proposed.exitCode === 0 ? decide('confirm', proposed.proposal, 'ivan') : proposed;
}
async function proposals(): Promise<unknown[]> {
  const { out } = await run('coin-payouts accept-use list ethereum --json');
  return out
    .split('\n')
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line));
}
function run(command: string): Promise<Printed> {
  // `open` gives the test's own database instead.
  const environment = { DATABASE_URL: 'postgres://cashier@database.example/cashier' };
  return runCommand(command, { environment, open: keptOpen(database) });
}
async function doubt(): Promise<string | null | undefined> {
  const [row] = await database.query<{ doubt: string | null }>({ text: 'select doubt from coin_wallet' });
  return row?.doubt;
}

async function settle(bench: PayoutBench): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await bench.round();
    await chain.mine();
  }
  await bench.round();
}

/** A payout that was paid, so that the cashier knows a nonce. */
async function paidOne(): Promise<void> {
  const bench = open([chain.url]);
  const one = await bench.cashOut('ETH', '0.5', newAddress());
  await settle(bench);
  expect(await one.status()).toBe(1);
}

/** Uses the wallet as somebody does who has its key. */
async function useElsewhere(): Promise<void> {
  await chain.ask('anvil_impersonateAccount', [TestSigner.evmWallet]);
  const sent = { from: TestSigner.evmWallet, to: newAddress(), value: '0x1', gas: '0x5208', gasPrice: '0x2540be400' };
  await chain.ask('eth_sendTransaction', [sent]);
  await chain.ask('anvil_stopImpersonatingAccount', [TestSigner.evmWallet]);
  await chain.mine();
}

/** The database is as it was before a payout reserved its slot. */
const loseBeginOf = (id: string) =>
  database.transaction((transaction) =>
    withoutTriggers(transaction, [
      `delete from coin_transaction where withdrawal_id = '${id}'`,
      `delete from coin_slot where withdrawal_id = '${id}'`,
      `update coin_payout set state = 'queued', prepared_at = null, hash = null, fee = null where withdrawal_id = '${id}'`,
    ]),
  );

test('[WD-2] after a failover to a node that lags, a payout waits until the node knows all that was paid', async () => {
  await paidOne();
  const bench = open([replica.url]);
  replica.offset = -1;
  const address = newAddress();
  const payout = await bench.cashOut('ETH', '0.5', address);
  await settle(bench);
  expect(await payout.payout()).toMatchObject({ state: 'queued', reason: 'node-behind' });
  expect([await doubt(), signer.requests.length, await payout.status()]).toEqual(['node-behind', 1, PENDING]);
  replica.offset = 0;
  await settle(bench);
  expect([await payout.status(), await chain.balance(address), await doubt()]).toEqual([1, HALF, null]);
});

test('[WD-2] a node that alone names a far nonce leaves no payout hanging there', async () => {
  await paidOne();
  for (const nodes of [
    [replica.url, chain.url],
    [chain.url, replica.url],
  ]) {
    const bench = open(nodes);
    replica.offset = 40;
    const address = newAddress();
    const payout = await bench.cashOut('ETH', '0.5', address);
    await settle(bench);
    expect(await payout.payout()).toMatchObject({ state: 'queued', reason: 'nodes-disagree' });
    replica.offset = 0;
    await settle(bench);
    expect([await payout.status(), await chain.balance(address)]).toEqual([1, HALF]);
  }
});

test('[WD-2] a wallet that was used without the cashier pays nobody until staff accept it', async () => {
  await paidOne();
  await useElsewhere();
  const bench = open([chain.url, replica.url]);
  const address = newAddress();
  const payout = await bench.cashOut('ETH', '0.5', address);
  await settle(bench);
  await settle(bench);
  expect(await payout.payout()).toMatchObject({ state: 'queued', reason: 'used-elsewhere' });
  expect([await doubt(), await payout.status(), await chain.balance(address)]).toEqual(['used-elsewhere', PENDING, 0n]);
  // Once is enough: the alert goes on.
  expect(errors).toEqual(['a hot wallet was used without the cashier, so no payout begins']);
  // Somebody mistypes the number, and corrects it.
  expect(await accept(50n)).toMatchObject({ exitCode: 0 });
  await settle(bench);
  expect([await payout.status(), await doubt()]).toEqual([PENDING, 'node-behind']);
  expect(await accept()).toMatchObject({ exitCode: 0 });
  await settle(bench);
  expect([await payout.status(), await chain.balance(address), await doubt()]).toEqual([1, HALF, null]);
  // There is nothing to accept any more.
  expect(await accept()).toMatchObject({ exitCode: 1, errors: expect.stringContaining('No hot wallet of ethereum') });
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});

test('[WD-2] a payout that a lagging database lost is not made again, and its amount stays held', async () => {
  await paidOne();
  const bench = open([chain.url]);
  const address = newAddress();
  const payout = await bench.cashOut('ETH', '0.5', address);
  await bench.round();
  await chain.mine();
  const { id = '' } = (await payout.payout()) ?? {};
  await loseBeginOf(id);
  const asked = signer.requests.length;
  await settle(bench);
  expect(await payout.payout()).toMatchObject({ state: 'queued', reason: 'used-elsewhere' });
  expect([signer.requests.length, await chain.balance(address), await payout.held()]).toEqual([
    asked,
    HALF,
    50_000_000n,
  ]);
  // Staff see that it was paid, and end it. The wallet still waits for them.
  await decidePayout(database, { operatorId: 'op', withdrawalId: id, decision: 'decline', by: 'eve', hasLooked: true });
  await bench.round();
  expect(await doubt()).toBe('used-elsewhere');
  expect(await accept()).toMatchObject({ exitCode: 0 });
  const other = await bench.cashOut('ETH', '0.5', newAddress());
  await settle(bench);
  expect([await other.status(), await chain.balance(address)]).toEqual([1, HALF]);
});

test('[WD-2] a lost payout is not made again either when another one had given up its nonce before', async () => {
  await paidOne();
  const bench = open([chain.url]);
  signer.mood = 'refuses';
  const refused = await bench.cashOut('ETH', '0.5', newAddress());
  await bench.round();
  signer.mood = 'well';
  const { id: refusedId = '', state } = (await refused.payout()) ?? {};
  const address = newAddress();
  const payout = await bench.cashOut('ETH', '0.5', address);
  await bench.round();
  await chain.mine();
  const { id = '' } = (await payout.payout()) ?? {};
  const nonces = await database.query<{ is_released: boolean }>({
    text: `select is_released from coin_slot where slot = (select slot from coin_slot where withdrawal_id = $1) order by is_released`,
    values: [id],
  });
  expect([state, nonces]).toEqual(['refused', [{ is_released: false }, { is_released: true }]]);
  await loseBeginOf(id);
  await settle(bench);
  expect(await payout.payout()).toMatchObject({ state: 'queued', reason: 'used-elsewhere' });
  expect([await chain.balance(address), await doubt()]).toEqual([HALF, 'used-elsewhere']);
  // The refused payout gets its own nonce again, finds it spent, and pays nobody.
  await decidePayout(database, { operatorId: 'op', withdrawalId: id, decision: 'decline', by: 'eve', hasLooked: true });
  const again = { operatorId: 'op', withdrawalId: refusedId, decision: 'again', by: 'eve', hasLooked: false } as const;
  expect(await decidePayout(database, again)).toBe('prepared');
  await settle(bench);
  expect(await refused.payout()).toMatchObject({ state: 'displaced' });
  expect(await accept()).toMatchObject({ exitCode: 0 });
});

/** A doubt of the only wallet, as a round notes it. Two doubts do not begin at the same time. */
const found = (since = 'clock_timestamp()') =>
  database.query({
    text: `update coin_wallet set doubt = 'used-elsewhere', doubted_since = ${since} where wallet = $1`,
    values: [TestSigner.evmWallet],
  });

test('[WD-2] one person proposes to accept a wallet and another confirms it, and both are listed', async () => {
  await paidOne();
  await useElsewhere();
  await found();
  const { proposal } = await propose('eve');
  expect(await propose('ivan')).toMatchObject({ exitCode: 1, errors: expect.stringContaining('waits') });
  for (const same of ['eve', 'Eve'])
    expect(await decide('confirm', proposal, same)).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('This person has proposed the acceptance'),
    });
  expect(await doubt()).toBe('used-elsewhere');
  expect(await decide('reject', proposal, 'eve')).toMatchObject({ exitCode: 0 });
  expect(await decide('confirm', proposal, 'ivan')).toMatchObject({ exitCode: 1 });
  expect(await doubt()).toBe('used-elsewhere');
  const { proposal: second } = await propose('ivan');
  // Asked for twice, accepted once.
  for (let times = 0; times < 2; times += 1)
    expect(await decide('confirm', second, 'eve')).toMatchObject({ exitCode: 0 });
  expect(await decide('reject', second, 'eve')).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining('decided before'),
  });
  expect(await doubt()).toBeNull();
  const next = String(await nonceNow());
  const words = { next, doubt: 'used-elsewhere', reason: 'swept by hand', proposed: expect.any(String) };
  expect((await proposals()).slice(0, 2)).toMatchObject([
    { ...words, proposal: second, state: 'confirmed', proposedBy: 'ivan', decidedBy: 'eve' },
    { ...words, proposal, state: 'rejected', proposedBy: 'eve', decidedBy: 'eve' },
  ]);
  expect(await decide('confirm', 'nonsense', 'ivan')).toMatchObject({ exitCode: 2 });
  expect(await decide('confirm', randomUUID(), 'ivan')).toMatchObject({ exitCode: 1 });
});

test('[WD-2] a proposal cannot be confirmed when the wallet has another doubt, and gives way to a new proposal', async () => {
  await paidOne();
  await useElsewhere();
  await found();
  const { proposal } = await propose('eve');
  // The doubt ended by itself, and the wallet was used once more.
  await found(`doubted_since + interval '1 hour'`);
  expect(await decide('confirm', proposal, 'ivan')).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining('the doubt about the wallet has changed'),
  });
  await database.query({ text: `update coin_wallet set doubt = 'nodes-disagree' where doubt is not null` });
  expect(await decide('confirm', proposal, 'ivan')).toMatchObject({ exitCode: 1 });
  expect(await doubt()).toBe('nodes-disagree');
  await database.query({ text: `update coin_wallet set doubt = 'used-elsewhere' where doubt is not null` });
  const { proposal: second } = await propose('eve');
  expect((await proposals()).slice(0, 2)).toMatchObject([
    { proposal: second, state: 'proposed' },
    { proposal, state: 'rejected', decidedBy: 'the-cashier' },
  ]);
  expect(await decide('confirm', second, 'ivan')).toMatchObject({ exitCode: 0 });
});

test('[WD-2] the database lets two people alone accept a wallet, and keeps what they did', async () => {
  await paidOne();
  await useElsewhere();
  await found();
  const refused = (text: string) => database.query({ text }).then(() => 'accepted', constraintOf);
  const { proposal } = await propose('eve');
  const set = (change: string) => refused(`update coin_wallet_acceptance set ${change} where id = '${proposal}'`);
  const decided = "state = 'confirmed', decided_at = now(), decided_by";
  const move = (slot: string) =>
    refused(`update coin_wallet set accepted_slot = ${slot}, doubt = null, doubted_since = null
      where wallet = '${TestSigner.evmWallet}'`);
  const next = String(await nonceNow());
  // The proposal of one person is not enough.
  expect(await move(next)).toBe('coin_wallet_accepted');
  expect(await set(`${decided} = 'EVE'`)).toBe('coin_wallet_acceptance_by_two');
  for (const change of ['slot = slot + 1', `reason = 'other'`, 'doubt = null', `proposed_by = 'olga'`])
    expect(await set(change), change).toBe('coin_wallet_acceptance_immutable');
  expect(
    await refused(`insert into coin_wallet_acceptance (chain, wallet, slot, reason, state, proposed_by, decided_by, decided_at)
      values ('ethereum', '${TestSigner.evmWallet}', 9, 'swept', 'confirmed', 'eve', 'ivan', now())`),
  ).toBe('coin_wallet_acceptance_proposed_first');
  // Confirmed past the cashier: the agreed number alone, once, and only for the doubt that they saw.
  expect(await set(`${decided} = 'ivan'`)).toBe('accepted');
  expect(await move(`${next} + 1`)).toBe('coin_wallet_accepted');
  await found(`doubted_since + interval '1 hour'`);
  expect(await move(next)).toBe('coin_wallet_accepted');
  await found(`doubted_since - interval '1 hour'`);
  expect(await move(next)).toBe('accepted');
  expect(await move('0')).toBe('coin_wallet_accepted');
  expect(await set(`decided_by = 'olga'`)).toBe('coin_wallet_acceptance_immutable');
  expect(await refused(`insert into coin_wallet (chain, wallet, accepted_slot) values ('ethereum', '0xNew', 9)`)).toBe(
    'coin_wallet_accepted',
  );
  for (const text of ['delete from coin_wallet_acceptance', 'truncate coin_wallet_acceptance'])
    expect(await refused(text), text).toBe('ledger_immutable');
});

test('[WD-2] of several wallets that a chain has had, staff accept only the one that they name', async () => {
  await database.transaction((transaction) =>
    withoutTriggers(transaction, [
      `insert into coin_wallet (chain, wallet, accepted_slot) values ('ethereum', '0xOld', 1000000)`,
    ]),
  );
  await found();
  const doubted = () => database.query({ text: `select 1 from coin_wallet where doubt = 'used-elsewhere'` });
  expect((await accept()).errors).toContain(`Give --wallet: ${TestSigner.evmWallet} or 0xOld.`);
  expect(await doubted()).toHaveLength(1);
  expect(await accept(0n, TestSigner.evmWallet)).toMatchObject({ exitCode: 0 });
  expect(await doubted()).toHaveLength(0);
  expect(await database.query({ text: `select accepted_slot::text from coin_wallet where wallet = '0xOld'` })).toEqual([
    { accepted_slot: '1000000' },
  ]);
  const [newest] = await proposals();
  expect(newest).toMatchObject({ proposedBy: 'eve', wallet: TestSigner.evmWallet, doubt: 'used-elsewhere' });
});
