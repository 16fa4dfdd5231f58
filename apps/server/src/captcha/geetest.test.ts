import { createHmac } from 'node:crypto';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test, vi } from 'vitest';
import { createGeetest, geetestTimeoutMs } from './geetest.ts';

const answer = { lotNumber: 'lot/1 &', captchaOutput: 'out=+', passToken: 'pass', genTime: '1767225600' };

function make(respond: (url: string, init: RequestInit) => Promise<Response> | Response) {
  const clock = createTestClock();
  const warn = vi.fn();
  const send = vi.fn(async (url: string | URL | Request, init?: RequestInit) => respond(String(url), init ?? {}));
  const verifier = createGeetest({
    captchaId: 'id 1',
    key: 'the key',
    api: 'https://verify.example',
    clock,
    logger: { warn },
    fetch: send as typeof fetch,
  });
  return { clock, warn, send, verifier };
}

test('[ERR-5] asks by a form, signed with the account’s key, and repeats the verdict', async () => {
  for (const result of ['success', 'fail'] as const) {
    const { verifier, send, clock } = make(() => Response.json({ result, reason: '', captcha_args: {} }));
    expect(await verifier.verify(answer)).toBe(result);
    const [url, init] = send.mock.calls[0] ?? [];
    expect(url).toBe('https://verify.example/validate?captcha_id=id+1');
    expect(init).toMatchObject({ method: 'POST', redirect: 'error' });
    expect(Object.fromEntries(new URLSearchParams(String(init?.body)))).toEqual({
      lot_number: 'lot/1 &',
      captcha_output: 'out=+',
      pass_token: 'pass',
      gen_time: '1767225600',
      sign_token: createHmac('sha256', 'the key').update('lot/1 &').digest('hex'),
    });
    expect(clock.pending()).toBe(0);
  }
});

test('[ERR-5] an answer without a verdict is never a success', async () => {
  const answers = [
    () => Response.json({ status: 'error', code: '-50005' }),
    () => Response.json({ result: true }),
    () => Response.json('success'),
    () => Response.json({ result: 'success' }, { status: 500 }),
    () => new Response('<html>success</html>'),
    () => new Response(`{"result":"success","pad":"${'x'.repeat(70_000)}"}`),
    () => Promise.reject(new TypeError('fetch failed')),
  ];
  for (const respond of answers) {
    const { verifier, warn } = make(respond);
    expect(await verifier.verify(answer)).toBe('unreachable');
    expect(warn).toHaveBeenCalledOnce();
  }
});

test('[ERR-5] waits five seconds and no longer', async () => {
  let signal: AbortSignal | null | undefined;
  const { verifier, clock } = make((_url, init) => {
    signal = init.signal;
    return new Promise(() => undefined);
  });
  const verdict = verifier.verify(answer);
  await vi.waitFor(() => expect(signal).toBeDefined());
  clock.advance(geetestTimeoutMs - 1);
  expect(signal?.aborted).toBe(false);
  clock.advance(1);
  expect(await verdict).toBe('unreachable');
  expect(signal?.aborted).toBe(true);
  expect(geetestTimeoutMs).toBe(5000);
});

test('a time of making that is no number is refused without asking', async () => {
  const { verifier, send } = make(() => Response.json({ result: 'success' }));
  expect(await verifier.verify({ ...answer, genTime: '1e9' })).toBe('fail');
  expect(send).not.toHaveBeenCalled();
});
