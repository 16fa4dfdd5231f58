/** Callbacks over HTTP, at two nodes: many at once, forged, and authentic but wrong. docs/reliability.md lists the other proofs. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Callback, type Said, send, signed, written } from './callbacks.ts';
import { Cluster } from './cluster.ts';
import { balanceOf, expectSoundBooks } from './invariants.ts';
import { Payer } from './payer.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await Cluster.start({ nodes: 2 });
});
afterAll(() => cluster?.stop());

/** An open deposit of 25.00 and the provider's name for it. */
async function opened(): Promise<{ payer: Payer; said: Said }> {
  const payer = await Payer.of(cluster);
  const depositId = await payer.create();
  const [payment] = await cluster.query<{ ref: string }>('select ref from sandbox_payment where deposit_id = $1', [
    depositId,
  ]);
  return { payer, said: { depositId, ref: payment?.ref ?? '' } };
}

const genuine = (said: Said): Callback => signed(written(said), cluster.providerSecret);
const creditsOf = async (depositId: string): Promise<number> =>
  (await cluster.query(`select 1 from journal where deposit_id = $1 and kind = 'deposit_credit'`, [depositId])).length;
const standing = async (depositId: string): Promise<unknown> =>
  (await cluster.query('select state, review from deposit where id = $1', [depositId]))[0];

test('[SRV-3] [SRV-4] [SRV-7] one callback twenty times at once at both nodes, and ten events of one payment: one credit', async () => {
  const { payer, said } = await opened();
  const one = genuine(said);
  const all = [...Array.from({ length: 20 }, () => one), ...Array.from({ length: 10 }, () => genuine(said))];
  const statuses = await Promise.all(all.map((callback, index) => send(cluster, index % 2, callback)));
  expect(new Set(statuses)).toEqual(new Set([202]));
  await payer.untilProcessed(said.depositId);
  await expect
    .poll(() => cluster.query(`select 1 from inbox_queue where status = 'new'`), { timeout: 90_000 })
    .toEqual([]);
  expect(await creditsOf(said.depositId)).toBe(1);
  expect(await balanceOf(cluster, payer.userId)).toBe(25_00n);
});

const forgeries: Readonly<Record<string, (body: string) => Callback>> = {
  'without a signature': (body) => ({ ...signed(body, cluster.providerSecret), headers: {} }),
  'signed by a stranger': (body) => signed(body, `whsec_${randomBytes(32).toString('base64')}`),
  'signed with the secret of the operator’s webhooks': (body) => signed(body, cluster.operatorWebhookSecret),
  'more than five minutes old': (body) => signed(body, cluster.providerSecret, 310),
  'more than five minutes ahead': (body) => signed(body, cluster.providerSecret, -310),
  'with one byte altered': (body) => ({
    ...signed(body, cluster.providerSecret),
    body: body.replace('"25.00"', '"26.00"'),
  }),
};

test.each(Object.keys(forgeries))('[SRV-4] a callback %s is refused and leaves no trace', async (what) => {
  const { payer, said } = await opened();
  const forged = forgeries[what]?.(written(said));
  if (forged === undefined) throw new Error('No such forgery');
  const inbox = () => cluster.query('select count(*)::int as n from webhook_inbox');
  const before = await inbox();
  expect([await send(cluster, 0, forged), await send(cluster, 1, forged)]).toEqual([401, 401]);
  expect(await inbox()).toEqual(before);
  expect(await standing(said.depositId)).toEqual({ state: 'awaiting_payment', review: null });
  expect(await balanceOf(cluster, payer.userId)).toBe(0n);
});

/** The outcome for the deposit and for the report: `review` waits for staff; `parked` and `unread` are stored and tried again. */
const mistakes: readonly [
  string,
  Partial<Said>,
  'underpaid' | 'overpaid' | 'wrong-currency' | 'second-payment' | 'parked' | 'unread',
][] = [
  ['a cent less', { paid: '24.99' }, 'underpaid'],
  ['a cent more', { paid: '25.01' }, 'overpaid'],
  ['a hundredfold', { paid: '2500.00' }, 'overpaid'],
  ['the same number of another currency', { paidCurrency: 'EUR' }, 'wrong-currency'],
  ['the asked number in a currency without decimals', { paid: '2500', paidCurrency: 'JPY' }, 'wrong-currency'],
  ['another asked currency', { currency: 'EUR' }, 'parked'],
  ['another payment', { ref: `sbx_${'0'.repeat(32)}` }, 'second-payment'],
  ['a deposit that nobody made', { depositId: randomUUID(), ref: `sbx_${'1'.repeat(32)}` }, 'parked'],
  ['more decimals than the currency has', { paid: '25.001' }, 'unread'],
  ['a negative amount', { paid: '-25.00' }, 'unread'],
  ['an amount that is none', { paid: '1e9' }, 'unread'],
  ['more than any account can hold', { paid: `${'9'.repeat(30)}.00` }, 'unread'],
];

test.each(mistakes)(
  '[SRV-3] [SRV-4] an authentic callback of %s credits nothing and is kept',
  async (_what, wrong, end) => {
    const { payer, said } = await opened();
    const callback = genuine({ ...said, ...wrong });
    expect(await send(cluster, 1, callback)).toBe(202);
    const id = callback.headers['webhook-id'];
    const kept = {
      unread: `select 1 from inbox_queue where message_id = $1 and status = 'new' and last_error is not null`,
      parked: `select 1 from deposit_event where event_id = $1 and status = 'parked'`,
    };
    const reviewed = end !== 'unread' && end !== 'parked';
    const question = reviewed ? `select 1 from deposit_event where event_id = $1 and status = 'applied'` : kept[end];
    await expect.poll(() => cluster.query(question, [id]), { timeout: 90_000 }).toHaveLength(1);
    expect(await standing(said.depositId)).toMatchObject({ review: reviewed ? end : null });
    expect(await creditsOf(said.depositId)).toBe(0);
    expect(await balanceOf(cluster, payer.userId)).toBe(0n);
  },
);

test('[DEP-11] [SRV-3] a payment that is reported after the cancellation is reviewed by staff, and is neither credited nor lost', async () => {
  const { payer, said } = await opened();
  await payer.insist('deposit-cancel', { depositId: said.depositId, paymentMethod: 'card' });
  expect(await send(cluster, 0, genuine(said))).toBe(202);
  await expect
    .poll(() => standing(said.depositId), { timeout: 90_000 })
    .toEqual({ state: 'late_paid', review: 'late' });
  expect(await balanceOf(cluster, payer.userId)).toBe(0n);
});

test('[SRV-2] after all these tests the ledger is sound, and no log contains a secret', () =>
  expectSoundBooks(cluster));
