/** The captcha from the stand-in's script to the create call, over both transports and a real database. */
import { randomUUID } from 'node:crypto';
import { type CaptchaResult, calls } from '@opencashier/contract/api';
import { captchaFramePath } from '@opencashier/contract/host';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRateLimiter } from '../limits/rate-limiter.ts';
import type { CaptchaGate } from '../payment-ports/captcha.ts';
import { type RunningApp, startApp } from '../transports/testing/running-app.ts';
import { createCaptchaGate } from './captcha-gate.ts';
import type { CaptchaVerdict } from './captcha-verifier.ts';

let running: RunningApp;
let limited: RunningApp;
beforeAll(async () => {
  running = await startApp();
  limited = await startApp({ RATE_LIMITS: '1' });
});
afterAll(async () => {
  await running?.stop();
  await limited?.stop();
});

/** The result that the stand-in's script gets when the person presses a button. */
async function solve(verdict = 'good', on = running): Promise<CaptchaResult> {
  const response = await fetch(`${on.url}/captcha/stand-in/solve?verdict=${verdict}`);
  const made = (await response.json()) as Record<string, string>;
  return {
    lotNumber: made['lot_number'] ?? '',
    captchaOutput: made['captcha_output'] ?? '',
    passToken: made['pass_token'] ?? '',
    genTime: made['gen_time'] ?? '',
  };
}

const deposit = (more: object = {}) => ({
  amount: '150.00',
  currency: 'USD',
  depositId: randomUUID(),
  paymentType: 'voucher',
  fields: { code: 'GIFT-2026-AB12' },
  ...more,
});
const required = { status: 428, error: { code: 'captcha_required' } };

describe.each(['http', 'socket'] as const)('over %s', (transport) => {
  const create = (token: string, request: object, on = running) =>
    on.clients[transport].call(calls['deposit-create'], request, { token });
  const countOf = async (userId: string) =>
    (await running.database.query({ text: 'select 1 from deposit_key where user_id = $1', values: [userId] })).length;

  test('[ERR-5] a method with a captcha asks for one, and the same key goes through with it', async () => {
    const userId = `asked-${transport}`;
    const token = await running.tokenOf(userId);
    const request = deposit();
    expect(await create(token, request)).toMatchObject(required);
    expect(await create(token, { ...request, captcha: {} })).toMatchObject(required);
    expect(await create(token, { ...request, captcha: { lotNumber: 'x' } })).toMatchObject(required);
    expect(await create(token, { ...request, captcha: await solve('refused') })).toMatchObject(required);
    const forged = { ...(await solve()), passToken: 'x'.repeat(64) };
    expect(await create(token, { ...request, captcha: forged })).toMatchObject(required);
    expect(await countOf(userId)).toBe(0);
    const captcha = await solve();
    const done = await create(token, { ...request, captcha });
    expect(done.status, JSON.stringify(done)).toBe(200);
    // A repeat of the same call gets the stored answer, with the old captcha, a bad one or none.
    expect(await create(token, { ...request, captcha })).toEqual(done);
    expect(await create(token, { ...request, captcha: await solve('refused') })).toEqual(done);
    expect(await create(token, request)).toEqual(done);
    expect(await countOf(userId)).toBe(1);
  });

  test('[ERR-5] a captcha is good for one create call', async () => {
    const [one, two] = [await running.tokenOf(`one-${transport}`), await running.tokenOf(`two-${transport}`)];
    const captcha = await solve();
    expect(await create(one, deposit({ captcha }))).toMatchObject({ status: 200 });
    expect(await create(one, deposit({ captcha }))).toMatchObject(required);
    expect(await create(two, deposit({ captcha }))).toMatchObject(required);
    const shared = await solve();
    const race = await Promise.all([one, two, one, two].map((token) => create(token, deposit({ captcha: shared }))));
    expect(race.map(({ status }) => status).sort()).toEqual([200, 428, 428, 428]);
  });

  test('[ERR-5] a bypass lowers the amount to a tenth of the maximum, and lifts no check', async () => {
    const token = await running.tokenOf(`bypass-${transport}`);
    const captcha = { isBypassed: true };
    expect(await create(token, deposit({ captcha }))).toMatchObject({
      status: 422,
      error: { code: 'limit-max', params: { max: '20.00' } },
    });
    expect(await create(token, deposit({ captcha, amount: '20.01' }))).toMatchObject({ error: { code: 'limit-max' } });
    expect(await create(token, deposit({ captcha, amount: '4.99' }))).toMatchObject({ error: { code: 'limit-min' } });
    expect(await create(token, deposit({ captcha, amount: '20.00', fields: {} }))).toMatchObject({ status: 422 });
    expect(await create(token, deposit({ captcha, amount: '20.00' }))).toMatchObject({ status: 200 });
    // With all four values the flag is ignored, and the values are verified.
    const both = { ...(await solve('refused')), isBypassed: true };
    expect(await create(token, deposit({ captcha: both, amount: '10.00' }))).toMatchObject(required);
    expect(await create(token, deposit({ paymentType: 'card', fields: {} }))).toMatchObject({ status: 200 });
  });

  test('[ERR-5] a bypass is for two deposits a minute; a captcha is not counted', async () => {
    const token = await limited.tokenOf(`often-${transport}`);
    const request = () => deposit({ amount: '10.00', captcha: { isBypassed: true } });
    const first = request();
    expect(await create(token, first, limited)).toMatchObject({ status: 200 });
    expect(await create(token, request(), limited)).toMatchObject({ status: 200 });
    expect(await create(token, request(), limited)).toMatchObject({ status: 429, error: { code: 'rate-limited' } });
    expect(await create(token, first, limited)).toMatchObject({ status: 200 });
    const captcha = await solve('good', limited);
    expect(await create(token, deposit({ captcha }), limited)).toMatchObject({ status: 200 });
  });

  test('[ERR-5] while the verifier cannot be reached, a captcha is worth no more than a bypass', async () => {
    const token = await running.tokenOf(`unreachable-${transport}`);
    const big = deposit({ captcha: await solve('unreachable') });
    expect(await create(token, big)).toMatchObject({ status: 422, error: { code: 'limit-max' } });
    const small = deposit({ amount: '10.00', captcha: await solve('unreachable') });
    expect(await create(token, small)).toMatchObject({ status: 200 });
  });
});

describe('the gate', () => {
  const caller = { operatorId: 'demo', partnerKey: 'demo', userId: 'gate', currency: 'USD', country: 'IN' };
  const captcha = () => ({ lotNumber: randomUUID(), captchaOutput: 'o', passToken: 'p', genTime: '1' });
  const gateOf = (verdicts: CaptchaVerdict[]): { gate: CaptchaGate; asked: () => number } => {
    let asked = 0;
    const verify = async () => verdicts[asked++] ?? 'unreachable';
    const limiter = createRateLimiter(createTestClock());
    return {
      gate: createCaptchaGate({ verifier: { verify }, database: running.database, limiter }),
      asked: () => asked,
    };
  };

  test('[ERR-5] the call that a captcha was taken for may come again, without asking the vendor again', async () => {
    const { gate, asked } = gateOf(['success', 'fail']);
    const question = { caller, depositId: randomUUID(), captcha: captcha() };
    expect(await gate.admit(question)).toBe('verified');
    expect(await gate.admit(question)).toBe('verified');
    expect(asked()).toBe(1);
    await expect(gate.admit({ ...question, depositId: randomUUID() })).rejects.toMatchObject({
      code: 'captcha_required',
    });
    expect(asked()).toBe(1);
  });

  test('[ERR-5] a call that is sent twice at once is verified once, and both get the same answer', async () => {
    const { gate, asked } = gateOf(['success', 'fail']);
    const question = { caller, depositId: randomUUID(), captcha: captcha() };
    expect(await Promise.all([gate.admit(question), gate.admit(question)])).toEqual(['verified', 'verified']);
    expect(asked()).toBe(1);
    const other = { ...question, captcha: captcha() };
    const { gate: failing } = gateOf(['fail', 'success']);
    const refused = await Promise.allSettled([failing.admit(other), failing.admit(other)]);
    expect(refused).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  });

  test('[ERR-5] a call that reached two nodes is admitted by both, though the vendor verifies a captcha once', async () => {
    const question = { caller, depositId: randomUUID(), captcha: captcha() };
    const { gate: first } = gateOf(['success']);
    const limiter = createRateLimiter(createTestClock());
    const verify = async (): Promise<CaptchaVerdict> => {
      expect(await first.admit(question)).toBe('verified');
      return 'fail';
    };
    const second = createCaptchaGate({ verifier: { verify }, database: running.database, limiter });
    expect(await second.admit(question)).toBe('verified');
    await expect(second.admit({ ...question, depositId: randomUUID() })).rejects.toMatchObject({
      code: 'captcha_required',
    });
  });

  test('[ERR-5] an unreachable verifier uses no captcha up', async () => {
    const { gate } = gateOf(['unreachable', 'success']);
    const question = { caller, depositId: randomUUID(), captcha: captcha() };
    expect(await gate.admit(question)).toBe('bypassed');
    expect(await gate.admit(question)).toBe('verified');
  });
});

describe('the captcha frame', () => {
  const policyOf = async (query: string) => {
    const response = await fetch(`${running.url}${captchaFramePath}${query}`);
    expect(response.status).toBe(200);
    const header = response.headers.get('content-security-policy') ?? '';
    return { policy: Object.fromEntries(header.split('; ').map((part) => part.split(/ (.*)/))), response };
  };

  test('is sandboxed into an origin of its own and runs only its own script and the vendor’s', async () => {
    const { policy, response } = await policyOf('?partner=demo');
    expect(policy['sandbox']).toBe('allow-scripts allow-popups');
    expect(policy['default-src']).toBe("'none'");
    expect(policy['script-src']).toMatch(/^'sha256-[^']+' http:\/\/127\.0\.0\.1:\d+\/captcha\/stand-in\/$/);
    expect(policy['frame-ancestors']).toBe(`'self' ${running.url} https://play.example`);
    expect(policy['connect-src']).toBe(`${running.url}/captcha/stand-in/`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const html = await response.text();
    expect(html).toContain(`data-parent-origin="${running.url}"`);
  });

  test('may stand in no page of a stranger, and takes nothing from the address but a scenario', async () => {
    const { policy } = await policyOf('?partner=nobody');
    expect(policy['frame-ancestors']).toBe(`'self' ${running.url}`);
    const { response } = await policyOf(`?scenario=${encodeURIComponent('"><script>alert(1)</script>')}`);
    const html = await response.text();
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('data-scenario="&quot;&gt;&lt;script&gt;');
  });

  test('loads geetest where an account is set, and has no stand-in then', async () => {
    const own = await startApp({ GEETEST_CAPTCHA_ID: 'a'.repeat(32), GEETEST_KEY: 'b'.repeat(32) });
    const response = await fetch(`${own.url}${captchaFramePath}?scenario=refused`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'sha256-[^']+' https:\/\/\*\.geetest\.com https:\/\/\*\.geevisit\.com;/);
    const html = await response.text();
    expect(html).toContain('data-script-url="https://static.geetest.com/v4/gt4.js"');
    expect(html).not.toContain('is-stand-in=');
    expect((await fetch(`${own.url}/captcha/stand-in/solve`)).status).toBe(404);
    await own.stop();
  });

  test('the widget’s page may frame it', async () => {
    const response = await fetch(`${running.url}/cashier/?partner=demo`);
    expect(response.headers.get('content-security-policy')).toContain("frame-src 'self'");
  });
});
