/** The signer of `examples/signer`, as its README says to run it, pays out with the real server on an EVM chain and on Bitcoin. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@opencashier/core/time/clock';
import { addr } from 'micro-eth-signer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApprovals } from '../../../../examples/signer/approvals.mjs';
import { createSigner } from '../../../../examples/signer/server.mjs';
import type { Database } from '../database/database.ts';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { withoutTriggers } from '../ledger/without-triggers.fixture.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { decideUse, proposeUse } from '../providers/crypto/payouts/wallet-acceptances.ts';
import { FakeBitcoin, payToKey } from '../providers/crypto/testing/fake-bitcoin.ts';
import { LocalChain } from '../providers/crypto/testing/local-chain.ts';
import { SIGNER_SECRET } from '../providers/crypto/testing/test-signer.ts';
import { closeOnLoopback, openOnLoopback } from '../providers/loopback-server.fixture.ts';
import { createPayoutBench, type PayoutBench } from './coin-payouts.fixture.ts';

const REQUIRED = 2;
const PENDING = 3;
const HALF = 5n * 10n ** 17n;
const evmKey = '61'.repeat(32);
const evmWallet = addr.fromPrivateKey(evmKey);
const bitcoinKey = new Uint8Array(32).fill(0x62);
const bitcoinWallet = payToKey(bitcoinKey);
const payee = payToKey(new Uint8Array(32).fill(3));

let chain: LocalChain;
let node: FakeBitcoin;
let opened: TestDatabase;
let database: Database;
let signer: Awaited<ReturnType<typeof createSigner>>;
let folder: string;
let token: string;
let ethereum: PayoutBench;
let bitcoin: PayoutBench;
let next = 0;

const newAddress = (): string => `0x${(0xdef000 + ++next).toString(16).padStart(40, '5')}`;

const policyOf = (contract: string): string =>
  JSON.stringify({
    wallets: {
      ethereum: {
        format: 'eip1559',
        chainId: 31_337,
        decimals: 18,
        mostFee: '0.05',
        dayPayments: 50,
        assets: {
          ETH: { decimals: 18, payment: '2', day: '50', approveAbove: '1' },
          USDT: { contract, decimals: 6, payment: '100', day: '1000', approveAbove: '100' },
        },
      },
      bitcoin: {
        format: 'psbt',
        prefix: 'bc',
        decimals: 8,
        mostFee: '0.001',
        dayPayments: 50,
        assets: { BTC: { decimals: 8, payment: '1', day: '1', approveAbove: '1' } },
      },
    },
  });

async function mined(): Promise<void> {
  await chain.mine(REQUIRED);
  await ethereum.round();
}

beforeAll(async () => {
  [chain, opened] = await Promise.all([LocalChain.open(), openTestDatabase()]);
  database = opened.database;
  await seedOperator(database);
  [node, token, folder] = [new FakeBitcoin(), await chain.putToken(), await mkdtemp(join(tmpdir(), 'signer-'))];
  const keys = { ethereum: `0x${evmKey}\n`, bitcoin: Buffer.from(bitcoinKey).toString('hex') };
  signer = await createSigner({ secrets: [SIGNER_SECRET], policy: policyOf(token), keys, folder, isNew: true });
  const [nodeUrl, signerUrl] = await Promise.all([node.open(), openOnLoopback(signer.server)]);
  await chain.ask('anvil_setBalance', [evmWallet, `0x${(10n ** 21n).toString(16)}`]);
  await chain.sendToken(token, evmWallet, 1_000_000_000n);
  await chain.mine();
  for (let count = 0; count < 2; count += 1) node.fund(bitcoinWallet.script, 30_000_000n);
  const common = { database, clock: systemClock, log: silentLogger, signer: `${signerUrl}/sign` };
  ethereum = createPayoutBench({
    ...common,
    chain: 'ethereum',
    nodes: [chain.url],
    wallet: evmWallet,
    settings: { confirmations: REQUIRED, tokens: { USDT: { contract: token, decimals: 6 } } },
    payouts: { chainId: 31_337, raiseFeeAfterSeconds: 3600 },
  });
  bitcoin = createPayoutBench({
    ...common,
    chain: 'bitcoin',
    nodes: [nodeUrl],
    wallet: bitcoinWallet.publicKey,
    settings: { confirmations: REQUIRED },
    payouts: { mostFee: '0.001', raiseFeeAfterSeconds: 1 },
  });
});
afterAll(async () => {
  await Promise.all([chain?.close(), node?.close(), signer && closeOnLoopback(signer.server)]);
  await signer?.close();
  await opened?.drop();
  await rm(folder, { recursive: true, force: true });
});

test('[WD-2] coins and tokens are paid by the signer of the examples', async () => {
  const [first, second] = [newAddress(), newAddress()];
  const coins = await ethereum.cashOut('ETH', '0.5', first);
  const tokens = await ethereum.cashOut('USDT', '12.5', second);
  await ethereum.round();
  await mined();
  expect([await coins.status(), await tokens.status(), await chain.balance(first)]).toEqual([1, 1, HALF]);
});

test('[WD-2] a payment above its limit is held for staff, and the next one takes the nonce', async () => {
  const [large, small] = [newAddress(), newAddress()];
  const held = await ethereum.cashOut('ETH', '2.5', large);
  await ethereum.round();
  expect(await held.payout()).toMatchObject({ state: 'refused', reason: 'signer-payment-limit' });
  const paid = await ethereum.cashOut('ETH', '0.5', small);
  await ethereum.round();
  await mined();
  expect([await held.status(), await paid.status(), await chain.balance(large)]).toEqual([PENDING, 1, 0n]);
});

test('[WD-2] a large payment is paid after two people have approved it at the signer', async () => {
  const address = newAddress();
  const { status, payout } = await ethereum.cashOut('ETH', '1.5', address);
  await ethereum.round();
  await ethereum.round();
  expect(await payout()).toMatchObject({ state: 'prepared' });
  const approvals = openApprovals(folder);
  const [waiting] = approvals.list();
  expect(waiting).toMatchObject({ address, operator: 'op' });
  for (const name of ['ann', 'bob']) approvals.approve(waiting.id, name);
  await ethereum.round();
  await mined();
  expect([await status(), await chain.balance(address)]).toEqual([1, 3n * HALF]);
});

test('[WD-2] a PSBT is signed, and again with a higher fee, and the payee gets the amount once', async () => {
  const { status } = await bitcoin.cashOut('BTC', '0.1', payee.address);
  await bitcoin.round();
  const first = node.waiting[0]?.fee ?? 0n;
  await database.query({
    text: `update coin_transaction set sent_at = now() - interval '1 minute' where sent_at is not null`,
  });
  node.rate = 9;
  await bitcoin.round();
  await bitcoin.round();
  expect(node.waiting).toHaveLength(1);
  expect(node.waiting[0]?.fee).toBeGreaterThan(first);
  node.mine(REQUIRED);
  await bitcoin.round();
  expect([await status(), node.receivedBy(payee.script)]).toEqual([1, 10_000_000n]);
});

test('[WD-2] a payout that the database forgot after a failover is not signed again', async () => {
  const address = newAddress();
  const { payout, status } = await ethereum.cashOut('ETH', '0.5', address);
  await ethereum.round();
  await chain.mine();
  const { id = '' } = (await payout()) ?? {};
  // A replica that lagged has the payout as it was before its slot was reserved.
  await database.transaction((transaction) =>
    withoutTriggers(transaction, [
      `delete from coin_transaction where withdrawal_id = '${id}'`,
      `delete from coin_slot where withdrawal_id = '${id}'`,
      `update coin_payout set state = 'queued', prepared_at = null, hash = null, fee = null where withdrawal_id = '${id}'`,
    ]),
  );
  await ethereum.round();
  expect(await payout()).toMatchObject({ state: 'queued', reason: 'used-elsewhere' });
  // Staff accept it without a look. The signer still has its own memory.
  const nonce = await chain.ask('eth_getTransactionCount', [evmWallet, 'latest']);
  const wanted = { chain: 'ethereum', slot: BigInt(String(nonce)), by: 'eve', reason: 'not looked up' };
  const { id: proposal } = await proposeUse(database, wanted);
  expect(await decideUse(database, proposal, { decision: 'confirm', by: 'ivan' })).toMatchObject({
    state: 'confirmed',
  });
  await ethereum.round();
  expect(await payout()).toMatchObject({ state: 'refused', reason: 'signer-payment-was-signed' });
  await mined();
  await mined();
  expect([await status(), await chain.balance(address)]).toEqual([PENDING, HALF]);
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});
