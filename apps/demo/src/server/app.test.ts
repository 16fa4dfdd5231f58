import { describe, expect, test } from 'vitest';
import { CashierUnavailable } from './cashier-client.ts';
import { app, askBonuses, balances, deliver, mintToken, processed, runDemo, signIn } from './testing/running-demo.ts';

runDemo();

describe('sessions', () => {
  test('the cookie is out of reach of scripts and other sites, and a changed one is nobody', async () => {
    const response = await app.inject({ method: 'POST', url: '/api/sign-in', payload: { userId: 'ada' } });
    expect(response.headers['set-cookie']).toMatch(/; HttpOnly; SameSite=Strict/);
    const forged = (await signIn()).replace('ada', 'joao');
    expect((await app.inject({ url: '/api/account', headers: { cookie: forged } })).statusCode).toBe(401);
    expect((await app.inject({ url: '/api/events' })).statusCode).toBe(401);
  });

  test('nobody else can be signed in than a demo user or a guest', async () => {
    for (const userId of ['root', 'guest-', 'guest-../x', '', null]) {
      expect((await app.inject({ method: 'POST', url: '/api/sign-in', payload: { userId } })).statusCode).toBe(422);
    }
    await signIn('guest-4f2a');
  });

  test('start over empties what is shown for this user alone and does not let an old webhook count again', async () => {
    const ada = await signIn();
    const joao = await signIn('joao');
    await deliver(processed());
    await deliver(processed({ depositId: 'd-2', userId: 'joao' }), { id: 'msg-2' });
    await app.inject({ method: 'POST', url: '/api/start-over', headers: { cookie: ada }, payload: {} });
    await deliver(processed());
    expect(await balances(ada)).toEqual({});
    expect(await balances(joao)).toEqual({ USD: '25.00' });
  });
});

describe('user tokens', () => {
  const ask = (cookie: string, payload: object, headers: object = {}) =>
    app.inject({ method: 'POST', url: '/api/cashier-token', headers: { cookie, ...headers }, payload });

  test('the token is for the signed-in user, whatever the page says', async () => {
    const cookie = await signIn();
    const response = await ask(cookie, { userId: 'joao', currency: 'EUR', country: 'DE', locale: 'de' });
    expect(response.json()).toEqual({ token: 'user-token', expiresAt: '2030-01-01T00:00:00Z' });
    expect(response.headers['cache-control']).toBe('no-store');
    expect(mintToken).toHaveBeenCalledWith({ userId: 'ada', currency: 'EUR', country: 'DE', locale: 'de' });
  });

  test('nobody, a foreign page, a form and nonsense get none', async () => {
    const cookie = await signIn();
    expect((await ask('', {})).statusCode).toBe(401);
    expect((await ask(cookie, {}, { origin: 'https://evil.example', host: 'localhost:3001' })).statusCode).toBe(403);
    expect((await ask(cookie, { currency: '../..' })).statusCode).toBe(422);
    const form = { cookie, 'content-type': 'text/plain' };
    const asText = await app.inject({ method: 'POST', url: '/api/cashier-token', headers: form, payload: '{}' });
    expect(asText.statusCode).toBe(415);
    expect(mintToken).not.toHaveBeenCalled();
  });

  test('a cashier that is away is told apart from an error of this site', async () => {
    mintToken.mockRejectedValue(new CashierUnavailable('away'));
    const response = await ask(await signIn(), {});
    expect(response.statusCode).toBe(502);
    expect(response.json()).toEqual({ code: 'cashier-unavailable' });
  });
});

describe('tokens of guests for the documentation', () => {
  const ask = (userId: unknown, origin = 'https://docs.example') =>
    app.inject({ method: 'POST', url: '/open/guest-token', headers: { origin }, payload: { userId } });

  test('a guest gets one, with what the page needs to open the cashier', async () => {
    const response = await ask('guest-4f2a');
    expect(response.headers['access-control-allow-origin']).toBe('https://docs.example');
    expect(response.json()).toEqual({
      cashierUrl: 'https://pay.example.com',
      partner: 'demo',
      userId: 'guest-4f2a',
      currency: 'USD',
      country: 'DE',
      token: 'user-token',
    });
    const preflight = await app.inject({ method: 'OPTIONS', url: '/open/guest-token' });
    expect([preflight.statusCode, preflight.headers['access-control-allow-headers']]).toEqual([204, 'content-type']);
  });

  test('a user with a name, another site and nonsense get none', async () => {
    expect((await ask('ada')).statusCode).toBe(422);
    expect((await ask({})).statusCode).toBe(422);
    expect((await ask('guest-4f2a', 'https://evil.example')).statusCode).toBe(403);
    expect(mintToken).not.toHaveBeenCalled();
  });
});

describe('bonuses', () => {
  const ask = (cookie: string, query = '') => app.inject({ url: `/api/bonuses${query}`, headers: { cookie } });

  test('[BON-1] are those of the signed-in user, in the asked currency or their own', async () => {
    const cookie = await signIn();
    expect((await ask(cookie, '?currency=INR&userId=joao')).json()).toEqual({ bonuses: [{ id: 'welcome' }] });
    expect(askBonuses).toHaveBeenCalledWith({ userId: 'ada', currency: 'INR', locale: 'en' });
    expect((await ask(cookie, '?locale=de')).statusCode).toBe(200);
    expect(askBonuses).toHaveBeenLastCalledWith(expect.objectContaining({ locale: 'de' }));
    expect((await ask(cookie)).statusCode).toBe(200);
  });

  test('nobody and nonsense get none, and a cashier that is away is told apart', async () => {
    expect((await ask('')).statusCode).toBe(401);
    const cookie = await signIn();
    expect((await ask(cookie, '?currency=../..')).statusCode).toBe(422);
    expect(askBonuses).not.toHaveBeenCalled();
    askBonuses.mockRejectedValue(new CashierUnavailable('away'));
    expect((await ask(cookie)).statusCode).toBe(502);
  });
});

test('only the cashier may be framed', async () => {
  const policy = String((await app.inject('/health')).headers['content-security-policy']);
  expect(policy.split('; ')).toContain('frame-src https://pay.example.com');
  expect(policy.split('; ')).toContain("default-src 'none'");
});
