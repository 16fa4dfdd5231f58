/** Payouts on TRON that people sign as files. A transaction may expire before anybody has signed it. */
import { beforeEach, expect, test } from 'vitest';
import { PayoutStore } from '../providers/crypto/payouts/payout-store.ts';
import { newTronAddress } from '../providers/crypto/testing/fake-tron-node.ts';
import { signedTron } from '../providers/crypto/testing/sign-tron.ts';
import { TRON_KEY } from '../providers/crypto/testing/test-signer.ts';
import type { PayoutBench } from './coin-payouts.fixture.ts';
import { type TronWallet, tronTransactions, VALID_FOR_S, withTronWallet } from './tron-wallet.fixture.ts';

const HALF = 500_000n;
/** Blocks until one cannot be taken back. */
const UNTIL_FINAL = 4;
/** Blocks until one that cannot be taken back proves an expiry. */
const UNTIL_PROVEN = 50;
const [ann, bob] = [
  { operatorId: 'op', by: 'ann' },
  { operatorId: 'op', by: 'bob' },
];

let made: TronWallet;
let bench: PayoutBench;

withTronWallet((one) => {
  made = one;
});
beforeEach(() => {
  bench = made.open({ payouts: { signer: { byFile: true } } });
});

const signatures = () => {
  const { coinSignatures } = bench.provider;
  if (coinSignatures === undefined) throw new Error('No wallet is signed by file');
  return coinSignatures;
};
const sign = (unsigned = ''): string => signedTron(unsigned, { key: TRON_KEY, change: undefined });

async function mine(count: number): Promise<void> {
  made.chain.mine(count);
  await bench.round();
}

test('[WD-2] a transaction that has expired is taken and given no more, and the next one pays once', async () => {
  const address = newTronAddress(1);
  const { status, payout } = await bench.cashOut('TRX', '0.5', address);
  await bench.round();
  const [first] = await signatures().take(ann);
  expect(first).toMatchObject({ version: 1, address, format: 'tron' });
  made.chain.pass(VALID_FOR_S);
  await mine(UNTIL_PROVEN);
  expect(await tronTransactions(made.opened.database)).toMatchObject([{ isOver: true }, { isOver: false }]);
  const waiting = await signatures().take(ann);
  expect(waiting).toMatchObject([{ version: 2, address }]);
  const both = [waiting[0]?.unsigned, first?.unsigned].map(sign);
  await expect(signatures().give(bob, both, false)).rejects.toThrow('Transaction 2 has expired');
  expect(await payout()).toMatchObject({ state: 'prepared' });
  expect(await signatures().give(bob, both.slice(0, 1), false)).toMatchObject([{ version: 2, isNew: true }]);
  await bench.round();
  await mine(UNTIL_FINAL);
  expect([await status(), made.chain.balance(address)]).toEqual([1, HALF]);
});

test('[WD-2] a signature that comes after another process has refused the payout is not stored', async () => {
  const { database } = made.opened;
  const { status, payout } = await bench.cashOut('TRX', '0.5', newTronAddress(2));
  await bench.round();
  const [{ withdrawalId = '', unsigned = '' } = {}] = await signatures().take(ann);
  const store = new PayoutStore(database);
  const before = await store.find(withdrawalId);
  if (before === undefined) throw new Error('No payout');
  await store.refuse(before, 'signer-limit', true);
  expect(await store.storeSigned(before, 1, { hash: 'ab', signed: sign(unsigned) })).toBe(false);
  expect((await tronTransactions(database)).at(-1)).toMatchObject({ hash: null });
  // Staff let it be signed again. A stored signature would have kept it without an end.
  await database.query({ text: `update coin_payout set state = 'prepared' where state = 'refused'` });
  expect(await signatures().give(bob, [sign(unsigned)], false)).toMatchObject([{ isNew: true }]);
  expect(await payout()).toMatchObject({ state: 'signed' });
  await bench.round();
  await mine(UNTIL_FINAL);
  expect(await status()).toBe(1);
});

test('[WD-2] who takes a transaction while their signature of it is compared cannot give it', async () => {
  const { database } = made.opened;
  const { status } = await bench.cashOut('TRX', '0.5', newTronAddress(3));
  await bench.round();
  const [{ unsigned = '' } = {}] = await signatures().take(ann);
  // Triggers run by their names, so bob has taken it when the guard looks.
  await database.query({
    text: `create function take_meanwhile() returns trigger language plpgsql as $$ begin
      insert into coin_transaction_take (operator_id, withdrawal_id, version, by) values (new.operator_id, new.withdrawal_id, new.version, 'bob');
      return new; end $$`,
  });
  await database.query({
    text: `create trigger a_take before update on coin_transaction for each row execute function take_meanwhile()`,
  });
  const given = signatures().give(bob, [sign(unsigned)], false);
  await expect(given).rejects.toThrow('Transaction 1 was taken by the same person');
  await database.query({ text: 'drop trigger a_take on coin_transaction' });
  expect(await signatures().give(bob, [sign(unsigned)], false)).toMatchObject([{ isNew: true }]);
  await bench.round();
  await mine(UNTIL_FINAL);
  expect(await status()).toBe(1);
});
