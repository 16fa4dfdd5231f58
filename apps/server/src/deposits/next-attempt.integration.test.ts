/** A deposit with a route: the next account is asked only after the one before has certainly taken nothing. */
import { createTestClock } from '@opencashier/core/time/test-clock';
import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import type { Failpoint } from '../payment-ports/failpoints.ts';
import { PROVIDER_TIMEOUT_MS } from '../payment-ports/provider-failure.ts';
import {
  ann,
  type Bench,
  commandOf,
  createBench,
  type FakeProvider,
  refOf,
  reportOf,
} from '../payments/testing/payments.fixture.ts';
import { type Routed, routedPayments } from '../payments/testing/routed-payments.fixture.ts';
import { codeOf, creditsOf, depositStateOf, withPayments } from '../payments/testing/with-payments.fixture.ts';

let database: Database;
let bench: Bench;
let routed: Routed;
withPayments(
  (made) => {
    ({ database, bench } = made);
  },
  {
    hasWebhook: true,
    options: () => {
      routed = routedPayments(['first', 'second', 'third']);
      return routed.options;
    },
  },
);

const failed = async () => ({ kind: 'failed', code: 'unavailable' }) as const;
const providerNamed = (name: string): FakeProvider => {
  const found = routed.providers.find((provider) => provider.name === name);
  if (found === undefined) throw new Error(`There is no provider ${name}`);
  return found;
};
const asked = (): string[] => routed.providers.flatMap(({ name, creates }) => creates.map(() => name));

interface Attempt {
  readonly n: number;
  readonly id: string;
  readonly provider: string;
  readonly outcome: string | null;
  readonly code: string | null;
  readonly money: string | null;
}
const attemptsOf = (depositId: string) =>
  database.query<Attempt>({
    text: `select n, id, provider, outcome, code, money_deposit_id as money from deposit_attempt where deposit_id = $1 order by n`,
    values: [depositId],
  });
const rowOf = async (depositId: string) => {
  const [row] = await database.query<{
    provider: string;
    attemptId: string | null;
    state: string;
    review: string | null;
  }>({
    text: `select provider, attempt_id as "attemptId", state, review from deposit where id = $1`,
    values: [depositId],
  });
  return row;
};
/** The id by which a provider knows the last payment that it was asked for. */
const lastIdAt = (name: string): string => providerNamed(name).creates.at(-1)?.depositId ?? '';
const reportFrom = (name: string, more: Parameters<typeof reportOf>[1] = {}) =>
  reportOf(lastIdAt(name), { provider: name, eventId: `${name}-${lastIdAt(name)}`, ...more });

describe('[SRV-4] [SRV-6] after a certain failure', () => {
  test('the next account is asked under an id of its own, and the payer gets its answer', async () => {
    providerNamed('first').onCreate = failed;
    const command = commandOf();
    const { depositId } = command.request;
    const second = providerNamed('second');
    const answerOfSecond = second.onCreate;
    second.onCreate = async (deposit) => {
      // The row comes before the provider.
      expect(await rowOf(depositId)).toMatchObject({
        provider: 'second',
        attemptId: deposit.depositId,
        state: 'created',
      });
      expect(await attemptsOf(depositId)).toHaveLength(2);
      return answerOfSecond(deposit);
    };
    const { apiResponse } = await bench.payments.createDeposit(command);
    expect(apiResponse).toMatchObject({ depositId, source: `https://pay.example/${lastIdAt('second')}` });
    expect(asked()).toEqual(['first', 'second']);
    expect(lastIdAt('first')).toBe(depositId);
    expect(lastIdAt('second')).not.toBe(depositId);
    expect(await attemptsOf(depositId)).toMatchObject([
      { n: 1, id: depositId, provider: 'first', outcome: 'failed', code: 'unavailable' },
      { n: 2, id: lastIdAt('second'), provider: 'second', outcome: null, code: null },
    ]);
    expect(await rowOf(depositId)).toMatchObject({ provider: 'second', state: 'awaiting_payment' });
    // A repeat gets the same answer, and asks nobody.
    expect((await bench.payments.createDeposit(command)).apiResponse).toMatchObject({ source: apiResponse.source });
    expect(asked()).toEqual(['first', 'second']);
  });

  test('the payer reads one calm sentence in their language, and the operator hears nothing', async () => {
    providerNamed('first').onCreate = failed;
    const command = { ...commandOf(), language: 'de' };
    await bench.payments.createDeposit(command);
    await bench.payments.runDueWork();
    const { depositId } = command.request;
    const notices = bench.pushes.filter(({ body }) => (body as { depositId?: string }).depositId === depositId);
    expect(notices.map(({ body }) => body)).toMatchObject([
      { status: 0, amount: '500.00', notice: 'Wir versuchen einen anderen Weg. Es wurde nichts abgebucht.' },
    ]);
    const hooks = await database.query({
      text: `select 1 from webhook_delivery where body::jsonb -> 'data' ->> 'depositId' = $1`,
      values: [depositId],
    });
    expect(hooks).toEqual([]);
  });

  test('when every account fails, the deposit is declined with the usual error', async () => {
    for (const provider of routed.providers) provider.onCreate = failed;
    const command = commandOf();
    expect(await codeOf(bench.payments.createDeposit(command))).toBe('provider-error');
    expect(asked()).toEqual(['first', 'second', 'third']);
    expect(await depositStateOf(database, command.request.depositId)).toBe('declined');
    expect(await codeOf(bench.payments.createDeposit(command))).toBe('provider-error');
    expect(asked()).toHaveLength(3);
  });

  test('an account that takes no payment any more is left out', async () => {
    providerNamed('first').onCreate = failed;
    routed.closed.add('installation/second');
    await bench.payments.createDeposit(commandOf());
    expect(asked()).toEqual(['first', 'third']);
  });

  test('each outcome counts for the health of its account', async () => {
    providerNamed('first').onCreate = failed;
    await bench.payments.createDeposit(commandOf());
    expect(routed.health.get('installation/first')?.outcomes).toBe('f');
    expect(routed.health.get('installation/second')?.outcomes).toBe('a');
  });
});

describe('[SRV-4] no other account is asked', () => {
  test.each([
    ['an unknown outcome', async () => ({ kind: 'unknown', code: 'timeout' }) as const, 'unknown-outcome'],
    ['a thrown error', async () => Promise.reject(new Error('socket hang up')), 'unknown-outcome'],
    ['a decline', async () => ({ kind: 'declined', code: 'stolen' }) as const, 'provider-error'],
  ])('after %s', async (_what, onCreate, code) => {
    providerNamed('first').onCreate = onCreate;
    const command = commandOf();
    expect(await codeOf(bench.payments.createDeposit(command))).toBe(code);
    expect(asked()).toEqual(['first']);
    expect(await attemptsOf(command.request.depositId)).toEqual([]);
  });

  test('after a failure of a repeated call, because the call before it may have succeeded', async () => {
    const { options, providers } = routedPayments(['first', 'second']);
    const crashing = createBench(database, {
      ...options,
      failpoint: (name: Failpoint) => {
        if (name === 'provider-answered') throw new Error('died');
      },
    });
    const command = commandOf();
    await expect(crashing.payments.createDeposit(command)).rejects.toThrow('died');
    await free(command.request.depositId);
    providerNamed('first').onCreate = failed;
    expect(await codeOf(bench.payments.createDeposit(command))).toBe('unknown-outcome');
    expect([...providers.map(({ creates }) => creates.length), ...asked()]).toEqual([1, 0, 'first']);
  });

  test('after a failure that came late, so that the last account has its time', async () => {
    const clock = createTestClock(0);
    const { options, providers } = routedPayments(['first', 'second']);
    const slow = createBench(database, { ...options, clock });
    const [first, second] = providers;
    if (first === undefined || second === undefined) throw new Error('no providers');
    first.onCreate = async () => {
      clock.advance(PROVIDER_TIMEOUT_MS / 3);
      return { kind: 'failed', code: 'slow' };
    };
    expect(await codeOf(slow.payments.createDeposit(commandOf()))).toBe('provider-error');
    expect(second.creates).toEqual([]);
  });

  test('in shadow mode', async () => {
    const shadow = routedPayments(['fake', 'second'], { isShadow: true });
    const shadowed = createBench(database, shadow.options);
    const [fake, second] = shadow.providers;
    if (fake === undefined || second === undefined) throw new Error('no providers');
    fake.onCreate = failed;
    expect(await codeOf(shadowed.payments.createDeposit(commandOf()))).toBe('provider-error');
    expect(second.creates).toEqual([]);
    expect(shadow.decisions).toMatchObject([{ isShadow: true }]);
  });

  test('by a call whose deposit a repeat has taken over', async () => {
    const first = providerNamed('first');
    const command = commandOf();
    const { depositId } = command.request;
    let answer = (_failed: Awaited<ReturnType<typeof failed>>): void => undefined;
    first.onCreate = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const stuck = codeOf(bench.payments.createDeposit(command));
    await expect.poll(() => first.creates.length).toBe(1);
    await free(depositId);
    let answerRepeat = answer;
    const repeat = codeOf(bench.payments.createDeposit(command));
    await expect.poll(() => first.creates.length).toBe(2);
    [answerRepeat, answer] = [answer, answerRepeat];
    // The first call ends while the repeat may be taking the money.
    answer(await failed());
    await stuck;
    answerRepeat(await failed());
    await repeat;
    expect(asked()).toEqual(['first', 'first']);
    expect(await attemptsOf(depositId)).toEqual([]);
  });
});

describe('[SRV-3] [SRV-6] after a crash', () => {
  test.each([
    ['before the commit', 'attempt-uncommitted', ['first', 'first']],
    ['between the commit and the call', 'attempt-begun', ['first', 'second']],
  ] as const)('%s a retry goes on at the stored attempt', async (_when, point, names) => {
    let isArmed = true;
    const dying = createBench(database, {
      ...routed.options,
      failpoint: (name: Failpoint) => {
        if (isArmed && name === point) throw new Error('died');
      },
    });
    providerNamed('first').onCreate = failed;
    const command = commandOf();
    const { depositId } = command.request;
    await expect(dying.payments.createDeposit(command)).rejects.toThrow('died');
    const stored = await rowOf(depositId);
    isArmed = false;
    await free(depositId);
    await codeOf(dying.payments.createDeposit(command));
    expect(asked()).toEqual(names);
    expect(await rowOf(depositId)).toMatchObject({ provider: stored?.provider, attemptId: stored?.attemptId });
    if (point === 'attempt-begun') expect(lastIdAt('second')).toBe(stored?.attemptId);
  });

  test('without a retry the reconciler asks the stored attempt by its own id', async () => {
    const dying = createBench(database, {
      ...routed.options,
      failpoint: (name: Failpoint) => {
        if (name === 'attempt-begun') throw new Error('died');
      },
    });
    providerNamed('first').onCreate = failed;
    const command = commandOf();
    const { depositId } = command.request;
    await expect(dying.payments.createDeposit(command)).rejects.toThrow('died');
    await free(depositId);
    const inquired: string[] = [];
    providerNamed('second').onInquire = async (query) => {
      inquired.push(query.depositId);
      return reportOf(query.depositId, { provider: 'second' });
    };
    await bench.payments.runDueWork();
    expect(inquired).toEqual([(await rowOf(depositId))?.attemptId]);
    expect(await depositStateOf(database, depositId)).toBe('credited');
  });
});

describe('[SRV-3] [SRV-4] reports', () => {
  /** A deposit whose second account has the payment. */
  async function secondTook(): Promise<string> {
    providerNamed('first').onCreate = failed;
    const command = commandOf();
    await bench.payments.createDeposit(command);
    return command.request.depositId;
  }

  test('of the account that took the payment credit it, and its refund goes there', async () => {
    const depositId = await secondTook();
    expect(await bench.payments.apply(reportFrom('second'))).toEqual({ outcome: 'credited', id: depositId });
    expect(await creditsOf(database, depositId)).toBe(1);
    await bench.payments.refundDeposit({ operatorId: 'op', depositId, refundId: crypto.randomUUID(), staff: 'eve' });
    expect(providerNamed('first').refunds).toEqual([]);
    expect(providerNamed('second').refunds).toMatchObject([
      { depositId: lastIdAt('second'), providerRef: refOf(lastIdAt('second')) },
    ]);
    const { refundId = '' } = providerNamed('second').refunds[0] ?? {};
    const gone = reportFrom('second', { outcome: 'reversed', refundId, eventId: `gone-${depositId}` });
    expect(await bench.payments.apply(gone)).toMatchObject({ id: depositId });
    expect(await depositStateOf(database, depositId)).toBe('refunded');
  });

  test('many at once credit deposits of a second attempt', async () => {
    const ids = [await secondTook(), await secondTook(), await secondTook()];
    const creates = providerNamed('second').creates.slice(-3);
    for (const { depositId } of creates) {
      const report = reportOf(depositId, { provider: 'second', eventId: `many-${depositId}` });
      const callback = { headers: { 'x-signature': 'good', 'x-id': report.eventId }, receivedAt: Date.now() };
      const rawBody = new TextEncoder().encode(JSON.stringify({ ...report, paidMinor: '50000' }));
      await bench.payments.receiveCallback('second', { ...callback, rawBody });
    }
    await bench.payments.runDueWork();
    for (const id of ids) expect(await creditsOf(database, id)).toBe(1);
  });

  test('of a provider that had said "failed" and took the money all the same go to staff, and credit nobody', async () => {
    const depositId = await secondTook();
    await bench.payments.apply(reportFrom('second'));
    const lie = reportFrom('first');
    expect(await bench.payments.apply(lie)).toMatchObject({ outcome: 'suspended' });
    expect(await bench.payments.apply(lie)).toMatchObject({ outcome: 'unchanged' });
    expect(await creditsOf(database, depositId)).toBe(1);
    const [attempt] = await attemptsOf(depositId);
    const found = attempt?.money ?? '';
    expect(found).not.toBe('');
    expect(await rowOf(found)).toMatchObject({
      provider: 'first',
      attemptId: depositId,
      state: 'late_paid',
      review: 'late',
    });
    expect(await creditsOf(database, found)).toBe(0);
    const hooks = await database.query({
      text: `select type from webhook_delivery where body::jsonb -> 'data' ->> 'depositId' = $1`,
      values: [found],
    });
    expect(hooks).toEqual([{ type: 'deposit.under_review' }]);
    // Staff send it back: through the account that has it.
    expect(await bench.payments.apply({ ...lie, outcome: 'reversed', eventId: `back-${depositId}` })).toMatchObject({
      id: found,
    });
    expect(await depositStateOf(database, depositId)).toBe('credited');
  });

  test('of such a provider are in time when they come before the next attempt: then no other account is asked', async () => {
    const command = commandOf();
    const { depositId } = command.request;
    providerNamed('first').onCreate = async () => {
      await bench.payments.apply(reportFrom('first'));
      return { kind: 'failed', code: 'liar' };
    };
    await bench.payments.createDeposit(command);
    expect(asked()).toEqual(['first']);
    expect(await creditsOf(database, depositId)).toBe(1);
  });

  test('of a failed attempt that tell of no money change nothing', async () => {
    const depositId = await secondTook();
    for (const outcome of ['pending', 'declined', 'expired', 'cancelled'] as const) {
      const report = reportFrom('first', { outcome, eventId: `${outcome}-${depositId}` });
      expect(await bench.payments.apply(report)).toEqual({ outcome: 'unchanged', id: depositId });
    }
    expect(await rowOf(depositId)).toMatchObject({ provider: 'second', state: 'awaiting_payment' });
  });

  test('of another provider under the id of an attempt match nothing', async () => {
    const depositId = await secondTook();
    const stranger = reportFrom('second', { provider: 'third', eventId: `third-${depositId}` });
    expect(await bench.payments.apply(stranger)).toMatchObject({ outcome: 'unmatched' });
    expect(await depositStateOf(database, depositId)).toBe('awaiting_payment');
  });

  test('a cancel goes to the account that has the payment', async () => {
    const depositId = await secondTook();
    await bench.payments.cancelDeposit(ann, depositId);
    expect(providerNamed('first').cancels).toEqual([]);
    expect(providerNamed('second').cancels).toEqual([refOf(lastIdAt('second'))]);
  });
});

/** No node is busy with the deposit any more, and the next question about it is due. */
async function free(depositId: string): Promise<void> {
  await database.query({
    text: `update deposit set busy_until = now() - interval '1 s', check_at = now() where id = $1`,
    values: [depositId],
  });
}
