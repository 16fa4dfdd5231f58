/** What networks take for payouts of coins is in the ledger: the fee of the mined transaction, once. */
import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { rolledBack } from '../database/testing/rolled-back.fixture.ts';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { accountBalance, postJournal } from '../ledger/ledger.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { withoutTriggers } from '../ledger/without-triggers.fixture.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { FakeBitcoin, payToKey } from '../providers/crypto/testing/fake-bitcoin.ts';
import { LocalChain } from '../providers/crypto/testing/local-chain.ts';
import { BITCOIN_KEY, TestSigner } from '../providers/crypto/testing/test-signer.ts';
import { createPayoutBench, type PayoutBench } from './coin-payouts.fixture.ts';

const REQUIRED = 2;
const ETHER = 10n ** 18n;
const bitcoinWallet = payToKey(BITCOIN_KEY);
const payee = payToKey(new Uint8Array(32).fill(3));
const stranger = `0x${'7'.repeat(40)}`;

let chain: LocalChain;
let node: FakeBitcoin;
let opened: TestDatabase;
let database: Database;
let signer: TestSigner;
let token: string;
let ethereum: () => PayoutBench;
let bitcoin: (raiseFeeAfterSeconds?: number) => PayoutBench;

const booked = (asset: string, kind: 'network_fee' | 'provider_clearing' = 'network_fee'): Promise<bigint> =>
  accountBalance(database, 'op', { owner: kind === 'network_fee' ? '' : 'crypto', asset, kind });
/** Rounded up to the ledger's eight decimals. */
const inMinor = (wei: bigint): bigint => (wei + 10n ** 10n - 1n) / 10n ** 10n;

async function mine(bench: PayoutBench, count = REQUIRED): Promise<void> {
  await chain.mine(count);
  await bench.round();
}

beforeAll(async () => {
  [chain, opened] = await Promise.all([LocalChain.open(), openTestDatabase()]);
  database = opened.database;
  await seedOperator(database);
  [token, node, signer] = [await chain.putToken(), new FakeBitcoin(), new TestSigner()];
  const [nodeUrl, signerUrl] = await Promise.all([node.open(), signer.open()]);
  await chain.ask('anvil_setBalance', [TestSigner.evmWallet, `0x${(ETHER * 1000n).toString(16)}`]);
  await chain.sendToken(token, TestSigner.evmWallet, 1_000_000_000n);
  await chain.mine();
  for (let count = 0; count < 4; count += 1) node.fund(bitcoinWallet.script, 30_000_000n);
  const common = { database, clock: systemClock, log: silentLogger, signer: signerUrl };
  ethereum = () =>
    createPayoutBench({
      ...common,
      chain: 'ethereum',
      nodes: [chain.url],
      wallet: TestSigner.evmWallet,
      settings: { confirmations: REQUIRED, tokens: { USDT: { contract: token, decimals: 6 } } },
      payouts: { chainId: 31_337, raiseFeeAfterSeconds: 3600 },
    });
  bitcoin = (raiseFeeAfterSeconds = 3600) =>
    createPayoutBench({
      ...common,
      chain: 'bitcoin',
      nodes: [nodeUrl],
      wallet: bitcoinWallet.publicKey,
      settings: { confirmations: REQUIRED },
      payouts: { mostFee: '0.001', raiseFeeAfterSeconds },
    });
});
afterAll(async () => {
  await Promise.all([signer?.close(), chain?.close(), node?.close()]);
  await opened?.drop();
});
beforeEach(() => {
  signer.mood = 'well';
});

test('[WD-2] a payout of tokens books what the wallet paid in the coin of the chain, once', async () => {
  const bench = ethereum();
  const [before, clearing, wallet] = [
    await booked('ETH'),
    await booked('ETH', 'provider_clearing'),
    await chain.balance(TestSigner.evmWallet),
  ];
  await bench.cashOut('USDT', '12.5', stranger);
  await bench.round();
  await mine(bench, 1);
  expect(await booked('ETH')).toBe(before);
  await mine(bench);
  await Promise.all([bench.round(), bench.round()]);
  const paid = inMinor(wallet - (await chain.balance(TestSigner.evmWallet)));
  expect(paid).toBeGreaterThan(0n);
  expect(before - (await booked('ETH'))).toBe(paid);
  expect((await booked('ETH', 'provider_clearing')) - clearing).toBe(paid);
  expect(await booked('USDT')).toBe(0n);
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});

test('[WD-2] a payment that the chain refused costs its fee all the same, and the amount returns', async () => {
  const bench = ethereum();
  const before = await booked('ETH');
  const { held, payout } = await bench.cashOut('USDT', '12.5', stranger);
  await bench.round();
  const place = `0x${TestSigner.evmWallet.slice(2).toLowerCase().padStart(64, '0')}`;
  const tokens = await chain.ask('eth_getStorageAt', [token, place, 'latest']);
  await chain.ask('anvil_setStorageAt', [token, place, `0x${'0'.repeat(64)}`]);
  const wallet = await chain.balance(TestSigner.evmWallet);
  await mine(bench);
  await chain.ask('anvil_setStorageAt', [token, place, tokens]);
  expect(await payout()).toMatchObject({ state: 'failed' });
  expect([before - (await booked('ETH')), await held()]).toEqual([
    inMinor(wallet - (await chain.balance(TestSigner.evmWallet))),
    0n,
  ]);
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});

test('[WD-2] of a payout that was replaced by a higher fee, only the mined transaction is booked', async () => {
  const bench = bitcoin(1);
  await bench.cashOut('BTC', '0.1', payee.address);
  await bench.round();
  const first = node.waiting[0]?.fee ?? 0n;
  await database.query({
    text: `update coin_transaction set sent_at = now() - interval '1 minute' where sent_at is not null`,
  });
  node.rate = 9;
  await bench.round();
  await bench.round();
  const mined = node.waiting[0]?.fee ?? 0n;
  expect(mined).toBeGreaterThan(first);
  node.mine(REQUIRED);
  await bench.round();
  await bench.round();
  expect(-(await booked('BTC'))).toBe(mined);
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});

test('[WD-2] a fee that the node did not say when the payout ended is asked for, and booked later', async () => {
  const bench = bitcoin();
  const before = await booked('BTC');
  const { payout } = await bench.cashOut('BTC', '0.1', payee.address);
  await bench.round();
  const fee = node.waiting.at(-1)?.fee ?? 0n;
  node.hidesFees = true;
  node.mine(REQUIRED);
  await bench.round();
  await bench.round();
  expect([await payout(), await booked('BTC')]).toMatchObject([{ state: 'confirmed' }, before]);
  node.hidesFees = false;
  await bench.round();
  expect(before - (await booked('BTC'))).toBe(fee);
});

test('[SRV-2] the database refuses a changed or an invented fee, and the audit finds a fee without its journal', async () => {
  const changed = database.query({ text: `update coin_payout set fee_minor = 1 where fee_booked_at is not null` });
  expect(await changed.then(() => 'accepted', constraintOf)).toBe('coin_payout_immutable');
  const [paid] = await database.query<{ id: string }>({
    text: `select withdrawal_id as id from coin_payout where fee_booked_at is not null limit 1`,
  });
  const withdrawalId = paid?.id ?? '';
  const invented = database.transaction((transaction) =>
    postJournal(transaction, {
      operatorId: 'op',
      kind: 'network_fee',
      withdrawalId,
      source: 'again',
      ref: withdrawalId,
      lines: [
        { owner: 'crypto', asset: 'ETH', kind: 'provider_clearing', amount: 5n },
        { owner: '', asset: 'ETH', kind: 'network_fee', amount: -5n },
      ],
    }),
  );
  expect(await invented.then(() => 'accepted', constraintOf)).toBe('network_fee_agrees');
  const audit = await rolledBack(database, async (transaction) => {
    await withoutTriggers(transaction, [
      `update coin_payout set fee_minor = 0 where withdrawal_id = '${withdrawalId}'`,
    ]);
    return auditLedger(transaction);
  });
  expect(audit.faults).toContainEqual({ rule: 'network_fee_agrees', subject: `withdrawal ${withdrawalId}` });
});
