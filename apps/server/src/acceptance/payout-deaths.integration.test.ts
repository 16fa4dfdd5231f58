/**
 * A process ends at every failpoint of a payout by the sandbox and by refunds at Stripe, and at every request to Stripe, many times. After
 * its end it reaches the database no more, and another process goes on. `e2e/faults/payouts.fault.test.ts` kills whole servers, which is
 * slower. PAYOUT_DEATHS: deaths at each moment.
 */
import { randomUUID } from 'node:crypto';
import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CatalogueMethod } from '../catalogue/catalogue.ts';
import type { Database } from '../database/database.ts';
import { openTestDatabase, silentLogger, type TestDatabase } from '../database/testing/test-database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import type { Caller } from '../operators/caller.ts';
import { payoutFailpoints } from '../payment-ports/failpoints.ts';
import {
  ann,
  type Bench,
  commandOf,
  createBench,
  createFakeCatalogue,
  seedOperator,
} from '../payments/testing/payments.fixture.ts';
import type { Provider } from '../providers/provider.ts';
import { createSandboxProvider } from '../providers/sandbox/sandbox.ts';
import { createStripeProvider } from '../providers/stripe/stripe.ts';
import { keepSessions, StripeApi } from '../providers/stripe/stripe-api.fixture.ts';
import { books, intent, richUser } from '../withdrawals/withdrawals.fixture.ts';
import { type MortalDatabase, mortalDatabase } from './dying-process.fixture.ts';
import { expectPaidOnce, Processes } from './mortal-processes.fixture.ts';

const deaths = Number(process.env['PAYOUT_DEATHS'] ?? 1);
const timeout = 60_000 + deaths * 10_000;

let opened: TestDatabase;
let database: Database;
beforeAll(async () => {
  opened = await openTestDatabase();
  ({ database } = opened);
  await seedOperator(database);
});
afterAll(() => opened?.drop());

function catalogueOf(provider: string, more: Partial<CatalogueMethod> = {}) {
  const fakes = createFakeCatalogue();
  return {
    ...fakes,
    method: (asked: Parameters<typeof fakes.method>[0]): CatalogueMethod | undefined => {
      const method = fakes.method(asked);
      return method && { ...method, provider, ...(asked.name === 'payout_card' && more) };
    },
  };
}

function benchOf(provider: Provider, more?: Partial<CatalogueMethod>) {
  return ({ database: own, failpoint }: MortalDatabase): Bench =>
    createBench(own, {
      catalogue: catalogueOf(provider.name, more),
      providers: new Map([[provider.name, provider]]),
      failpoint,
    });
}

describe('a payout of the sandbox', () => {
  let open: ReturnType<typeof benchOf>;
  beforeAll(() => {
    // The company lives on, with its own connection to the database.
    const { provider } = createSandboxProvider({
      isAllowed: true,
      publicUrl: 'https://cashier.example',
      secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      database,
      clock: systemClock,
      log: silentLogger,
    });
    open = benchOf(provider);
  });

  // Only a payout of several refunds has a part that is refused.
  const points = payoutFailpoints.filter((point) => point !== 'payout-refunds-declined');
  test.each(points)(
    '[WD-2] [SRV-6] the process ends at %s: another one goes on, and the user is paid once',
    {
      timeout,
    },
    async (point) => {
      for (let death = 0; death < deaths; death += 1) {
        const caller = await richUser(database);
        const processes = new Processes(database, open, point);
        // An amount that the sandbox pays at once.
        const command = intent(caller, { amount: '400.05' });
        const { withdrawalId } = command.request;
        const { receives } = await processes.insist(({ payments }) => payments.withdrawals.create(command));
        await processes.untilPaid(caller, withdrawalId);
        expect(processes.first.isDead()).toBe(true);
        // All payouts of the company since the last story, whatever they name.
        const paid = await database.query<{ minor: string }>({
          text: 'delete from sandbox_payout returning receives_minor::text as minor',
        });
        expect(paid).toEqual([{ minor: receives.replace('.', '') }]);
        expect(await books(database, caller)).toMatchObject({ free: 59_995n, held: 0n });
        await expectPaidOnce(database, withdrawalId);
      }
    },
  );
});

describe('a payout by refunds at Stripe', () => {
  const card = { fingerprint: 'fp_visa', brand: 'visa', last4: '4242' };
  const api = new StripeApi();
  const sessions = keepSessions(api);
  const usual = api.answer;
  let open: ReturnType<typeof benchOf>;
  beforeAll(async () => {
    const provider = createStripeProvider({
      secretKey: `sk_test_${'0'.repeat(24)}`,
      webhookSecrets: [`whsec_${'0'.repeat(24)}`],
      api: await api.open(),
      clock: systemClock,
    });
    open = benchOf(provider, { flags: { paysToPaidCards: true }, fees: {} });
  });
  afterAll(() => api.close());

  type Asked = Parameters<typeof usual>[0];
  const isRefund = ({ method, path }: Asked) => method === 'POST' && path === '/v1/refunds';
  const isLookup = ({ method, path }: Asked) => method === 'GET' && path === '/v1/refunds';

  /** The n-th request of a kind. Stripe has carried it out when the process ends, or not. Its answer is lost either way. */
  interface DeadlyRequest {
    readonly kind: (asked: Asked) => boolean;
    readonly nth: number;
    readonly isCarriedOut: boolean;
  }

  function answers(isRefused: boolean, deadly?: DeadlyRequest & { kill(): void }): StripeApi['answer'] {
    let [refunds, deadlyOnes] = [0, 0];
    return (asked) => {
      if (isRefund(asked)) refunds += 1;
      if (isRefused && isRefund(asked) && refunds === 2) {
        sessions.dispute(String(asked.form['payment_intent']).slice('pi_'.length));
      }
      if (deadly?.kind(asked)) deadlyOnes += 1;
      if (!deadly?.kind(asked) || deadlyOnes !== deadly.nth) return usual(asked);
      deadly.kill();
      if (deadly.isCarriedOut) usual(asked);
      return 'break';
    };
  }

  /** A deposit of 500.00 by the card. @returns Stripe's id of the session */
  async function payByCard({ payments }: Bench, caller: Caller): Promise<string> {
    const depositId = randomUUID();
    await payments.createDeposit(commandOf({ depositId }, caller));
    const [row] = await database.query<{ ref: string }>({
      text: `update deposit set check_at = now() where id = $1 returning provider_ref as ref`,
      values: [depositId],
    });
    sessions.pay(row?.ref ?? '', card);
    await payments.runDueWork();
    return row?.ref ?? '';
  }

  /**
   * Three payments of one card. A withdrawal of 800.00 sends two of them back, or, after a refusal, another two.
   * @param isRefused Stripe refuses the second refund that it is asked for, such as after a dispute
   * @param deadly the request during which the first process ends
   */
  async function payOut(dieAt: string | undefined, isRefused: boolean, deadly?: DeadlyRequest) {
    api.answer = usual;
    const caller = { ...ann, userId: `card-${randomUUID()}` };
    const lasting = open(mortalDatabase(database));
    const paid = [];
    for (let nth = 0; nth < 3; nth += 1) paid.push(await payByCard(lasting, caller));
    const accounts = await lasting.payments.withdrawals.cards(caller, 'payout_card', 'INR');
    const processes = new Processes(database, open, dieAt);
    api.answer = answers(isRefused, deadly && { ...deadly, kill: () => processes.first.end() });
    const command = intent(caller, { amount: '800.00', payoutAccountId: accounts?.[0]?.accountId, fields: {} });
    await processes.insist(({ payments }) => payments.withdrawals.create(command));
    await processes.untilPaid(caller, command.request.withdrawalId);
    expect(processes.first.isDead()).toBe(true);
    const sentBack = paid.flatMap((session) => sessions.sentBack(session));
    expect(sentBack).toHaveLength(2);
    expect(sentBack.reduce((sum, amount) => sum + amount, 0)).toBe(80_000);
    // The refused payment is the only one of the three that may be left out.
    expect(paid.filter((session) => sessions.sentBack(session).length === 0)).toHaveLength(1);
    expect(await books(database, caller)).toMatchObject({ free: 70_000n, held: 0n });
    await expectPaidOnce(database, command.request.withdrawalId);
  }

  test.each(payoutFailpoints)(
    '[WD-2] [SRV-6] the process ends at %s: another one goes on, and each part is sent once',
    {
      timeout,
    },
    async (point) => {
      for (let death = 0; death < deaths; death += 1) await payOut(point, point === 'payout-refunds-declined');
    },
  );

  test.each([
    ['a lookup', { kind: isLookup, nth: 1, isCarriedOut: true }, false],
    ['the first refund, before Stripe makes it', { kind: isRefund, nth: 1, isCarriedOut: false }, false],
    ['the first refund, after Stripe has made it', { kind: isRefund, nth: 1, isCarriedOut: true }, false],
    ['the second refund, before Stripe makes it', { kind: isRefund, nth: 2, isCarriedOut: false }, false],
    ['the second refund, after Stripe has made it', { kind: isRefund, nth: 2, isCarriedOut: true }, false],
    ['the third refund, after one was refused', { kind: isRefund, nth: 3, isCarriedOut: true }, true],
  ] as const)(
    '[WD-2] [SRV-6] the process ends in %s: each part is sent once',
    { timeout },
    async (_what, deadly, isRefused) => {
      for (let death = 0; death < deaths; death += 1) await payOut(undefined, isRefused, deadly);
    },
  );
});

test('[SRV-2] after all deaths the audit of the whole ledger finds no fault', async () => {
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});
