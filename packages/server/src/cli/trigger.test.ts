import { expect, test } from 'vitest';
import { trigger } from './trigger.ts';
import { type TriggerType, triggers } from './trigger-plans.ts';

interface Cashier {
  readonly isSandbox?: boolean;
  readonly create?: Response;
  /** The withdrawal needs a code. */
  readonly isCodeNeeded?: boolean;
  /** Status of the webhook at each look. */
  readonly deliveries?: readonly (string | undefined)[];
}

function run(
  type: TriggerType,
  { isSandbox = true, create, isCodeNeeded = false, deliveries = ['delivered'] }: Cashier = {},
) {
  const [lines, requests, pauses]: [string[], { path: string; body: Record<string, unknown> }[], number[]] = [
    [],
    [],
    [],
  ];
  let looks = 0;
  const answerTo = (path: string, query: URLSearchParams): Response => {
    if (path === '/sandbox/rates') return new Response('', { status: isSandbox ? 200 : 404 });
    if (path.endsWith('/user-tokens')) return Response.json({ token: 'user-token', expiresAt: '' });
    if (path.endsWith('/deposit-create')) return create ?? Response.json({});
    if (path.endsWith('/withdrawal-create')) return Response.json(isCodeNeeded ? { confirmation: {} } : {});
    if (/\/(?:refund|deposit-cancel|withdrawal-(?:confirm|cancel))$/.test(path)) return Response.json({});
    const status = deliveries[Math.min(looks++, deliveries.length - 1)];
    const type = query.get('type') ?? '';
    const key = type.startsWith('deposit') ? 'depositId' : 'withdrawalId';
    const id = requests.find(({ body }) => body[key] !== undefined)?.body[key];
    const found = { id: 'm-1', type, [key]: id, status, lastAttempt: { status: 204 } };
    return Response.json({ deliveries: status === undefined ? [] : [{ ...found, [key]: 'another' }, found] });
  };
  const outcome = trigger(
    {
      cashierUrl: 'http://localhost:3000/',
      operatorKey: 'sk_test',
      type,
      userId: 'u-1',
      currency: 'EUR',
      country: 'DE',
    },
    {
      fetch: async (address, init) => {
        const { pathname, searchParams } = new URL(String(address));
        requests.push({ path: pathname, body: init?.body ? JSON.parse(String(init.body)) : {} });
        return answerTo(pathname, searchParams);
      },
      print: (line) => lines.push(line),
      pause: async (milliseconds) => {
        pauses.push(milliseconds);
      },
    },
  );
  return { outcome, lines, requests, pauses };
}

test('[SRV-5] a deposit is made with the amount of the ending, and its webhook is followed to its delivery', async () => {
  const { outcome, lines, requests, pauses } = run('deposit.reversed', {
    deliveries: [undefined, 'pending', 'delivered'],
  });
  expect(await outcome).toBe(true);
  expect(requests.find(({ path }) => path.endsWith('/deposit-create'))?.body).toMatchObject({
    amount: '25.13',
    currency: 'EUR',
    paymentType: 'card',
    selectedCountry: 'DE',
  });
  expect(pauses).toHaveLength(2);
  expect(lines.at(-1)).toBe('Webhook deposit.reversed, webhook-id m-1: delivered (status 204).');
});

test('a refund waits until the deposit is credited', async () => {
  const { outcome, requests } = run('deposit.refunded');
  expect(await outcome).toBe(true);
  const paths = requests.map(({ path }) => path.split('/').at(-1));
  expect(paths.slice(-3)).toEqual(['webhook-deliveries', 'refund', 'webhook-deliveries']);
});

const pathsOf = (requests: readonly { path: string }[]) => requests.map(({ path }) => path.split('/').at(-1));

const bodyOf = (requests: ReturnType<typeof run>['requests'], call: string) =>
  requests.find(({ path }) => path.endsWith(`/${call}`))?.body;

/** What the cashier needs to cancel the payment that was created. */
function cancelOf(requests: ReturnType<typeof run>['requests'], payment: 'deposit' | 'withdrawal') {
  const created = bodyOf(requests, `${payment}-create`);
  return payment === 'deposit'
    ? { depositId: created?.['depositId'], paymentMethod: created?.['paymentType'] }
    : { withdrawalId: created?.['withdrawalId'] };
}

test('a withdrawal is paid for by a deposit, and the user confirms it', async () => {
  const { outcome, lines, requests } = run('withdrawal.declined');
  expect(await outcome).toBe(true);
  expect(pathsOf(requests).filter((path) => path !== 'user-tokens')).toEqual([
    'rates',
    'deposit-create',
    'webhook-deliveries',
    'withdrawal-create',
    'withdrawal-confirm',
    'webhook-deliveries',
  ]);
  expect(requests.find(({ path }) => path.endsWith('/withdrawal-create'))?.body).toMatchObject({
    amount: '20.10',
    paymentMethod: 'card_withdrawal',
    fields: { cardNumber: '4242 4242 4242 4242' },
  });
  expect(lines.at(-1)).toBe('Webhook withdrawal.declined, webhook-id m-1: delivered (status 204).');
});

test.each(['deposit.cancelled', 'withdrawal.cancelled'] as const)('%s is a cancel of the user', async (type) => {
  const { outcome, requests } = run(type);
  expect(await outcome).toBe(true);
  const cancel = `${triggers[type].payment}-cancel`;
  expect(pathsOf(requests).filter((path) => /cancel|confirm/.test(path ?? ''))).toEqual([cancel]);
  expect(bodyOf(requests, cancel)).toEqual(cancelOf(requests, triggers[type].payment));
});

test('a withdrawal that needs a code is cancelled, and the message says what to choose', async () => {
  const { outcome, lines, requests } = run('withdrawal.processed', { isCodeNeeded: true });
  await expect(outcome).rejects.toThrow(/needs a confirmation code.* Choose another method/);
  expect(pathsOf(requests)).not.toContain('withdrawal-confirm');
  expect(bodyOf(requests, 'withdrawal-cancel')).toEqual(cancelOf(requests, 'withdrawal'));
  expect(lines.at(-1)).toBe('The withdrawal is cancelled, so its amount is free again.');
});

test('a refused deposit that pays for a withdrawal says what its options can change', async () => {
  const { outcome } = run('withdrawal.processed', { create: new Response('limit-min', { status: 422 }) });
  await expect(outcome).rejects.toThrow(/limit-min\nA deposit of 25\.05 by card pays for the withdrawal.*--currency/);
});

test('a webhook that nobody takes, and one that was never queued, are said so', async () => {
  const refused = run('deposit.processed', { deliveries: ['pending'] });
  expect(await refused.outcome).toBe(false);
  expect(refused.lines.at(-1)).toMatch(/has not taken the webhook/);
  const silent = run('deposit.processed', { deliveries: [undefined] });
  expect(await silent.outcome).toBe(false);
  expect(silent.lines.at(-1)).toMatch(/queued no webhook/);
});

test('a user with too many payments is said to be the cause, also before a withdrawal', async () => {
  for (const type of ['deposit.processed', 'withdrawal.processed'] as const) {
    const refused = run(type, { create: new Response('rate-limited', { status: 429 }) });
    await expect(refused.outcome).rejects.toThrow(/rate-limited\nThis user has made too many .* --user/);
  }
});

test('outside a sandbox nothing is made, and a refused deposit says what to change', async () => {
  const real = run('deposit.processed', { isSandbox: false });
  await expect(real.outcome).rejects.toThrow(/is no sandbox. Start a cashier with SANDBOX=1/);
  expect(real.requests.map(({ path }) => path)).toEqual(['/sandbox/rates']);
  const refused = run('deposit.processed', { create: new Response('limit-min', { status: 422 }) });
  await expect(refused.outcome).rejects.toThrow(/limit-min\nAnother method/);
});
