/**
 * The server dies during payouts: at each of their failpoints, and at each request to the provider. `PAYOUT_KILLS` says how many times for
 * each provider; `PAYOUT_KILLS=100` is the whole. docs/reliability.md has the last result.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Cluster } from './cluster.ts';
import { expectSoundAudit, readFailpoints } from './deaths.ts';
import { intentOfWithdrawal, Payer } from './payer.ts';
import { atCall, atPoint, type DeadlyMoment, killPayouts, type PayoutStory } from './payout-kills.ts';
import { StripeStandIn } from './stripe-stand-in.ts';

const kills = Number(process.env['PAYOUT_KILLS'] ?? 3);
const timeout = 60_000 + kills * 60_000;
const pollFor = { timeout: 60_000, interval: 30 };
const { payoutFailpoints } = await readFailpoints();

let cluster: Cluster;
let stripe: StripeStandIn;
beforeAll(async () => {
  stripe = await StripeStandIn.open();
  cluster = await Cluster.start({ nodes: 1, program: 'dying', env: stripe.env });
});
afterAll(async () => {
  await cluster?.stop();
  await stripe?.close();
});

/** Confirms the withdrawal, and makes the cashier ask the provider until the withdrawal has ended. */
async function confirmUntilPaid(payer: Payer, withdrawalId: string): Promise<void> {
  // The answer of the confirm may be that the outcome is unknown. The cashier then asks the provider itself.
  const nudge = setInterval(() => {
    void cluster
      .query('update withdrawal set check_at = now() where id = $1 and check_at > now()', [withdrawalId])
      .catch(() => undefined);
  }, 300);
  try {
    await payer.insist('withdrawal-confirm', { withdrawalId });
    await payer.untilWithdrawn(withdrawalId, 1);
  } finally {
    clearInterval(nudge);
  }
}

/** With `.03` the sandbox loses its answer, so that only a question tells the outcome. */
const amountAt = ({ name }: DeadlyMoment): string => (name === 'withdrawal-inquired' ? '40.03' : '40.05');

async function sandboxPayout(moment: DeadlyMoment): Promise<PayoutStory> {
  const payer = await Payer.of(cluster);
  const transfer = { transferId: randomUUID(), amount: '100.00', currency: 'USD', from: 'operator', to: 'main' };
  expect((await payer.insistAsOperator(`users/${payer.userId}/transfers`, transfer)).status).toBe(200);
  const withdrawalId = randomUUID();
  const amount = amountAt(moment);
  return {
    withdrawalId,
    async happens() {
      expect((await payer.insist('withdrawal-create', intentOfWithdrawal(withdrawalId, amount))).status).toBe(200);
      await confirmUntilPaid(payer, withdrawalId);
    },
    async paidOut() {
      const [paid] = await cluster.query<{ payouts: number; minor: string }>(
        `select count(*)::int as payouts, coalesce(sum(receives_minor), 0)::text as minor from sandbox_payout where withdrawal_id = $1`,
        [withdrawalId],
      );
      return { payouts: paid?.payouts ?? 0, minor: BigInt(paid?.minor ?? 0) };
    },
    expected: { payouts: 1, minor: await arrivesOf(amount) },
  };
}

/** What arrives by the sandbox's card method after its fee, in cents. */
async function arrivesOf(amount: string): Promise<bigint> {
  const probe = await Payer.of(cluster);
  const transfer = { transferId: randomUUID(), amount: '100.00', currency: 'USD', from: 'operator', to: 'main' };
  await probe.insistAsOperator(`users/${probe.userId}/transfers`, transfer);
  const withdrawalId = randomUUID();
  const { body } = await probe.insist('withdrawal-create', intentOfWithdrawal(withdrawalId, amount));
  await probe.insist('withdrawal-cancel', { withdrawalId });
  return BigInt(String(body['receives']).replace('.', ''));
}

/** Two payments of one card pay 40.00. At a refusal a third one takes the place of one of them. */
async function stripePayout(moment: DeadlyMoment): Promise<PayoutStory> {
  stripe.reset();
  const payer = await Payer.of(cluster);
  const spare = await payByCard(payer);
  const second = await payByCard(payer);
  await payByCard(payer);
  expect(spare).not.toBe(second);
  // Stripe makes the first refund, and refuses the second one.
  if (moment.name === 'payout-refunds-declined' || moment.name.endsWith('refused')) stripe.refuseRefundsOf(second);
  const card = await cardOf(payer);
  const withdrawalId = randomUUID();
  return {
    withdrawalId,
    async happens() {
      const request = {
        withdrawalId,
        amount: '40.00',
        currency: 'USD',
        paymentMethod: 'card_stripe_payout',
        fields: {},
        payoutAccountId: card,
      };
      expect((await payer.insist('withdrawal-create', request)).status).toBe(200);
      await confirmUntilPaid(payer, withdrawalId);
    },
    paidOut: async () => stripe.paidOut(withdrawalId),
    expected: { payouts: 2, minor: 4000n },
  };
}

/** @returns Stripe's id of the session */
async function payByCard(payer: Payer): Promise<string> {
  const depositId = randomUUID();
  const deposit = { amount: '25.00', currency: 'USD', depositId, fields: {}, selectedCountry: 'IN' };
  expect((await payer.insist('deposit-create', { ...deposit, paymentType: 'card_stripe' })).status).toBe(200);
  const [row] = await cluster.query<{ ref: string }>('select provider_ref as ref from deposit where id = $1', [
    depositId,
  ]);
  const session = row?.ref ?? '';
  expect(await stripe.pay(cluster.url, session)).toBe(true);
  await expect
    .poll(() => cluster.query(`select 1 from deposit where id = $1 and state = 'credited'`, [depositId]), pollFor)
    .toHaveLength(1);
  return session;
}

async function cardOf(payer: Payer): Promise<string> {
  const [card] = await cluster.query<{ id: string }>('select id from paid_card where user_id = $1', [payer.userId]);
  if (card === undefined) throw new Error('No card was stored');
  return card.id;
}

/** Reached only where a part of a payout is refused, so only by a payout of several refunds. */
const ofRefunds = 'payout-refunds-declined';

test(`[WD-2] [SRV-6] killed ${kills} times during payouts of the sandbox: each is paid once, by its own books`, {
  timeout,
}, async () => {
  const points = payoutFailpoints.filter((point) => point !== ofRefunds);
  await killPayouts(
    cluster,
    points.map((point) => atPoint(cluster, point)),
    kills,
    sandboxPayout,
  );
});

test(`[WD-2] [SRV-6] killed ${kills} times during payouts by refunds at Stripe: each is paid once, by its own books`, {
  timeout,
}, async () => {
  const calls = [
    atCall(cluster, 'a lookup', (kill) => stripe.killAtLookup(kill)),
    ...([1, 2] as const).flatMap((nth) =>
      (['before', 'after'] as const).map((when) =>
        atCall(cluster, `${when} refund ${nth}`, (kill) => stripe.killAtRefund(nth, when, kill)),
      ),
    ),
    atCall(cluster, 'after refund 3, one refused', (kill) => stripe.killAtRefund(3, 'after', kill)),
  ];
  const points = payoutFailpoints.map((point) => atPoint(cluster, point));
  await killPayouts(cluster, [...calls, ...points], kills, stripePayout);
});

test('[SRV-2] after all deaths the audit of the whole ledger finds no fault', async () => {
  await expectSoundAudit(cluster);
});
