/**
 * Payouts on TRON whose transaction expires. The chain has no nonce, so a second transaction could pay twice. It comes only when
 * irreversible blocks have passed the expiry of the first one, and none of them has it.
 */
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { checkedPayouts, decidePayout, type PayoutDecision } from '../providers/crypto/payouts/decide-payout.ts';
import { type FakeTron, type FakeTronNode, newTronAddress } from '../providers/crypto/testing/fake-tron-node.ts';
import type { TestSigner } from '../providers/crypto/testing/test-signer.ts';
import type { PayoutBench } from './coin-payouts.fixture.ts';
import { type TronWallet, tronTransactions, VALID_FOR_S, withTronWallet } from './tron-wallet.fixture.ts';

const PENDING = 3;
const HALF = 500_000n;
/** Blocks until one cannot be taken back. */
const UNTIL_FINAL = 4;
/** Blocks until an irreversible one is so old that it proves an expiry. */
const UNTIL_PROVEN = 50;

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
  chain.isForgetful = false;
  for (const node of nodes) node.mood = {};
  bench = made.open();
});

const newAddress = (): string => newTronAddress(0x1000 + ++next);
const decide = (withdrawalId: string, decision: PayoutDecision['decision']) =>
  decidePayout(database, { operatorId: 'op', withdrawalId, decision, by: 'eve', hasLooked: false });

async function mine(count = 1): Promise<void> {
  chain.mine(count);
  await bench.round();
}

/** A payout that is sent, and that every node forgets. */
async function forgotten() {
  chain.isForgetful = true;
  const address = newAddress();
  const payout = await bench.cashOut('TRX', '0.5', address);
  await bench.round();
  return { ...payout, address };
}

/** The ids of the transactions that were asked for. */
const asked = (): number => new Set(signer.requests.map(({ unsigned }) => unsigned)).size;

test('[WD-2] a transaction that no node keeps is sent again until it expires, and only then another one is made', async () => {
  const { address, status, payout, held } = await forgotten();
  const first = signer.signed.at(-1) ?? '';
  await bench.round();
  expect([asked(), signer.requests.length]).toEqual([1, 1]);
  chain.pass(VALID_FOR_S);
  await mine(UNTIL_FINAL);
  // It has expired. The irreversible block that says so is too young: another machine of the node may not have it.
  expect(await payout()).toMatchObject({ state: 'broadcast' });
  expect([asked(), await status(), await held()]).toEqual([1, PENDING, 50_000_000n]);
  chain.isForgetful = false;
  await mine(UNTIL_PROVEN);
  expect(asked()).toBe(2);
  expect(await payout()).toMatchObject({ state: 'broadcast' });
  // The chain does not take the first one any more, whoever sends it.
  expect(chain.take(first)).toBe('TRANSACTION_EXPIRATION_ERROR');
  await mine(UNTIL_FINAL);
  expect([await status(), await held(), chain.balance(address)]).toEqual([1, 0n, HALF]);
  expect(await tronTransactions(database)).toMatchObject([
    { version: 1, isOver: true },
    { version: 2, isOver: false },
  ]);
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});

test('[WD-2] a payout that no block takes is stuck from its first expiry until a block has it, in every look', async () => {
  const { payout } = await forgotten();
  const reasons: (string | null | undefined)[] = [];
  const look = async (count: number): Promise<void> => {
    await mine(count);
    reasons.push((await payout())?.reason);
  };
  chain.pass(VALID_FOR_S);
  // Its time is over, and nobody knows yet whether a block has it. That is no fault.
  await look(UNTIL_FINAL);
  expect(reasons).toEqual([null]);
  reasons.length = 0;
  await look(UNTIL_PROVEN);
  for (let turn = 0; turn < 3; turn += 1) await look(1);
  chain.pass(VALID_FOR_S);
  for (const count of [1, UNTIL_FINAL, 1, UNTIL_PROVEN, 1]) await look(count);
  expect(asked()).toBeGreaterThan(2);
  expect(new Set(reasons)).toEqual(new Set(['stuck']));
  chain.isForgetful = false;
  await bench.round();
  await mine(2);
  expect(await payout()).toMatchObject({ state: 'seen', reason: null });
  await mine(UNTIL_FINAL);
  expect(await payout()).toMatchObject({ state: 'confirmed', reason: null });
});

test('[WD-2] a node without the block that a transaction names, or that lags, prepares nothing', async () => {
  const [first, second] = nodes;
  if (first === undefined || second === undefined) throw new Error('The chain has two nodes');
  for (const lagging of [first, second]) {
    lagging.mood = { behind: 30 };
    const one = await bench.cashOut('TRX', '0.5', newAddress());
    await bench.round();
    expect(await one.payout()).toMatchObject({ state: 'queued', reason: 'node-behind' });
    lagging.mood = {};
    await bench.round();
    await mine(UNTIL_FINAL);
    expect(await one.status()).toBe(1);
  }
});

test('[WD-2] a transaction that a block takes at the last moment is the only one', async () => {
  const { address, status } = await forgotten();
  const signed = signer.signed.at(-1) ?? '';
  // Somebody sends it when hardly any time is left, and the next block is late.
  chain.pass(VALID_FOR_S - 30);
  chain.mine();
  chain.isForgetful = false;
  expect(chain.take(signed)).toBe('SUCCESS');
  chain.pass(900);
  chain.mine();
  await bench.round();
  await mine(UNTIL_FINAL);
  expect([await status(), chain.balance(address), asked()]).toEqual([1, HALF, 1]);
});

test('[WD-2] a node that hides the payment, or moves its clock, brings about no second transaction', async () => {
  const { address, status } = await forgotten();
  chain.isForgetful = false;
  expect(chain.take(signer.signed.at(-1) ?? '')).toBe('SUCCESS');
  chain.mine();
  for (const node of nodes) {
    node.mood = { hidesPayments: true, futureMs: (VALID_FOR_S + 600) * 1000 };
    await mine(UNTIL_PROVEN);
    node.mood = { hidesPayments: true };
    chain.pass(VALID_FOR_S + 600);
    await mine(UNTIL_PROVEN);
    expect(asked()).toBe(1);
    node.mood = {};
  }
  await bench.round();
  expect([await status(), chain.balance(address), asked()]).toEqual([1, HALF, 1]);
});

test('[WD-2] nodes whose clock is wrong cannot make a transaction expire', async () => {
  const { status, address } = await forgotten();
  for (const node of nodes) node.mood = { futureMs: (VALID_FOR_S + 600) * 1000 };
  await mine(UNTIL_PROVEN);
  expect(asked()).toBe(1);
  for (const node of nodes) node.mood = {};
  chain.isForgetful = false;
  await bench.round();
  await mine(UNTIL_FINAL);
  expect([await status(), chain.balance(address), asked()]).toEqual([1, HALF, 1]);
});

test('[WD-2] a signer that is silent past the expiry is asked for another transaction, and a lost signature pays nobody', async () => {
  signer.mood = 'drops-answer';
  const address = newAddress();
  const { status, payout } = await bench.cashOut('TRX', '0.5', address);
  await bench.round();
  const lost = signer.signed.at(-1) ?? '';
  chain.pass(VALID_FOR_S);
  chain.mine(UNTIL_FINAL);
  signer.mood = 'well';
  await mine(UNTIL_PROVEN);
  expect(await payout()).toMatchObject({ state: 'broadcast' });
  expect([asked(), chain.take(lost)]).toEqual([2, 'TRANSACTION_EXPIRATION_ERROR']);
  await mine(UNTIL_FINAL);
  expect([await status(), chain.balance(address)]).toEqual([1, HALF]);
});

test('[WD-2] a lost signature that somebody sends in time, while the signer is silent, is the only payment', async () => {
  signer.mood = 'drops-answer';
  const address = newAddress();
  const { status } = await bench.cashOut('TRX', '0.5', address);
  await bench.round();
  const lost = signer.signed.at(-1) ?? '';
  expect(chain.take(lost)).toBe('SUCCESS');
  chain.mine();
  chain.pass(VALID_FOR_S);
  signer.mood = 'well';
  await mine(UNTIL_PROVEN);
  await mine(UNTIL_FINAL);
  expect([await status(), chain.balance(address), asked()]).toEqual([1, HALF, 1]);
});

test('[WD-2] what the signer refused can be declined when it has expired, and not before, or paid again', async () => {
  for (const decision of ['decline', 'again'] as const) {
    signer.mood = 'refuses';
    const address = newAddress();
    const one = await bench.cashOut('TRX', '0.5', address);
    await bench.round();
    signer.mood = 'well';
    const { id = '', state } = (await one.payout()) ?? {};
    expect(state).toBe('refused');
    expect(await checkedPayouts(database, 'op', 10)).toMatchObject([{ withdrawalId: id, fate: 'free' }]);
    await expect(decide(id, 'decline')).rejects.toThrow('can still be mined');
    // A refusal holds up no other payout of the wallet.
    const other = await bench.cashOut('TRX', '0.5', newAddress());
    await bench.round();
    await mine(UNTIL_FINAL);
    expect(await other.status()).toBe(1);
    chain.pass(VALID_FOR_S);
    await mine(UNTIL_FINAL);
    await expect(decide(id, 'decline')).rejects.toThrow('can still be mined');
    await mine(UNTIL_PROVEN);
    expect(await checkedPayouts(database, 'op', 10)).toMatchObject([{ withdrawalId: id, fate: 'expired' }]);
    expect(await decide(id, decision)).toBe(decision === 'again' ? 'queued' : 'declined');
    await bench.round();
    await mine(UNTIL_FINAL);
    const isPaid = decision === 'again';
    expect([await one.status(), await one.held(), chain.balance(address)]).toEqual([
      isPaid ? 1 : 2,
      0n,
      isPaid ? HALF : 0n,
    ]);
  }
});

test('[WD-2] the database lets a payout have one transaction that a block may still take', async () => {
  const { payout } = await forgotten();
  const { id } = (await payout()) ?? {};
  const copy = database.query({
    text: `insert into coin_transaction (operator_id, withdrawal_id, version, unsigned, fee_rate, most_fee, expires_at)
      select operator_id, withdrawal_id, version + 1, unsigned, fee_rate, most_fee, expires_at from coin_transaction where withdrawal_id = $1`,
    values: [id],
  });
  await expect(copy).rejects.toThrow('coin_transaction_live');
  const back = database.query({
    text: `update coin_payout set state = 'queued' where withdrawal_id = $1`,
    values: [id],
  });
  await expect(back).rejects.toThrow('may still take a transaction');
  const later = database.query({
    text: `update coin_transaction set expires_at = expires_at - interval '1 day' where withdrawal_id = $1`,
    values: [id],
  });
  await expect(later).rejects.toThrow('immutable');
  chain.isForgetful = false;
  await bench.round();
  await mine(UNTIL_FINAL);
});
