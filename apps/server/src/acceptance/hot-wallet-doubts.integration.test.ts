/** A hot wallet whose nodes lag, lie or show a transaction that the cashier does not know. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { silentLogger } from '../database/testing/test-database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { withoutTriggers } from '../ledger/without-triggers.fixture.ts';
import { decidePayout } from '../providers/crypto/payouts/decide-payout.ts';
import type { LocalChain } from '../providers/crypto/testing/local-chain.ts';
import type { TestSigner } from '../providers/crypto/testing/test-signer.ts';
import type { PayoutBench } from './coin-payouts.fixture.ts';
import { doubtedWallet, newAddress, Replica } from './doubted-wallet.fixture.ts';
import { type HotWallet, withHotWallet } from './hot-wallet.fixture.ts';

const HALF = 5n * 10n ** 17n;
const PENDING = 3;
let chain: LocalChain;
let database: Database;
let signer: TestSigner;
let wallet: HotWallet;
let replica: Replica;
let errors: string[];

withHotWallet(10n ** 21n, (made) => {
  wallet = made;
  ({ chain, signer } = made);
  ({ database } = made.opened);
});
const { accept, doubt, settle, paidOne, useElsewhere } = doubtedWallet(() => wallet);
beforeEach(async () => {
  replica = await Replica.open(chain.url);
  signer.requests.length = 0;
  errors = [];
});
afterEach(() => replica.close());

const open = (nodes: readonly string[]): PayoutBench =>
  wallet.open({
    nodes,
    log: { ...silentLogger, error: (_fields: object, message: string) => void errors.push(message) },
  });

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
  expect(await accept()).toMatchObject({ exitCode: 0 });
  await settle(bench);
  expect([await payout.status(), await chain.balance(address), await doubt()]).toEqual([1, HALF, null]);
  // There is nothing to accept any more.
  expect(await accept()).toMatchObject({ exitCode: 1, errors: expect.stringContaining('No hot wallet of ethereum') });
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});

test('[WD-2] a number of transactions that the chain dropped is replaced by a lower one', async () => {
  await paidOne();
  const bench = open([replica.url]);
  replica.offset = 3;
  const address = newAddress();
  const payout = await bench.cashOut('ETH', '0.5', address);
  await settle(bench);
  expect(await accept(3n)).toMatchObject({ exitCode: 0 });
  replica.offset = 0;
  await settle(bench);
  expect([await payout.status(), await doubt()]).toEqual([PENDING, 'node-behind']);
  expect(await accept()).toMatchObject({ exitCode: 0 });
  await settle(bench);
  expect([await payout.status(), await chain.balance(address), await doubt()]).toEqual([1, HALF, null]);
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
