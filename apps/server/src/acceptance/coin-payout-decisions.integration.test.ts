/** What staff can decide about a coin payout that is being checked, and what is refused because it could pay twice. */
import { CHAIN_PAYOUT_MOVES } from '@opencashier/core/chain-payout/chain-payout';
import { expect, test } from 'vitest';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import type { Database } from '../database/database.ts';
import { intercepted } from '../database/testing/intercepted.fixture.ts';
import { confirmPayout } from '../providers/crypto/payouts/confirm-payout.ts';
import {
  checkedPayouts,
  decidePayout,
  type PayoutDecision,
  PayoutDecisionError,
} from '../providers/crypto/payouts/decide-payout.ts';
import { createEvmRail } from '../providers/crypto/payouts/evm-rail.ts';
import type { LocalChain } from '../providers/crypto/testing/local-chain.ts';
import { TestSigner } from '../providers/crypto/testing/test-signer.ts';
import type { PayoutBench } from './coin-payouts.fixture.ts';
import { withHotWallet } from './hot-wallet.fixture.ts';

const HALF = 5n * 10n ** 17n;
let chain: LocalChain;
let database: Database;
let signer: TestSigner;
let bench: PayoutBench;
let next = 0;

withHotWallet(10n ** 21n, (made) => {
  ({ chain, signer } = made);
  ({ database } = made.opened);
  bench = made.open();
});

const newAddress = (): string => `0x${(0xcab000 + ++next).toString(16).padStart(40, '4')}`;
const decide = (withdrawalId: string, decision: PayoutDecision['decision'], hasLooked = false) =>
  decidePayout(database, { operatorId: 'op', withdrawalId, decision, by: 'eve', hasLooked });

/** As staff read them. */
async function decisions(withdrawalId: string): Promise<unknown[]> {
  const [row] = await database.query<{ partner_key: string }>({
    text: `select partner_key from operator where id = 'op'`,
  });
  const { out } = await runCommand(`coin-payouts decisions ${row?.partner_key} ${withdrawalId} --json`, {
    // `open` gives the test's own database instead.
    environment: { DATABASE_URL: 'postgres://cashier@database.example/cashier' },
    open: keptOpen(database),
  });
  return out
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await bench.round();
    await chain.mine();
  }
  await bench.round();
}

async function refused(mood: 'refuses' | 'other-recipient') {
  signer.mood = mood;
  const address = newAddress();
  const payout = await bench.cashOut('ETH', '0.5', address);
  await bench.round();
  signer.mood = 'well';
  const id = (await payout.payout())?.id ?? '';
  return { ...payout, address, id };
}

/** Spends the next nonce of the wallet as somebody does who has its key. */
async function useElsewhere(address: string): Promise<void> {
  await chain.ask('anvil_impersonateAccount', [TestSigner.evmWallet]);
  const sent = { from: TestSigner.evmWallet, to: address, value: '0x1', gas: '0x5208', gasPrice: '0x2540be400' };
  await chain.ask('eth_sendTransaction', [sent]);
  await chain.ask('anvil_stopImpersonatingAccount', [TestSigner.evmWallet]);
  await chain.mine();
}

test('[WD-2] the table of moves in the database is the one of the rule', async () => {
  const rows = await database.query<{ from_state: string; to_state: string }>({
    text: 'select * from coin_payout_transition',
  });
  const moves = Object.entries(CHAIN_PAYOUT_MOVES).flatMap(([from, next]) => next.map((to) => `${from}>${to}`));
  expect(rows.map((row) => `${row.from_state}>${row.to_state}`).sort()).toEqual(moves.sort());
});

test('[WD-2] while its transaction can be mined, a payout can only be paid again, with the same nonce', async () => {
  const { id, status, address } = await refused('other-recipient');
  expect(await checkedPayouts(database, 'op', 10)).toMatchObject([{ withdrawalId: id, fate: 'free' }]);
  await expect(decide(id, 'decline', true)).rejects.toThrow('can still be mined');
  expect(await decide(id, 'again')).toBe('prepared');
  await settle();
  expect([await status(), await chain.balance(address)]).toEqual([1, HALF]);
  await expect(decide(id, 'again')).rejects.toThrow('confirmed, not being checked');
});

test('[WD-2] when another payout has spent its nonce, a payout gets a new one or returns, and is never paid twice', async () => {
  const declined = await refused('refuses');
  const other = await bench.cashOut('ETH', '0.5', newAddress());
  await bench.round();
  await expect(decide(declined.id, 'again')).rejects.toThrow('Another payout has its slot');
  await expect(decide(declined.id, 'decline')).rejects.toThrow('Another payout has its slot');
  await settle();
  expect(await other.status()).toBe(1);
  expect(await decide(declined.id, 'decline')).toBe('declined');
  await settle();
  expect([await declined.status(), await declined.held(), await chain.balance(declined.address)]).toEqual([2, 0n, 0n]);

  const paid = await refused('other-recipient');
  expect(await decide(paid.id, 'release')).toBe('refused');
  const third = await bench.cashOut('ETH', '0.5', newAddress());
  await settle();
  expect(await third.status()).toBe(1);
  expect(await decide(paid.id, 'again')).toBe('queued');
  await settle();
  expect([await paid.status(), await chain.balance(paid.address)]).toEqual([1, HALF]);
  expect(await decisions(paid.id)).toMatchObject([
    { by: 'eve', decision: 'release', state: 'refused', hasLooked: false, hash: null },
    { by: 'eve', decision: 'again', state: 'refused' },
  ]);
});

// The embedded database runs one transaction at a time.
test.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  '[WD-2] a payout that is paid again as another one takes its nonce is refused with the reason',
  async () => {
    const { id } = await refused('refuses');
    await decide(id, 'release');
    const other = await bench.cashOut('ETH', '0.5', newAddress());
    const meanwhile = intercepted(database, async ({ text }) => {
      if (text.startsWith('update coin_slot set')) await bench.round();
    });
    const wanted = { operatorId: 'op', withdrawalId: id, decision: 'again', by: 'eve', hasLooked: false } as const;
    const reason = new PayoutDecisionError('Another payout has its slot. Wait until that one has ended.');
    await expect(decidePayout(meanwhile, wanted)).rejects.toThrow(reason);
    await expect(decide(id, 'again')).rejects.toThrow(reason);
    await settle();
    expect(await other.status()).toBe(1);
    expect(await decide(id, 'decline')).toBe('declined');
    await settle();
  },
);

test('[WD-2] a payout that got a new nonce is judged by this one alone', async () => {
  for (const mood of ['refuses', 'other-recipient'] as const) {
    const { id, status, address } = await refused('refuses');
    const other = await bench.cashOut('ETH', '0.5', newAddress());
    await settle();
    expect(await other.status()).toBe(1);
    expect(await decide(id, 'again')).toBe('queued');
    signer.mood = mood;
    await bench.round();
    signer.mood = 'well';
    // The signer may have signed the second transaction, too, and nobody has spent its nonce.
    expect(await checkedPayouts(database, 'op', 10)).toMatchObject([
      { withdrawalId: id, state: 'refused', fate: 'free' },
    ]);
    await expect(decide(id, 'decline', true)).rejects.toThrow('can still be mined');
    expect(await decide(id, 'again')).toBe('prepared');
    await settle();
    expect([await status(), await chain.balance(address)]).toEqual([1, HALF]);
  }
});

test('[WD-2] staff name the transaction that paid a displaced payout, and only the chain makes it paid', async () => {
  const rail = createEvmRail({ url: chain.url }, { wallet: TestSigner.evmWallet, chainId: 31_337, mostFee: 0n });
  const wallet = { chain: 'ethereum', rails: [rail], required: 2 } as const;
  const hashOf = async (signed: string): Promise<string> => String(await chain.ask('web3_sha3', [signed]));
  signer.mood = 'drops-answer';
  const address = newAddress();
  const payout = await bench.cashOut('ETH', '0.5', address);
  await bench.round();
  // The signature that nobody got is sent by somebody, and mined.
  const lost = signer.signed.at(-1) ?? '';
  await chain.sendSigned(lost);
  await chain.mine();
  signer.mood = 'well';
  await settle();
  const { id = '', state } = (await payout.payout()) ?? {};
  expect(state).toBe('displaced');

  const confirm = (hash: string, operatorId = 'op') =>
    confirmPayout(database, wallet, { operatorId, withdrawalId: id, hash, by: 'eve' });
  const other = await chain.send({ from: chain.account(0), to: address, value: HALF });
  await chain.mine(2);
  await expect(confirm(await hashOf(other))).rejects.toThrow('does not pay this payout');
  await expect(confirm(`0x${'12'.repeat(32)}`)).rejects.toThrow('does not pay this payout');
  await expect(confirm(await hashOf(lost), 'other')).rejects.toThrow('no such coin payout');
  const deeper = { ...wallet, required: 1000 };
  const named = { operatorId: 'op', withdrawalId: id, hash: await hashOf(lost), by: 'eve' };
  await expect(confirmPayout(database, deeper, named)).rejects.toThrow('all its confirmations');
  await confirm(await hashOf(lost));
  await settle();
  expect([await payout.status(), await payout.held()]).toEqual([1, 0n]);
  await expect(confirm(await hashOf(lost))).rejects.toThrow('confirmed, not displaced');
  // Refused decisions leave no trace.
  expect(await decisions(id)).toMatchObject([
    { by: 'eve', decision: 'paid', state: 'displaced', hash: await hashOf(lost) },
  ]);
});

test('[WD-2] a payout gets its slot back from one that was displaced and declined, and finds who spent it', async () => {
  const first = await refused('other-recipient');
  expect(await decide(first.id, 'release')).toBe('refused');
  signer.mood = 'drops-answer';
  const second = await bench.cashOut('ETH', '0.5', newAddress());
  await bench.round();
  signer.mood = 'well';
  const stranger = newAddress();
  await useElsewhere(stranger);
  await settle();
  const { id: secondId = '', state } = (await second.payout()) ?? {};
  expect(state).toBe('displaced');
  await expect(decide(first.id, 'again')).rejects.toThrow('Another payout has its slot');
  expect(await decide(secondId, 'decline', true)).toBe('declined');

  expect(await decide(first.id, 'again')).toBe('prepared');
  await settle();
  expect(await first.payout()).toMatchObject({ state: 'displaced' });
  expect(await decide(first.id, 'decline', true)).toBe('declined');
  const third = await bench.cashOut('ETH', '0.5', newAddress());
  await settle();
  expect([await first.status(), await second.status(), await third.status()]).toEqual([2, 2, 1]);
  expect(await chain.balance(first.address)).toBe(0n);
});

test('[WD-2] nobody decides about the payout of another operator', async () => {
  const { id } = await refused('other-recipient');
  const foreign = { operatorId: 'other', withdrawalId: id, decision: 'again', by: 'eve', hasLooked: false } as const;
  await expect(decidePayout(database, foreign)).rejects.toThrow('no such coin payout');
  await decide(id, 'again');
  await settle();
});
