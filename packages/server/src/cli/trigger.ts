/** `trigger`: makes a real deposit in the sandbox that ends as asked, and follows its webhook to your backend. */
import { randomUUID } from 'node:crypto';
import { createOperatorClient, type OperatorClient } from '../operator-client.ts';

/** The amount whose last two digits make the sandbox end a deposit in this way (docs/sandbox.md). */
export const triggers = {
  'deposit.processed': '25.05',
  'deposit.declined': '25.16',
  'deposit.expired': '25.12',
  'deposit.reversed': '25.13',
  'deposit.under_review': '25.07',
  'deposit.refunded': '25.05',
} as const;
export type TriggerType = keyof typeof triggers;

export interface TriggerOptions {
  readonly cashierUrl: string;
  readonly operatorKey: string;
  readonly type: TriggerType;
  readonly userId: string;
  readonly currency: string;
  readonly country: string;
  readonly method: string;
}

/** What a test replaces. */
export interface Surroundings {
  readonly fetch: typeof globalThis.fetch;
  readonly print: (line: string) => void;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** The command cannot be carried out. The message says why, and what to do. */
export class TriggerError extends Error {
  override readonly name = 'TriggerError';
}

const patienceMs = 10_000;
const everyMs = 1000;
/** The slowest ending takes 15 seconds. The rest is for a busy machine, and for the second try of a webhook. */
const looks = 60;

/**
 * Carries out the command.
 *
 * @returns whether your backend has taken the webhook
 * @throws TriggerError when there is no sandbox, or the deposit cannot be made; CashierError for a failed call of the operator API
 */
export async function trigger(options: TriggerOptions, surroundings: Surroundings): Promise<boolean> {
  const { cashierUrl, operatorKey, type } = options;
  const address = cashierUrl.replace(/\/+$/, '');
  const { fetch, print } = surroundings;
  await requireSandbox(address, fetch);
  const client = createOperatorClient({ cashierUrl, operatorKey, fetch, pause: surroundings.pause });
  const depositId = await makeDeposit(client, address, options, fetch);
  print(
    `Deposit ${depositId}: ${triggers[type]} ${options.currency} by ${options.method} for the user ${options.userId}.`,
  );
  if (type === 'deposit.refunded') {
    if ((await follow(client, 'deposit.processed', depositId, surroundings)) === undefined) return notQueued(print);
    await client.refundDeposit({ depositId, refundId: randomUUID(), staff: 'trigger', reason: 'trigger' });
  }
  const delivery = await follow(client, type, depositId, surroundings);
  if (delivery === undefined) return notQueued(print);
  const { status, error } = delivery.lastAttempt ?? {};
  const answer = status === undefined ? (error ?? 'no attempt yet') : `status ${status}`;
  print(`Webhook ${type}, webhook-id ${delivery.id}: ${delivery.status} (${answer}).`);
  if (delivery.status === 'delivered') return true;
  print('Your backend has not taken the webhook. The cashier sends it again, later each time.');
  return false;
}

/** Outside a sandbox the deposit would be real. */
async function requireSandbox(address: string, send: typeof globalThis.fetch): Promise<void> {
  const answer = await ask(send, `${address}/sandbox/rates`, {});
  if (answer.ok) return;
  throw new TriggerError(`${address} is no sandbox. Start a cashier with SANDBOX=1, and name it in CASHIER_URL.`);
}

async function makeDeposit(
  client: OperatorClient,
  address: string,
  { type, userId, currency, country, method }: TriggerOptions,
  send: typeof globalThis.fetch,
): Promise<string> {
  const { token } = await client.createUserToken({ userId, currency, country });
  const depositId = randomUUID();
  const body = { depositId, amount: triggers[type], currency, paymentType: method, selectedCountry: country };
  const answer = await ask(send, `${address}/api/BANKING/deposit-create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.ok) return depositId;
  throw new TriggerError(
    `The cashier refused the deposit (${answer.status}): ${await answer.text()}\nAnother method, currency or country may be offered: --method, --currency, --country.`,
  );
}

async function ask(send: typeof globalThis.fetch, address: string, init: RequestInit): Promise<Response> {
  try {
    return await send(address, { ...init, redirect: 'error', signal: AbortSignal.timeout(patienceMs) });
  } catch (cause) {
    throw new TriggerError(`${address} did not answer. Does the cashier run there?`, { cause });
  }
}

/** Waits until the webhook of this deposit is delivered, or the looks are used up. */
async function follow(client: OperatorClient, type: string, depositId: string, { pause }: Surroundings) {
  let latest: Awaited<ReturnType<OperatorClient['listWebhookDeliveries']>>['deliveries'][number] | undefined;
  for (let look = 0; look < looks; look += 1) {
    const { deliveries } = await client.listWebhookDeliveries({ type });
    latest = deliveries.find((delivery) => delivery.depositId === depositId);
    if (latest?.status === 'delivered') return latest;
    await pause(everyMs);
  }
  return latest;
}

function notQueued(print: (line: string) => void): boolean {
  print(
    'The cashier has queued no webhook. Has your operator a webhook address? See `opencashier help create-operator`.',
  );
  return false;
}
