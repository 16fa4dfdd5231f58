/** Limits of an operator and of one of its users, as the widget gets them and as the server enforces them. */
import { randomUUID } from 'node:crypto';
import { calls } from '@opencashier/contract/api';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RunningApp, startApp } from '../../transports/testing/running-app.ts';

let running: RunningApp;
const clock = createTestClock(Date.now());
beforeAll(async () => {
  running = await startApp({}, clock);
});
afterAll(() => running?.stop());

/** Writes the operator's settings, and makes the servers read them. */
async function settle(depositLimits: unknown): Promise<void> {
  await running.database.query({
    text: `update operator set settings = jsonb_build_object('depositLimits', $1::jsonb) where id = 'demo'`,
    values: [JSON.stringify(depositLimits)],
  });
  clock.advance(10_000);
}

describe.each(['http', 'socket'] as const)('over %s', (transport) => {
  const limits = (token: string, paymentMethod = 'card', currency = 'USD') =>
    running.clients[transport].call(calls['deposit-limits'], { currency, paymentMethod }, { token });
  const create = async (token: string, amount: string) => {
    const request = { amount, currency: 'USD', depositId: randomUUID(), paymentType: 'card' };
    const found = await running.clients[transport].call(calls['deposit-create'], request, { token });
    return found.error?.code ?? found.status;
  };

  test('[AMT-3] [SRV-8] an override is answered and enforced, a user’s before the operator’s; zeros say that there is none', async () => {
    const [vip, other] = [await running.tokenOf(`vip-${transport}`), await running.tokenOf(`other-${transport}`)];
    await settle([]);
    expect((await limits(vip)).data).toEqual({ currency: 'USD', min: '0', max: '0' });
    expect([await create(other, '4.00'), await create(other, '5.00')]).toEqual(['limit-min', 200]);

    const all = { paymentMethod: 'card', currency: 'USD', min: '20', max: '100' };
    await settle([all, { ...all, userId: `vip-${transport}`, min: '1', max: '0' }, { ...all, min: 'nonsense' }]);
    await vi.waitFor(async () => {
      expect((await limits(other)).data).toEqual({ currency: 'USD', min: '20', max: '100' });
    });
    expect((await limits(vip)).data).toEqual({ currency: 'USD', min: '1', max: '0' });
    expect((await limits(vip, 'card', 'EUR')).data).toEqual({ currency: 'EUR', min: '0', max: '0' });
    expect([await create(other, '19.99'), await create(other, '100.01'), await create(other, '20.00')]).toEqual([
      'limit-min',
      'limit-max',
      200,
    ]);
    expect([await create(vip, '1.00'), await create(vip, '90000.00'), await create(vip, '0.99')]).toEqual([
      200,
      200,
      'limit-min',
    ]);
    expect(running.log.some((line) => line.includes('settings.depositLimits.2 cannot be used'))).toBe(true);

    await settle([]);
    await vi.waitFor(async () => expect((await limits(other)).data).toMatchObject({ min: '0', max: '0' }));
  });

  test('a method that is not offered has no limits', async () => {
    const token = await running.tokenOf('nobody');
    for (const [method, currency] of [
      ['no_such_method', 'USD'],
      ['card', 'BTC'],
      ['card_withdrawal', 'USD'],
    ] as const) {
      expect(await limits(token, method, currency)).toMatchObject({
        status: 422,
        error: { code: 'method-unavailable' },
      });
    }
  });
});
