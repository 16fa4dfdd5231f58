/** Test vectors that the SDKs of all languages share: signed webhooks, good and bad. */
import { createHmac } from 'node:crypto';

interface WebhookVector {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Seconds since 1970. */
  readonly now: number;
  /** `ok`, the code of the refusal, or `bad-secret`: the receiver is set up wrongly. */
  readonly expect: string;
}

/** Keys of nobody. */
const secretOf = (fill: number): string => `whsec_${Buffer.alloc(32, fill).toString('base64')}`;
const [current, previous, foreign] = [secretOf(1), secretOf(2), secretOf(3)];

const sentAt = 1_767_225_600;
const id = 'msg-0193c0de';

const body = (change: object = {}, type = 'deposit.processed'): string =>
  JSON.stringify({
    type,
    timestamp: '2026-01-01T00:00:00Z',
    data: {
      depositId: '00000000-0000-4000-8000-000000000001',
      userId: 'u-1042',
      amount: '25.00',
      currency: 'EUR',
      paymentMethod: 'card',
      status: 'processed',
      ...change,
    },
  });

function signature(secret: string, text: string, { signedId = id, at = sentAt } = {}): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${signedId}.${at}.${text}`).digest('base64')}`;
}

function vector(name: string, change: Partial<WebhookVector> = {}): WebhookVector {
  const text = change.body ?? body();
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(sentAt),
    'webhook-signature': signature(current, text),
  };
  const { headers: changed = {}, ...more } = change;
  const merged = Object.entries({ ...headers, ...changed }).filter(([, value]) => value !== absent);
  return {
    name,
    secrets: [current],
    body: text,
    now: sentAt + 1,
    expect: 'ok',
    ...more,
    headers: Object.fromEntries(merged),
  };
}

const absent = '\0absent';
const refused = (expect: string, change: Partial<WebhookVector>): Partial<WebhookVector> => ({ ...change, expect });

export function webhookVectors(): string {
  const text = body();
  const good = signature(current, text);
  const vectors = [
    vector('good'),
    vector('good: a text beyond ASCII', { body: body({ paymentMethod: 'Zürich – €' }) }),
    vector('good: a type of a later version', { body: body({}, 'deposit.of_a_later_version') }),
    vector('rotated: the sender signs with both secrets, the receiver knows the old one', {
      headers: { 'webhook-signature': `${signature(previous, text)} ${good}` },
    }),
    vector('rotated: the receiver knows both secrets, the sender signs with the old one', {
      secrets: [current, previous],
      headers: { 'webhook-signature': signature(previous, text) },
    }),
    vector('good: a signature of a later version stands beside', {
      headers: { 'webhook-signature': `v2,AAAA ${good}` },
    }),
    vector('good: as old as is allowed', { now: sentAt + 300 }),
    vector('good: as early as is allowed', { now: sentAt - 300 }),
    vector('old: a second older than is allowed', refused('too-old', { now: sentAt + 301 })),
    vector('early: a second earlier than is allowed', refused('too-new', { now: sentAt - 301 })),
    vector('tampered: another amount', {
      ...refused('bad-signature', { body: body({ amount: '2500.00' }) }),
      headers: { 'webhook-signature': good },
    }),
    vector('tampered: a space behind the body', {
      ...refused('bad-signature', { body: `${text} ` }),
      headers: { 'webhook-signature': good },
    }),
    vector('tampered: another id', refused('bad-signature', { headers: { 'webhook-id': 'msg-other' } })),
    vector(
      'tampered: a later time',
      refused('bad-signature', { headers: { 'webhook-timestamp': String(sentAt + 1) } }),
    ),
    vector(
      'forged: a foreign secret',
      refused('bad-signature', { headers: { 'webhook-signature': signature(foreign, text) } }),
    ),
    vector(
      'forged: the beginning of the signature',
      refused('bad-signature', { headers: { 'webhook-signature': good.slice(0, 9) } }),
    ),
    vector('forged: an empty signature', refused('bad-signature', { headers: { 'webhook-signature': 'v1,' } })),
    vector('forged: no version', refused('bad-signature', { headers: { 'webhook-signature': good.slice(3) } })),
    vector('forged: no base64', refused('bad-signature', { headers: { 'webhook-signature': 'v1,%%%' } })),
    ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      vector(`incomplete: no ${name}`, refused('missing-header', { headers: { [name]: absent } })),
    ),
    vector('incomplete: an empty id', refused('missing-header', { headers: { 'webhook-id': '' } })),
    ...['1e9', '-1', '1767225600.5', 'now'].map((at) =>
      vector(`no time: ${at}`, refused('bad-timestamp', { headers: { 'webhook-timestamp': at } })),
    ),
    ...['{"type":', '[]', '"text"', 'null', '{}', '{"type":7}'].map((wrong) =>
      vector(`signed, but no webhook: ${wrong}`, refused('bad-body', { body: wrong })),
    ),
    vector('no secret at all', refused('bad-secret', { secrets: [] })),
    vector('an empty secret', refused('bad-secret', { secrets: [''] })),
    vector('a prefix without a secret', refused('bad-secret', { secrets: ['whsec_'] })),
    vector('a secret that is no base64', refused('bad-secret', { secrets: ['whsec_not base64 at all!!!!!!'] })),
    vector('one good secret and one that is none', refused('bad-secret', { secrets: [current, 'sk_live'] })),
  ];
  return `${JSON.stringify(vectors, null, 2)}\n`;
}

interface RequestVector {
  readonly name: string;
  /** In camel case; other languages spell it in their way. */
  readonly call: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Absent: the request has none. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Requests of the operator API, and what must be sent for them. */
export function requestVectors(): string {
  const transfer = {
    transferId: '00000000-0000-4000-8000-000000000001',
    amount: '40.00',
    currency: 'EUR',
    from: 'operator',
    to: 'additional',
  };
  const vectors: RequestVector[] = [
    {
      name: 'a body',
      call: 'createUserToken',
      request: { userId: 'u-1042', currency: 'EUR', country: 'DE' },
      method: 'POST',
      path: '/operator/v1/user-tokens',
      body: { userId: 'u-1042', currency: 'EUR', country: 'DE' },
    },
    {
      name: 'a part of the path and a body',
      call: 'transferFunds',
      request: { userId: 'u-1042', ...transfer },
      method: 'POST',
      path: '/operator/v1/users/u-1042/transfers',
      body: transfer,
    },
    {
      name: 'a part of the path with signs that an address must not hold',
      call: 'readBalances',
      request: { userId: 'a/b?c#d%e' },
      method: 'GET',
      path: '/operator/v1/users/a%2Fb%3Fc%23d%25e/balances',
    },
    {
      name: 'a query',
      call: 'listTransactions',
      request: { type: 'deposit', userId: 'a&b', limit: 10 },
      method: 'GET',
      path: '/operator/v1/transactions?type=deposit&userId=a%26b&limit=10',
    },
    { name: 'nothing to ask for', call: 'listReviews', request: {}, method: 'GET', path: '/operator/v1/reviews' },
    {
      name: 'no body',
      call: 'replayWebhookDelivery',
      request: { deliveryId: '00000000-0000-4000-8000-000000000002' },
      method: 'POST',
      path: '/operator/v1/webhook-deliveries/00000000-0000-4000-8000-000000000002/replay',
    },
  ];
  return `${JSON.stringify(vectors, null, 2)}\n`;
}
