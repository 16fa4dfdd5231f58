/** Payouts of coins that people sign as files: with the operator API and the command line, on an EVM chain and on Bitcoin. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@opencashier/core/time/clock';
import { HDKey } from '@scure/bip32';
import { addr, Transaction } from 'micro-eth-signer';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signEvm } from '../../../../examples/signer/evm.mjs';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import type { Database } from '../database/database.ts';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { type OperatorApi, openOperatorApi } from '../operator-api/operator-api.fixture.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { decidePayout } from '../providers/crypto/payouts/decide-payout.ts';
import { FakeBitcoin, payToKey } from '../providers/crypto/testing/fake-bitcoin.ts';
import { FakeTon, newTonAddress } from '../providers/crypto/testing/fake-ton.ts';
import { LocalChain } from '../providers/crypto/testing/local-chain.ts';
import { SigningDevice } from '../providers/crypto/testing/signing-device.ts';
import { signTon } from '../providers/crypto/testing/test-signer.ts';
import { TonLedger } from '../providers/crypto/testing/ton-ledger.ts';
import { createPayoutBench, type PayoutBench } from './coin-payouts.fixture.ts';
import { ofTonWallet, wallet as tonWallet } from './ton-wallet.fixture.ts';

const REQUIRED = 2;
const HALF = 5n * 10n ** 17n;
const evmKey = '71'.repeat(32);
const evmWallet = addr.fromPrivateKey(evmKey);
const device = new SigningDevice();
const bitcoinWallet = device.address;
const payee = payToKey(new Uint8Array(32).fill(3));

/** The fields of a payment of the chain's coin. */
interface PlainFields
  extends Readonly<
    Record<'chainId' | 'nonce' | 'value' | 'gasLimit' | 'maxFeePerGas' | 'maxPriorityFeePerGas', bigint>
  > {
  readonly to: string;
}

let chain: LocalChain;
let node: FakeBitcoin;
let opened: TestDatabase;
let database: Database;
let api: OperatorApi;
let folder: string;
let ethereum: PayoutBench;
let bitcoin: PayoutBench;
let next = 0;

const newAddress = (): string => `0x${(0xfed000 + ++next).toString(16).padStart(40, '6')}`;

async function takenBy(staff: string, on: string) {
  const { status, body } = await api.ask('/coin-payouts/unsigned', { staff, chain: on });
  expect(status).toBe(200);
  return body['payouts'] as { withdrawalId: string; version: number; unsigned: string; address: string }[];
}
const give = (staff: string, transactions: string[]) => api.ask('/coin-payouts/signed', { staff, transactions });
const messageOf = ({ body }: { body: Record<string, unknown> }): unknown =>
  (body['error'] as { message: string } | undefined)?.message;

async function ended(): Promise<void> {
  await ethereum.round();
  await chain.mine(REQUIRED);
  await ethereum.round();
}

beforeAll(async () => {
  [chain, opened] = await Promise.all([LocalChain.open(), openTestDatabase()]);
  database = opened.database;
  await seedOperator(database);
  node = new FakeBitcoin();
  const nodeUrl = await node.open();
  await chain.ask('anvil_setBalance', [evmWallet, `0x${(10n ** 21n).toString(16)}`]);
  await chain.mine();
  for (let count = 0; count < 4; count += 1) node.fund(bitcoinWallet.script, 30_000_000n);
  const common = { database, clock: systemClock, log: silentLogger, signer: '' };
  const signer = { byFile: true } as const;
  const settings = { confirmations: REQUIRED };
  ethereum = createPayoutBench({
    ...common,
    chain: 'ethereum',
    nodes: [chain.url],
    wallet: evmWallet,
    settings,
    payouts: { signer, chainId: 31_337, raiseFeeAfterSeconds: 3600 },
  });
  bitcoin = createPayoutBench({
    ...common,
    chain: 'bitcoin',
    nodes: [nodeUrl],
    wallet: device.wallet,
    settings,
    payouts: { signer, mostFee: '0.001', raiseFeeAfterSeconds: 3600 },
  });
  folder = await mkdtemp(join(tmpdir(), 'signatures-'));
  await mkdir(join(folder, 'database'));
  const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(5)).derive("m/84'/0'/0'").publicExtendedKey;
  const payouts = { wallet: device.wallet, signer, mostFee: '0.001' };
  await writeFile(
    join(folder, 'crypto.json'),
    JSON.stringify({ chains: { bitcoin: { nodes: [{ url: nodeUrl }], account, payouts } } }),
  );
});
beforeEach(async () => {
  const { coinSignatures } = ethereum.provider;
  api = await openOperatorApi(database, ethereum.payments, coinSignatures);
});
afterEach(() => api.close());
afterAll(async () => {
  await Promise.all([chain?.close(), node?.close()]);
  await opened?.drop();
  await rm(folder, { recursive: true, force: true });
});

test('[WD-2] a payout is taken by one person, given by another, sent and paid', async () => {
  const address = newAddress();
  const { status, payout } = await ethereum.cashOut('ETH', '0.5', address);
  await ethereum.round();
  const [waiting] = await takenBy('ann', 'ethereum');
  expect(waiting).toMatchObject({ address, version: 1, wallet: evmWallet, format: 'eip1559', coin: 'ETH' });
  const signed = signEvm(waiting?.unsigned ?? '', evmKey);
  const same = await give('Ann', [signed]);
  expect([same.status, messageOf(same)]).toEqual([
    409,
    'Transaction 1 was taken by the same person. A person who never took it must give it. Nothing was stored.',
  ]);
  expect(await payout()).toMatchObject({ state: 'prepared' });
  expect((await give('bob', [signed])).body).toMatchObject({ payouts: [{ version: 1, isNew: true }] });
  expect((await give('bob', [signed])).body).toMatchObject({ payouts: [{ version: 1, isNew: false }] });
  expect(await takenBy('ann', 'ethereum')).toEqual([]);
  await ended();
  expect([await status(), await chain.balance(address)]).toEqual([1, HALF]);
});

test('[WD-2] whoever took a transaction second cannot give it either, and a third person can', async () => {
  const { status, payout } = await ethereum.cashOut('ETH', '0.5', newAddress());
  await ethereum.round();
  expect(await takenBy('ann', 'ethereum')).toMatchObject([{ takenBy: ['ann'] }]);
  expect(await takenBy('Bob', 'ethereum')).toMatchObject([{ takenBy: ['ann', 'Bob'] }]);
  // Whoever asks again and again adds nothing.
  const [waiting] = await takenBy('bob', 'ethereum');
  expect(waiting).toMatchObject({ takenBy: ['ann', 'Bob'] });
  const signed = signEvm(waiting?.unsigned ?? '', evmKey);
  for (const staff of ['ann', 'bob']) {
    const same = await give(staff, [signed]);
    expect([same.status, messageOf(same)]).toEqual([409, expect.stringContaining('was taken by the same person')]);
  }
  const { id: withdrawalId } = (await payout()) ?? {};
  const givenBy = (name: string): Promise<unknown> =>
    database.query({
      text: `update coin_transaction set hash = '0x1', signed = '0x2', given_by = $2 where withdrawal_id = $1`,
      values: [withdrawalId, name],
    });
  // The database itself refuses both.
  for (const name of ['ANN', 'BOB'])
    await expect(givenBy(name)).rejects.toMatchObject({ constraint: 'coin_transaction_by_two' });
  expect((await give('carl', [signed])).status).toBe(200);
  const takes = await database.query({
    text: 'select by from coin_transaction_take where withdrawal_id = $1 order by at',
    values: [withdrawalId],
  });
  expect(takes).toEqual([{ by: 'ann' }, { by: 'Bob' }]);
  const [row] = await database.query({
    text: 'select taken_by, given_by from coin_transaction where withdrawal_id = $1',
    values: [withdrawalId],
  });
  expect(row).toEqual({ taken_by: 'ann', given_by: 'carl' });
  await ended();
  expect(await status()).toBe(1);
});

test('[WD-2] a transaction that an older version of the cashier gave out has its first taker, and others are added', async () => {
  const { status, payout } = await ethereum.cashOut('ETH', '0.5', newAddress());
  await ethereum.round();
  const { id: withdrawalId } = (await payout()) ?? {};
  await database.query({
    text: `update coin_transaction set taken_by = 'ann', taken_at = now() - interval '1 hour' where withdrawal_id = $1`,
    values: [withdrawalId],
  });
  const givenByFirst = database.query({
    text: `update coin_transaction set hash = '0x1', signed = '0x2', given_by = 'ANN' where withdrawal_id = $1`,
    values: [withdrawalId],
  });
  await expect(givenByFirst).rejects.toMatchObject({ constraint: 'coin_transaction_by_two' });
  const [waiting] = await takenBy('bob', 'ethereum');
  expect(waiting).toMatchObject({ takenBy: ['ann', 'bob'] });
  const signed = signEvm(waiting?.unsigned ?? '', evmKey);
  expect([(await give('ann', [signed])).status, (await give('bob', [signed])).status]).toEqual([409, 409]);
  expect((await give('carl', [signed])).status).toBe(200);
  await ended();
  expect(await status()).toBe(1);
});

test('[WD-2] what differs from the transaction that waits is refused by its place and reason, and the payout goes on', async () => {
  const address = newAddress();
  const { status, payout } = await ethereum.cashOut('ETH', '0.5', address);
  await ethereum.round();
  const [{ unsigned = '' } = {}] = await takenBy('ann', 'ethereum');
  const fields = Transaction.fromHex(unsigned).raw as unknown as PlainFields;
  const { chainId, nonce, to, value, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = fields;
  const changed = (change: Partial<PlainFields>): string => {
    const same = {
      chainId,
      nonce,
      to,
      value,
      data: '0x',
      gasLimit,
      maxFeePerGas,
      maxPriorityFeePerGas,
      accessList: [],
    };
    return Transaction.prepare({ ...same, ...change, type: 'eip1559' as const }, false)
      .signBy(evmKey, false)
      .toHex();
  };
  const good = signEvm(unsigned, evmKey);
  const wrong: readonly (readonly [string, string])[] = [
    [signEvm(unsigned, '73'.repeat(32)), 'is not signed by the key of the wallet'],
    [changed({ value: 1n }), 'pays another amount'],
    [changed({ to: newAddress() }), 'pays another recipient'],
    [changed({ gasLimit: 90_000n }), 'has another fee'],
    [changed({ nonce: 99n }), 'is none of the transactions that wait'],
    [unsigned, 'cannot be read, or has no signature'],
    ['garbage', 'cannot be read, or has no signature'],
  ];
  for (const [text, reason] of wrong) {
    const answer = await give('bob', [good, text]);
    expect([answer.status, messageOf(answer)]).toEqual([409, `Transaction 2 ${reason}. Nothing was stored.`]);
  }
  // Nothing of the good one was stored either.
  expect(await payout()).toMatchObject({ state: 'prepared' });
  expect((await give('bob', [good])).status).toBe(200);
  await ended();
  expect([await status(), await chain.balance(address)]).toEqual([1, HALF]);
});

test('[WD-2] another operator sees and signs nothing, and a signature that nobody took is refused', async () => {
  const { payout, status } = await ethereum.cashOut('ETH', '0.5', newAddress());
  await ethereum.round();
  const [row] = await database.query<{ unsigned: string }>({
    text: `select unsigned from coin_transaction t join coin_payout p using (operator_id, withdrawal_id) where p.state = 'prepared'`,
  });
  const signed = signEvm(row?.unsigned ?? '', evmKey);
  expect(messageOf(await give('bob', [signed]))).toContain('was never taken');
  await database.query({ text: `insert into operator (id, partner_key, name) values ('other', 'other', 'Other')` });
  const other = await api.ask('/coin-payouts/unsigned', { staff: 'eve' }, 'other');
  expect(other.body).toEqual({ payouts: [] });
  const stolen = await api.ask('/coin-payouts/signed', { staff: 'eve', transactions: [signed] }, 'other');
  expect(stolen.code).toBe('state-conflict');
  expect(await payout()).toMatchObject({ state: 'prepared' });
  await takenBy('ann', 'ethereum');
  await give('bob', [signed]);
  await ended();
  expect(await status()).toBe(1);
});

test('[WD-2] of a payout that was refused and began again, people sign the newest transaction alone', async () => {
  const address = newAddress();
  const { status, payout } = await ethereum.cashOut('ETH', '0.5', address);
  await ethereum.round();
  const [first] = await takenBy('ann', 'ethereum');
  const { id: withdrawalId = '' } = (await payout()) ?? {};
  // The wallet had a signer on the network, which refused. Its nonce is free for others.
  for (const text of [
    `update coin_payout set state = 'refused', reason = 'signer-limit' where withdrawal_id = $1`,
    `update coin_slot set is_released = true where withdrawal_id = $1`,
  ])
    await database.query({ text, values: [withdrawalId] });
  const other = await ethereum.cashOut('ETH', '0.5', newAddress());
  await ethereum.round();
  const [others] = await takenBy('ann', 'ethereum');
  await give('bob', [signEvm(others?.unsigned ?? '', evmKey)]);
  await ended();
  await decidePayout(database, { operatorId: 'op', withdrawalId, decision: 'again', by: 'eve', hasLooked: false });
  await ethereum.round();
  const again = await takenBy('ann', 'ethereum');
  expect(again).toMatchObject([{ version: 2, address }]);
  const old = await give('bob', [signEvm(first?.unsigned ?? '', evmKey)]);
  expect([old.status, messageOf(old)]).toEqual([409, expect.stringContaining('is none of the transactions that wait')]);
  expect((await give('bob', [signEvm(again[0]?.unsigned ?? '', evmKey)])).status).toBe(200);
  await ended();
  expect([await status(), await other.status(), await chain.balance(address)]).toEqual([1, 1, HALF]);
});

test('[WD-2] many and long transactions are compared, and each is answered', async () => {
  const { status } = await ethereum.cashOut('ETH', '0.5', newAddress());
  await ethereum.round();
  const [{ unsigned = '' } = {}] = await takenBy('ann', 'ethereum');
  const good = signEvm(unsigned, evmKey);
  const long = await give('bob', [good, `0x${'02'.repeat(150_000)}`]);
  expect([long.status, messageOf(long)]).toEqual([
    409,
    'Transaction 2 cannot be read, or has no signature. Nothing was stored.',
  ]);
  const { body } = await give(
    'bob',
    Array.from({ length: 100 }, () => good),
  );
  const news = (body['payouts'] as { isNew: boolean }[]).filter(({ isNew }) => isNew);
  expect([body['payouts'], news]).toEqual([expect.objectContaining({ length: 100 }), [expect.anything()]]);
  await ended();
  expect(await status()).toBe(1);
});

describe('on TON', () => {
  const ledger = new TonLedger();
  const index = new FakeTon(ledger);
  let ton: PayoutBench;

  beforeAll(async () => {
    ledger.fund(tonWallet, 10_000_000_000n);
    const clock = { ...systemClock, now: () => Date.now() + ledger.laterS * 1000 };
    ton = createPayoutBench({
      ...{ database, clock, log: silentLogger, signer: '', nodes: [await index.open()] },
      ...ofTonWallet(1),
      payouts: { signer: { byFile: true }, mostFee: '0.2' },
    });
  });
  beforeEach(async () => {
    await api.close();
    api = await openOperatorApi(database, ton.payments, ton.provider.coinSignatures);
  });
  afterAll(() => index.close());

  async function mined(): Promise<void> {
    for (let blocks = 0; blocks < 5; blocks += 1) {
      await ton.round();
      ledger.mine();
    }
    await ton.round();
  }
  async function signed(waiting: { unsigned: string } | undefined): Promise<void> {
    expect((await give('bob', [signTon(waiting?.unsigned ?? '', 'well')])).status).toBe(200);
  }

  test('[WD-2] both the address and its memo are shown to the people who sign', async () => {
    const address = newTonAddress(1, { bounceable: false });
    const { status } = await ton.cashOut('TON', '0.5', address, 'op', '104729');
    await ton.round();
    const [waiting] = await takenBy('ann', 'ton');
    expect(waiting).toMatchObject({ address, memo: '104729', format: 'ton-v4r2' });
    await signed(waiting);
    await mined();
    expect([await status(), ledger.account(address).balance]).toEqual([1, HALF / 10n ** 9n]);
  });

  test('[WD-2] an order that people sign after a week is paid, also when the nodes then forget it', async () => {
    const address = newTonAddress(2, { bounceable: false });
    const { status } = await ton.cashOut('TON', '0.5', address);
    for (let day = 0; day < 7; day += 1) {
      await ton.round();
      ledger.laterS += 86_401;
    }
    index.isForgetful = true;
    await ton.round();
    await signed((await takenBy('ann', 'ton'))[0]);
    await ton.round();
    ledger.laterS += 86_401;
    index.isForgetful = false;
    await ton.round();
    await signed((await takenBy('ann', 'ton'))[0]);
    await mined();
    expect([await status(), ledger.account(address).balance]).toEqual([1, HALF / 10n ** 9n]);
  });
});

test('[WD-2] the command line writes a PSBT that a device signs without any other software, and takes the signed file', async () => {
  const { status, payout } = await bitcoin.cashOut('BTC', '0.1', payee.address);
  await bitcoin.round();
  const environment = { DATA_DIR: folder, CRYPTO_FILE: join(folder, 'crypto.json') };
  const run = (command: string) => runCommand(command, { environment, open: keptOpen(database) });
  const written = await run(`coin-payouts unsigned pk --to ${folder} --by ann`);
  expect([written.exitCode, written.errors]).toEqual([0, '']);
  const name = (await readdir(folder)).find((file) => file.endsWith('-1.psbt')) ?? '';
  expect(written.out).toContain(`${name}: 0.10000000 BTC to ${payee.address}`);
  const bytes = await readFile(join(folder, name));
  expect(await run(`coin-payouts unsigned pk --to ${folder} --by ann`)).toMatchObject({
    exitCode: 0,
    out: written.out,
  });
  // Another file of this name is not replaced. Bob takes nothing where nothing can be written, so that he may give it below.
  await writeFile(join(folder, name), 'other');
  for (const command of [`--to ${folder} --by ann`, `--to ${join(folder, 'none')} --by bob`])
    expect((await run(`coin-payouts unsigned pk ${command}`)).exitCode, command).toBe(2);
  const path = join(folder, 'renamed-by-the-device.psbt');
  await writeFile(path, bytes);
  expect((await run(`coin-payouts signed pk ${path} --by bob`)).errors).toContain('has no signature');
  const { signed, shown } = device.sign(bytes);
  expect(shown).toEqual([10_000_000n]);
  await writeFile(path, signed);
  expect((await run(`coin-payouts signed pk ${path} --by ann`)).errors).toContain('the same person');
  expect(await payout()).toMatchObject({ state: 'prepared' });
  expect(await run(`coin-payouts signed pk ${path} --by bob`)).toMatchObject({ exitCode: 0 });
  await bitcoin.round();
  node.mine(REQUIRED);
  await bitcoin.round();
  expect([await status(), node.receivedBy(payee.script)]).toEqual([1, 10_000_000n]);
});
