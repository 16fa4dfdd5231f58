/** The queue of a hot wallet: a payout that cannot begin, or that the signer refuses, holds up no other. */
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { decidePayout, waitingPayouts } from '../providers/crypto/payouts/decide-payout.ts';
import type { LocalChain } from '../providers/crypto/testing/local-chain.ts';
import type { TestSigner } from '../providers/crypto/testing/test-signer.ts';
import type { PayoutBench } from './coin-payouts.fixture.ts';
import { type HotWallet, withHotWallet } from './hot-wallet.fixture.ts';

const HALF = 5n * 10n ** 17n;
let chain: LocalChain;
let database: Database;
let signer: TestSigner;
let open: HotWallet['open'];
let bench: PayoutBench;
let next = 0;

withHotWallet(10n ** 21n, (made) => {
  ({ chain, signer, open } = made);
  ({ database } = made.opened);
});
beforeEach(() => {
  signer.mood = 'well';
});

const newAddress = (): string => `0x${(0xdab000 + ++next).toString(16).padStart(40, '5')}`;

async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await bench.round();
    await chain.mine();
  }
  await bench.round();
}

test('[WD-2] more payouts over a limit than a round looks at hold up no payout behind them', async () => {
  bench = open({ payouts: { limits: { ETH: { hour: '0.7' } } } });
  for (let count = 0; count < 51; count += 1) await bench.cashOut('ETH', '0.8', newAddress());
  const address = newAddress();
  const small = await bench.cashOut('ETH', '0.5', address);
  await settle();
  expect([await small.status(), await chain.balance(address)]).toEqual([1, HALF]);
  await database.query({ text: `update coin_payout set state = 'declined' where state = 'queued'` });
  await bench.round();
});

test('[WD-2] a payout that the node refuses holds up no other', async () => {
  bench = open();
  // The token takes no coins.
  const refusing = await bench.cashOut('ETH', '0.5', await chain.putToken());
  const address = newAddress();
  const other = await bench.cashOut('ETH', '0.5', address);
  await settle();
  expect([await other.status(), await chain.balance(address)]).toEqual([1, HALF]);
  const waiting = await refusing.payout();
  expect(await waitingPayouts(database, 'op', 10)).toMatchObject([{ withdrawalId: waiting?.id, amount: '0.50000000' }]);
  expect(waiting).toMatchObject({ state: 'queued', reason: 'node-refused' });
  const decision = { operatorId: 'op', withdrawalId: waiting?.id ?? '', by: 'eve', hasLooked: false } as const;
  expect(await decidePayout(database, { ...decision, decision: 'decline' })).toBe('declined');
  await bench.round();
  expect([await refusing.status(), await refusing.held()]).toEqual([2, 0n]);
});

test('[WD-2] many payouts that the signer refuses stop no wallet, and reserve nothing', async () => {
  bench = open();
  signer.mood = 'refuses';
  const refused = await bench.cashOut('ETH', '400', newAddress());
  for (let count = 0; count < 16; count += 1) await bench.cashOut('ETH', '400', newAddress());
  await bench.round();
  signer.mood = 'well';
  const address = newAddress();
  const other = await bench.cashOut('ETH', '0.5', address);
  await settle();
  expect([await other.status(), await chain.balance(address)]).toEqual([1, HALF]);
  const { id = '' } = (await refused.payout()) ?? {};
  const decision = { operatorId: 'op', withdrawalId: id, decision: 'decline', by: 'eve', hasLooked: false } as const;
  expect(await decidePayout(database, decision)).toBe('declined');
});

test('[WD-2] an end that cannot be reported holds up no other payout, and is reported later', async () => {
  bench = open();
  const [first, second] = [
    await bench.cashOut('ETH', '0.5', newAddress()),
    await bench.cashOut('ETH', '0.5', newAddress()),
  ];
  await bench.round();
  await chain.mine(2);
  const { id } = (await first.payout()) ?? {};
  const { withdrawals } = bench.payments;
  await database.query({ text: `update coin_wallet set next_at = '-infinity'` });
  for (const part of bench.provider.withdrawals?.watch ?? [])
    await part.round(async (report) => {
      if (report.withdrawalId === id) throw new Error('The database does not answer');
      await withdrawals.apply(report);
    });
  expect([await first.status(), await second.status()]).toEqual([3, 1]);
  await bench.round();
  expect(await first.status()).toBe(1);
});
