/** A cashier whose operators have accounts of their own at a stand-in for Stripe, and what its tests need to know. */
import { createHmac, randomUUID } from 'node:crypto';
import type { ConnectionView } from '@opencashier/contract/operator';
import { createOperator } from '../operators/manage-operators.ts';
import { type Answer, keepSessions, StripeApi } from '../providers/stripe/stripe-api.fixture.ts';
import { appOperatorKey, type RunningApp, startApp } from '../transports/testing/running-app.ts';

/** Found nowhere but in the secrets themselves. */
export const MARK = 'CANARYMARK';
export const stripeKey = (name: string, mode = 'test') => `sk_${mode}_${MARK}${name}${'0'.repeat(20)}abcd`;
export const signingSecret = (name: string) => `whsec_${MARK}${name}${'0'.repeat(20)}wxyz`;
export const masterKey = (name: string) => `${name}:${`secret of ${name} `.replaceAll(' ', '-').padEnd(40, 'x')}`;

export interface Connected {
  readonly running: RunningApp;
  readonly stripe: StripeApi;
  /** The address of the stand-in for Stripe, for further nodes. */
  readonly stripeApi: Awaited<ReturnType<StripeApi['open']>>;
  readonly sessions: ReturnType<typeof keepSessions>;
  /** Every answer of the operator API, as text. */
  readonly answers: string[];
  /** Asks the operator API as the operator demo, or with another key. */
  ask(method: string, path: string, body?: object, key?: string): Promise<{ status: number; body: unknown }>;
  /** Makes a connection of demo to Stripe, or of the operator of another key. */
  connect(name: string, more?: object, key?: string): Promise<ConnectionView>;
  stop(): Promise<void>;
}

/** A key of Stripe with this text is refused. */
export const REFUSED = 'revoked';

export async function startConnected(environment: Record<string, string> = {}): Promise<Connected> {
  const stripe = new StripeApi();
  const api = await stripe.open();
  const sessions = keepSessions(stripe);
  const usual = stripe.answer;
  stripe.answer = (asked): Answer | 'break' => {
    if (String(asked.headers.authorization).includes(REFUSED)) {
      return { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key' } } };
    }
    return usual(asked);
  };
  const running = await startApp({ MASTER_KEY: masterKey('2026-01'), ...environment }, undefined, api);
  const answers: string[] = [];
  const ask: Connected['ask'] = async (method, path, body, key = appOperatorKey) => {
    const response = await fetch(`${running.url}/operator/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    answers.push(text);
    return { status: response.status, body: JSON.parse(text) as unknown };
  };
  return {
    running,
    stripe,
    stripeApi: api,
    sessions,
    answers,
    ask,
    async connect(name, more = {}, key) {
      const secrets = { secretKey: stripeKey(name), webhookSecret: signingSecret(name) };
      const made = await ask('POST', '/connections', { provider: 'stripe', name, mode: 'test', secrets, ...more }, key);
      if (made.status !== 200) throw new Error(`No connection: ${JSON.stringify(made.body)}`);
      return made.body as ConnectionView;
    },
    async stop() {
      await running.stop();
      await stripe.close();
    },
  };
}

/** Another operator with its API key. */
export async function addOperator({ database }: RunningApp, partnerKey: string): Promise<string> {
  const made = await createOperator(database, { partnerKey, name: partnerKey, origins: ['https://other.example'] });
  if (made === undefined) throw new Error(`${partnerKey} exists`);
  return made.secretKey;
}

/** Sends an event of Stripe about a session to an address for callbacks. @returns the status of the answer */
export async function sendEvent(
  url: string,
  secret: string,
  session: object,
  id = `evt_${randomUUID()}`,
): Promise<number> {
  const type = 'checkout.session.completed';
  const at = Math.floor(Date.now() / 1000);
  const event = { id, object: 'event', type, created: at, livemode: false, data: { object: session } };
  const body = JSON.stringify(event);
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'stripe-signature': `t=${at},v1=${signature}` },
    body,
  });
  return response.status;
}

/** Every row of every table, as text. */
export async function dumpOf({ database }: RunningApp): Promise<string> {
  const tables = await database.query<{ name: string }>({
    text: `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`,
  });
  const dumps: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query<{ row: string }>({ text: `select "${name}"::text as row from "${name}"` });
    dumps.push(`${name}: ${rows.map(({ row }) => row).join('\n')}`);
  }
  return dumps.join('\n');
}
