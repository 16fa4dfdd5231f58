/** Coins of an operator with a wallet of its own: the cashier keeps them, and webhooks report them. */
import { expect, test } from 'vitest';
import { accountOf, balances, deliver, deposit, runDemo, signIn, withdrawal } from './testing/running-demo.ts';

runDemo({ hasOwnWallet: true });

const box = { boxId: 'starter', gcAmount: '10000.00', scAmount: '10.00' };

test('[SRV-2] a coin box gives coins and no money, and its chargeback takes them back', async () => {
  const cookie = await signIn();
  const bought = { amount: '9.99', box };
  await deliver(deposit('processed', bought));
  await deliver(deposit('processed', { ...bought, depositId: 'd-2' }), { id: 'msg-2' });
  expect(await accountOf(cookie)).toMatchObject({
    balances: { GC: '20000.00', SC: '20.00' },
    walletCalls: [],
    deposits: [{ coins: { GC: '10000.00', SC: '10.00' } }, { status: 'added' }],
  });
  await deliver(deposit('reversed', bought), { id: 'msg-3' });
  expect(await balances(cookie)).toEqual({ GC: '10000.00', SC: '10.00' });
});

test('[SRV-2] a redemption leaves the shown coins, and a withdrawal of money does not touch the books of coins', async () => {
  const cookie = await signIn();
  await deliver(deposit('processed', { amount: '9.99', box }));
  await deliver(withdrawal('held', { amount: '4.00', currency: 'SC' }), { id: 'msg-2' });
  await deliver(withdrawal('held', { withdrawalId: 'w-2' }), { id: 'msg-3' });
  expect(await accountOf(cookie)).toMatchObject({ balances: { SC: '6.00' }, held: { SC: '4.00' } });
  expect(Object.keys((await accountOf(cookie)).held)).toEqual(['SC']);
});

test('[BON-3] the bonus that a deposit earned is shown with it', async () => {
  const cookie = await signIn();
  await deliver(deposit('processed', { bonusId: 'vip', bonusAmount: '12.50' }));
  await deliver(deposit('processed', { depositId: 'd-2', bonusId: 'spins', bonusSpins: 20 }), { id: 'msg-2' });
  await deliver(deposit('processed', { depositId: 'd-3', bonusId: 'vip', bonusAmount: '0.00' }), { id: 'msg-3' });
  const { deposits } = await accountOf(cookie);
  const found = deposits.map(({ depositId, ...more }) => [depositId, 'bonus' in more ? more.bonus : undefined]);
  expect(found).toEqual([
    ['d-3', undefined],
    ['d-2', { spins: 20 }],
    ['d-1', { amount: '12.50' }],
  ]);
});
