/** This operator's own wallet, called as by the cashier. */
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import {
  accountOf,
  app,
  deliver,
  deposit,
  runDemo,
  signIn,
  start,
  webhookSecret,
  withdrawal,
} from './testing/running-demo.ts';

runDemo({ hasOwnWallet: true });

/** A call of the cashier about Ada's dollars. */
async function call(type: string, more: Record<string, unknown> = {}) {
  const id = typeof more['id'] === 'string' ? more['id'] : randomUUID();
  const about = type === 'balance' ? {} : { amount: '25.00', reason: 'deposit', depositId: randomUUID() };
  const body = JSON.stringify({ type, id, userId: 'ada', currency: 'USD', ...about, ...more });
  const at = new Date();
  const response = await app.inject({
    method: 'POST',
    url: '/cashier-wallet',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(webhookSecret).sign(id, at, body),
    },
    payload: body,
  });
  return { id, status: response.statusCode, ...response.json<Record<string, unknown>>() };
}

const play = (cookie: string) =>
  app.inject({ method: 'POST', url: '/api/play', headers: { cookie }, payload: { currency: 'USD' } });

test('[SRV-6] a repeat gets the first answer and moves nothing, also after a restart', async () => {
  const credit = { id: randomUUID(), amount: '25.05', depositId: randomUUID() };
  const first = await call('credit', credit);
  expect(first).toMatchObject({ status: 200, result: 'done', balance: '25.05', transactionId: credit.id });
  expect(await Promise.all([call('credit', credit), call('credit', credit)])).toEqual([first, first]);
  await app.close();
  await start({ hasOwnWallet: true });
  expect(await call('credit', credit)).toEqual(first);
  expect((await accountOf(await signIn())).balances).toEqual({ USD: '25.05' });
});

test('[SRV-2] calls alone move the balance: webhooks are news, and each call is shown', async () => {
  const cookie = await signIn();
  await call('credit', { amount: '25.05' });
  await deliver(deposit('processed', { amount: '25.05' }));
  await call('debit', { amount: '20.00', reason: 'withdrawal' });
  await deliver(withdrawal('held'), { id: 'msg-2' });
  expect(await accountOf(cookie)).toMatchObject({
    balances: { USD: '5.05' },
    held: {},
    deposits: [{ status: 'added' }],
    withdrawals: [{ status: 'held' }],
    walletCalls: [
      { type: 'debit', reason: 'withdrawal', amount: '20.00', result: 'done' },
      { type: 'credit', reason: 'deposit', amount: '25.05', result: 'done' },
    ],
  });
});

test('[WD-2] what was lost in a game cannot be withdrawn, and a repeat is declined again', async () => {
  const cookie = await signIn();
  await call('credit', { amount: '7.00' });
  expect((await play(cookie)).statusCode).toBe(200);
  expect((await play(cookie)).statusCode).toBe(409);
  const asked = await call('debit', { amount: '7.00', reason: 'withdrawal' });
  expect(asked).toMatchObject({ status: 200, result: 'declined', code: 'insufficient-funds', balance: '2' });
  // Nothing was held, so nothing is said to have come back.
  await deliver(withdrawal('declined'));
  expect((await accountOf(cookie)).withdrawals).toMatchObject([{ status: 'not-made' }]);
  await call('credit', { amount: '100.00' });
  expect(await call('debit', { id: asked.id, amount: '7.00' })).toMatchObject({ result: 'declined' });
  expect((await accountOf(cookie)).balances).toEqual({ USD: '102.00' });
});

test('[SRV-2] a forced debit is owed, and start over empties the wallet of this user alone', async () => {
  const [cookie, other] = [await signIn(), await signIn('joao')];
  await call('debit', { amount: '3.00', reason: 'chargeback', forced: true });
  expect(await accountOf(cookie)).toMatchObject({ balances: { USD: '0.00' }, owed: { USD: '3.00' } });
  await call('credit', { amount: '10.00' });
  await call('credit', { amount: '4.00', userId: 'joao' });
  await app.inject({ method: 'POST', url: '/api/start-over', headers: { cookie }, payload: {} });
  expect((await accountOf(cookie)).balances).toEqual({ USD: '0.00' });
  expect((await accountOf(other)).balances).toEqual({ USD: '4.00' });
});

test('[SRV-6] a call that nobody signed moves nothing, and a release of an unknown debit is refused', async () => {
  const forged = await app.inject({ method: 'POST', url: '/cashier-wallet', payload: { type: 'credit', amount: '9' } });
  expect(forged.statusCode).toBe(401);
  expect((await call('release', { debitId: randomUUID(), reason: 'withdrawal' })).status).toBe(409);
  expect(await call('balance')).toMatchObject({ result: 'done', balance: '0' });
});

test('[SRV-2] a release of a declined debit is refused: that debit took nothing', async () => {
  const declined = await call('debit', { amount: '7.00', reason: 'withdrawal' });
  expect(declined).toMatchObject({ result: 'declined', code: 'insufficient-funds' });
  const release = { debitId: declined.id, amount: '7.00', reason: 'withdrawal' };
  expect(await call('release', release)).toMatchObject({ status: 409, code: 'contradiction' });
  expect(await call('balance')).toMatchObject({ result: 'done', balance: '0' });
});

test('[SRV-2] a release that differs from its debit is refused and moves nothing, also after a restart', async () => {
  await call('credit', { amount: '25.00' });
  await call('credit', { amount: '25.00', userId: 'joao' });
  const debit = await call('debit', { amount: '7.00', reason: 'withdrawal' });
  const release = { debitId: debit.id, amount: '7.00', reason: 'withdrawal' };
  await app.close();
  await start({ hasOwnWallet: true });
  for (const wrong of [{ amount: '7.01' }, { userId: 'joao' }, { currency: 'EUR' }]) {
    expect(await call('release', { ...release, ...wrong })).toMatchObject({ status: 409, code: 'contradiction' });
  }
  expect(await call('release', release)).toMatchObject({ result: 'done', balance: '25' });
  expect((await call('release', release)).status).toBe(409);
  expect((await accountOf(await signIn('joao'))).balances).toEqual({ USD: '25.00' });
});
