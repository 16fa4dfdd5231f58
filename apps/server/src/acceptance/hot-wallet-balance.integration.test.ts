/** The hot wallet is compared with the ledger: top-ups, payouts in progress, network fees, and coins that left without a payout. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import type { LocalChain } from '../providers/crypto/testing/local-chain.ts';
import { TestSigner } from '../providers/crypto/testing/test-signer.ts';
import { bookingPage, decideBooking, resolveOnce } from '../settlements/bookings.ts';
import { compareChain } from '../settlements/compare-chain.ts';
import { mismatchPage } from '../settlements/mismatch-page.ts';
import { playerFunds } from '../settlements/player-funds.ts';
import type { PayoutBench } from './coin-payouts.fixture.ts';
import { type HotWallet, withHotWallet } from './hot-wallet.fixture.ts';

const REQUIRED = 3;
const ETHER = 10n ** 18n;
const RECIPIENT = `0x${'ab'.repeat(20)}`;

let chain: LocalChain;
let database: Database;
let bench: PayoutBench;
let openBench: HotWallet['open'];
withHotWallet(ETHER * 10n, (made) => {
  ({ chain, open: openBench } = made);
  ({ database } = made.opened);
});
beforeEach(async () => {
  bench = openBench({
    settings: { confirmations: REQUIRED },
    compare: (reading) => compareChain(database, reading),
  });
  // The first round makes the row of a chain that has given out no address.
  await bench.provider.watch?.round(async () => undefined);
});

async function readBalances(): Promise<void> {
  await database.query({ text: `update crypto_chain set next_at = '-infinity', balances_due_at = '-infinity'` });
  await bench.provider.watch?.round(async () => undefined);
}
const open = async () => (await mismatchPage(database, 'op', { state: 'open', limit: 50 })).mismatches;
const surplus = async () =>
  (await playerFunds(database, 'op')).currencies.find(({ currency }) => currency === 'ETH')?.surplus;
const chains = async () => (await playerFunds(database, 'op')).chains;
async function mine(count: number): Promise<void> {
  await chain.mine(count);
  await bench.round();
}
async function end(mismatchId: string, account: 'none' | 'write_off'): Promise<void> {
  const proposal = { decisionId: randomUUID(), account, decidedBy: 'maria', reason: 'our own coins' };
  const { bookingId } = await resolveOnce(database, 'op', mismatchId, proposal);
  await decideBooking(database, 'op', bookingId, { decision: 'approve', decidedBy: 'ivan' });
}

test('[SRV-1] [WD-2] a hot wallet has what its payouts left, with their fees, and a theft shows', async () => {
  await readBalances();
  const [funded] = await open();
  expect(funded).toMatchObject({
    class: 'balance',
    reference: 'ethereum',
    expected: '0.00000000',
    found: '10.00000000',
  });
  await end(funded?.mismatchId ?? '', 'none');
  await readBalances();
  expect(await open()).toEqual([]);

  const { status } = await bench.cashOut('ETH', '0.5', RECIPIENT);
  await bench.round();
  // It was broadcast: nobody knows whether it is in the next block.
  await readBalances();
  expect(await open()).toEqual([]);
  await chain.mine(1);
  await readBalances();
  expect(await open()).toEqual([]);
  const [underWay] = await chains();
  expect(Number(underWay?.mayBeOut)).toBeGreaterThan(0.5);
  await mine(REQUIRED);
  await mine(REQUIRED);
  expect(await status()).toBe(1);
  await readBalances();
  expect(await open()).toEqual([]);
  expect(await chains()).toMatchObject([{ chain: 'ethereum', currency: 'ETH', mayBeOut: '0.00000000', addresses: 1 }]);
  // The ledger has the fee since the payout ended, so nobody is asked to approve it.
  expect((await bookingPage(database, 'op', { state: 'proposed', limit: 50 })).bookings).toEqual([]);
  await readBalances();
  expect(await open()).toEqual([]);

  // A payout since the reading counts with its fee, before and after the next one.
  await bench.cashOut('ETH', '0.001', RECIPIENT);
  await bench.round();
  await mine(REQUIRED);
  await mine(REQUIRED);
  const [last] = await chains();
  const left = await surplus();
  await readBalances();
  expect((await chains())[0]?.read).not.toBe(last?.read);
  // A fee is rounded up in the ledger, and a balance is rounded down.
  expect(Number(await surplus())).toBeCloseTo(Number(left), 7);

  await chain.ask('anvil_setBalance', [TestSigner.evmWallet, `0x${(ETHER * 9n).toString(16)}`]);
  await readBalances();
  const [stolen] = await open();
  expect(stolen).toMatchObject({ class: 'balance', found: '9.00000000' });
  expect(Number(stolen?.expected)).toBeGreaterThan(9.49);
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
  for (const text of [
    'update chain_balance set found = found + 1',
    'delete from chain_balance',
    'truncate chain_balance',
  ]) {
    expect(await database.query({ text }).then(() => 'accepted', constraintOf)).toBe('ledger_immutable');
  }
});

test('[SRV-2] a payout that left before the reading and was booked after it makes no gap in player funds', async () => {
  await readBalances();
  const before = Number(await surplus());
  const [[had], known] = [await chains(), await open()];
  const { status } = await bench.cashOut('ETH', '0.25', RECIPIENT);
  await bench.round();
  await chain.mine(1);
  // The coins have left, and the ledger still holds them for the user.
  await readBalances();
  const [read] = await chains();
  expect(Number(read?.found)).toBeLessThan(Number(had?.found) - 0.25);
  // A part of a minor unit is rounded towards agreement.
  expect(Number(read?.expected)).toBeCloseTo(Number(had?.expected), 7);
  expect(Number(await surplus())).toBeCloseTo(before, 3);
  await mine(REQUIRED);
  await mine(REQUIRED);
  expect(await status()).toBe(1);
  expect((await chains())[0]?.read).toBe(read?.read);
  const left = Number(await surplus());
  // The network fee is the operator's.
  expect(left).toBeLessThan(before);
  expect(left).toBeCloseTo(before, 3);
  // Nor does the next reading count it again.
  await readBalances();
  expect((await chains())[0]?.read).not.toBe(read?.read);
  expect(Number(await surplus())).toBeCloseTo(left, 7);
  expect(await open()).toEqual(known);
});

test('[SRV-1] [SRV-2] a payout that was booked between the reading and its comparison makes no difference', async () => {
  await readBalances();
  const [before, known, [had]] = [Number(await surplus()), await open(), await chains()];
  const { status } = await bench.cashOut('ETH', '0.125', RECIPIENT);
  const [watch, comparison] = bench.provider.watch?.parts ?? [];
  await database.query({ text: `update crypto_chain set next_at = '-infinity', balances_due_at = '-infinity'` });
  await watch?.round(async () => undefined);
  await bench.round();
  await mine(REQUIRED);
  await mine(REQUIRED);
  expect(await status()).toBe(1);
  await comparison?.round(async () => undefined);
  const [read] = await chains();
  expect([read?.found, read?.read === had?.read]).toEqual([had?.found, false]);
  expect(await open()).toEqual(known);
  expect(Number(await surplus())).toBeCloseTo(before, 3);
  await readBalances();
  expect(await open()).toEqual(known);
  expect(Number(await surplus())).toBeCloseTo(before, 3);
});

test('[SRV-1] a fee that no node has said is in progress for a day, and then it is missing', async () => {
  await readBalances();
  const known = (await open()).length;
  await bench.cashOut('ETH', '0.5', RECIPIENT);
  await bench.round();
  const [sent] = await database.query<{ hash: string }>({
    text: `select hash from coin_transaction where hash is not null order by created_at desc limit 1`,
  });
  await chain.ask('anvil_dropTransaction', [sent?.hash]);
  const has = await chain.balance(TestSigner.evmWallet);
  await chain.ask('anvil_setBalance', [TestSigner.evmWallet, `0x${(has - ETHER / 100_000n).toString(16)}`]);
  const ends = (reported: string) =>
    database.query({
      text: `update coin_payout set state = 'failed', hash = $1, reported_at = ${reported}
        where (operator_id, withdrawal_id) in (select operator_id, withdrawal_id from coin_transaction where hash = $1)`,
      values: [sent?.hash],
    });
  for (const reported of ['null', 'now()']) {
    await ends(reported);
    await readBalances();
    expect(await open()).toHaveLength(known);
  }
  await ends(`now() - interval '2 days'`);
  await readBalances();
  const missing = (await open()).slice(known).map(({ expected, found }) => Number(expected) - Number(found));
  expect(missing).toEqual([expect.closeTo(0.000_01, 8)]);
});

test('[SRV-1] with several operators, a hot wallet without a named owner is compared with nobody', async () => {
  await database.query({ text: `insert into operator (id, partner_key, name) values ('second', 'second', 'Second')` });
  const before = await chains();
  await readBalances();
  expect((await playerFunds(database, 'second')).chains).toEqual([]);
  expect((await chains()).map(({ addresses, read }) => [addresses, read !== before[0]?.read])).toEqual([[0, true]]);
});
