import { appendFile, readFile, stat } from 'node:fs/promises';
import { webhookEvents } from '@opencashier/contract/operator';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import {
  accountOf,
  app,
  balances,
  deliver,
  deposit,
  file,
  processed,
  runDemo,
  signIn,
  start,
  withdrawal,
} from './testing/running-demo.ts';

runDemo();

describe('webhooks', () => {
  test('a signed deposit.processed raises the balance, once per webhook and once per deposit', async () => {
    const cookie = await signIn();
    expect(await balances(cookie)).toEqual({});
    expect((await deliver(processed())).statusCode).toBe(204);
    expect((await deliver(processed())).statusCode).toBe(204);
    expect((await deliver(processed(), { id: 'msg-2' })).statusCode).toBe(204);
    expect((await deliver(processed({ depositId: 'd-2', amount: '0.10' }), { id: 'msg-3' })).statusCode).toBe(204);
    expect(await balances(cookie)).toEqual({ USD: '25.10' });
  });

  test('twenty deliveries at once count once, also after a restart', async () => {
    const cookie = await signIn();
    await Promise.all(Array.from({ length: 20 }, () => deliver(processed())));
    expect(await balances(cookie)).toEqual({ USD: '25.00' });
    await app.close();
    await start();
    expect((await deliver(processed())).statusCode).toBe(204);
    expect(await balances(cookie)).toEqual({ USD: '25.00' });
  });

  test('a line that was torn by a power cut is dropped and its webhook counts when it comes again', async () => {
    const cookie = await signIn();
    await deliver(processed());
    await app.close();
    const { size } = await stat(file());
    await appendFile(file(), '{"kind":"credit","webhookId":"msg-2","depo');
    await start();
    expect((await stat(file())).size).toBe(size);
    await deliver(processed({ depositId: 'd-2' }), { id: 'msg-2' });
    expect(await balances(cookie)).toEqual({ USD: '50.00' });
  });

  test('a wrong key, a changed body, an old time stamp and no signature are refused and change nothing', async () => {
    const cookie = await signIn();
    const stranger = new Webhook(Buffer.alloc(32, 8).toString('base64'));
    expect((await deliver(processed(), { secret: stranger })).statusCode).toBe(401);
    expect((await deliver(processed(), { tampered: ' ' })).statusCode).toBe(401);
    expect((await deliver(processed(), { at: new Date(Date.now() - 10 * 60_000) })).statusCode).toBe(401);
    const unsigned = await app.inject({ method: 'POST', url: '/webhooks/cashier', payload: processed() });
    expect(unsigned.statusCode).toBe(401);
    expect(await balances(cookie)).toEqual({});
  });

  test.each([
    { amount: '-5' },
    { amount: 25 },
    { amount: '1e3' },
    { currency: 'usd' },
    { userId: '' },
    { depositId: null },
  ])('a signed body with %j is refused', async (change) => {
    expect((await deliver(processed(change))).statusCode).toBe(400);
  });

  test('a type that is not known yet is acknowledged and changes nothing', async () => {
    const cookie = await signIn();
    expect((await deliver({ ...processed(), type: 'deposit.of_a_later_version' })).statusCode).toBe(204);
    expect(await accountOf(cookie)).toMatchObject({ balances: {}, deposits: [] });
  });

  test('[SRV-5] every type of the contract is counted, and seen by its user', async () => {
    const types = Object.keys(webhookEvents);
    expect(types).toContain('deposit.reversed');
    for (const [index, type] of types.entries()) {
      const userId = `guest-${index}`;
      const cookie = await signIn(userId);
      const before = await accountOf(cookie);
      const code = { code: '123456', channel: 'email', expires: '2090-01-01T00:00:00Z' };
      const [, name = ''] = type.split('.');
      const event = type.startsWith('deposit.')
        ? { ...processed({ userId, depositId: `d-${index}` }), type }
        : withdrawal(name, { userId, withdrawalId: `w-${index}`, ...(name.startsWith('confirmation') && code) });
      expect((await deliver(event, { id: `msg-${index}` })).statusCode, type).toBe(204);
      expect(await accountOf(cookie), type).not.toEqual(before);
    }
  });
});

describe('money that is taken back', () => {
  test('[SRV-2] a reversed deposit leaves the balance, once per webhook and also after a restart', async () => {
    const cookie = await signIn();
    await deliver(processed());
    await deliver(processed({ depositId: 'd-2', amount: '10.00' }), { id: 'msg-2' });
    await Promise.all(Array.from({ length: 5 }, () => deliver(deposit('reversed'), { id: 'msg-3' })));
    const wanted = {
      balances: { USD: '10.00' },
      owed: {},
      deposits: [
        { depositId: 'd-2', status: 'added' },
        { depositId: 'd-1', status: 'taken-back' },
      ],
    };
    expect(await accountOf(cookie)).toMatchObject(wanted);
    await app.close();
    await start();
    expect(await accountOf(cookie)).toMatchObject(wanted);
  });

  test('[SRV-2] what was spent before is owed, and later deposits are not eaten by it', async () => {
    const cookie = await signIn();
    await deliver(processed());
    await deliver(withdrawal('held'), { id: 'msg-2' });
    await deliver(deposit('reversed'), { id: 'msg-3' });
    expect(await accountOf(cookie)).toMatchObject({ balances: { USD: '0.00' }, owed: { USD: '20.00' } });
    await deliver(processed({ depositId: 'd-2', amount: '50.00', paidDebt: '20.00' }), { id: 'msg-4' });
    expect(await accountOf(cookie)).toMatchObject({ balances: { USD: '30.00' }, owed: { USD: '0.00' } });
  });

  test('[SRV-2] a won dispute gives back what was taken, also when it is told before the credit', async () => {
    const cookie = await signIn();
    await deliver(deposit('reversed'), { id: 'msg-2' });
    await deliver(deposit('reinstated'), { id: 'msg-3' });
    expect(await accountOf(cookie)).toMatchObject({ balances: {}, owed: {} });
    await deliver(processed());
    expect(await accountOf(cookie)).toMatchObject({
      balances: { USD: '25.00' },
      owed: {},
      deposits: [{ status: 'added' }],
    });
    await deliver(deposit('reversed'), { id: 'msg-4' });
    expect(await accountOf(cookie)).toMatchObject({ balances: { USD: '0.00' }, deposits: [{ status: 'taken-back' }] });
  });

  test('[SRV-5] a reversal that comes before its credit waits for it', async () => {
    const cookie = await signIn();
    await deliver(deposit('reversed'), { id: 'msg-2' });
    expect((await accountOf(cookie)).deposits).toMatchObject([{ status: 'taken-back' }]);
    await deliver(processed());
    expect(await accountOf(cookie)).toMatchObject({ balances: { USD: '0.00' }, owed: {} });
  });

  test('a refund takes off what was added, and nothing where nothing was', async () => {
    const cookie = await signIn();
    await deliver(processed());
    await deliver(deposit('refund_declined'), { id: 'msg-2' });
    expect((await accountOf(cookie)).balances).toEqual({ USD: '25.00' });
    await deliver(deposit('refunded'), { id: 'msg-3' });
    expect((await accountOf(cookie)).balances).toEqual({ USD: '0.00' });
    await deliver(deposit('refunded', { depositId: 'd-late' }), { id: 'msg-4' });
    expect(await accountOf(cookie)).toMatchObject({
      balances: { USD: '0.00' },
      owed: {},
      deposits: [{ depositId: 'd-late', status: 'not-paid' }, { depositId: 'd-1' }],
    });
  });

  test('[SWP-1] a coin box gives its coins and not its price, and takes the coins back', async () => {
    const cookie = await signIn();
    const box = { box: { boxId: 'b-1', gcAmount: '5000.00', scAmount: '5.00' } };
    await deliver(processed(box));
    expect((await accountOf(cookie)).balances).toEqual({ GC: '5000.00', SC: '5.00' });
    await deliver(deposit('reversed', box), { id: 'msg-2' });
    expect((await accountOf(cookie)).balances).toEqual({ GC: '0.00', SC: '0.00' });
  });

  test('money without a user waits for people, and a credit without one is refused', async () => {
    expect((await deliver(deposit('under_review', { userId: '' }))).statusCode).toBe(204);
    expect((await deliver(processed({ userId: '' }), { id: 'msg-2' })).statusCode).toBe(400);
  });

  test('a journal of an earlier version is still read', async () => {
    await app.close();
    const { data } = processed();
    await appendFile(file(), `${JSON.stringify({ kind: 'credit', webhookId: 'msg-0', ...data, at: '2026-01-01' })}\n`);
    await start();
    await deliver(processed());
    expect((await accountOf(await signIn())).balances).toEqual({ USD: '25.00' });
  });
});

describe('webhooks of withdrawals', () => {
  test('[SRV-5] what is held leaves the balance, is paid out or comes back, once per webhook and also after a restart', async () => {
    const cookie = await signIn();
    await deliver(processed());
    await Promise.all(Array.from({ length: 5 }, () => deliver(withdrawal('held'), { id: 'msg-2' })));
    expect(await accountOf(cookie)).toMatchObject({ balances: { USD: '5.00' }, held: { USD: '20.00' } });
    await deliver(withdrawal('submitted'), { id: 'msg-3' });
    expect((await accountOf(cookie)).withdrawals).toMatchObject([{ withdrawalId: 'w-1', status: 'sent' }]);
    await deliver(withdrawal('processed'), { id: 'msg-4' });
    await deliver(withdrawal('held', { withdrawalId: 'w-2', amount: '5.00' }), { id: 'msg-5' });
    await deliver(withdrawal('cancelled', { withdrawalId: 'w-2', amount: '5.00' }), { id: 'msg-6' });
    await app.close();
    await start();
    expect(await accountOf(cookie)).toMatchObject({
      balances: { USD: '5.00' },
      withdrawals: [
        { withdrawalId: 'w-2', status: 'back' },
        { withdrawalId: 'w-1', status: 'paid' },
      ],
    });
    expect((await accountOf(cookie)).held).toEqual({});
    // Sent back by the bank, and then, after all, charged.
    await deliver(withdrawal('returned'), { id: 'msg-7' });
    expect((await accountOf(cookie)).balances).toEqual({ USD: '25.00' });
    await deliver(withdrawal('settled', { charged: '20.00' }), { id: 'msg-8' });
    expect((await accountOf(cookie)).balances).toEqual({ USD: '5.00' });
  });

  test('the additional account is another one, and a balance that began anew is never below nothing', async () => {
    const cookie = await signIn();
    await deliver(withdrawal('held', { accountType: 'additional' }));
    expect(await accountOf(cookie)).toMatchObject({ balances: {}, held: {}, withdrawals: [{ status: 'held' }] });
    await deliver(withdrawal('held', { withdrawalId: 'w-2' }), { id: 'msg-2' });
    expect((await accountOf(cookie)).balances).toEqual({ USD: '0.00' });
  });

  test('[WD-2] a code reaches its user alone, the newest of a withdrawal, until it is used; it is written nowhere', async () => {
    const [ada, joao] = [await signIn(), await signIn('joao')];
    const codeEvent = (code: string, timestamp: string, expires = '2090-01-01T00:00:00Z') => ({
      ...withdrawal('confirmation_requested', { code, channel: 'email', expires }),
      timestamp,
    });
    await deliver(codeEvent('222222', '2026-01-01T00:01:00Z'), { id: 'msg-2' });
    await deliver(codeEvent('111111', '2026-01-01T00:00:00Z'), { id: 'msg-1' });
    expect((await accountOf(ada)).codes).toMatchObject([{ code: '222222', channel: 'email' }]);
    expect((await accountOf(joao)).codes).toEqual([]);
    expect(await readFile(file(), 'utf8')).not.toContain('222222');
    await deliver(withdrawal('submitted'), { id: 'msg-3' });
    expect((await accountOf(ada)).codes).toEqual([]);
    await deliver(codeEvent('333333', '2026-01-01T00:02:00Z', '2020-01-01T00:00:00Z'), { id: 'msg-4' });
    expect((await accountOf(ada)).codes).toEqual([]);
  });

  test.each([{ amount: '1e3' }, { accountType: 'bonus' }, { userId: '' }, { currency: 'usd' }])(
    'a signed withdrawal with %j is refused',
    async (change) => {
      expect((await deliver(withdrawal('held', change))).statusCode).toBe(400);
    },
  );
});
