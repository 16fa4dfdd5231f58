/** A deposit with a route: the next account is asked only after the one before has certainly taken nothing. */
import { createTestClock } from '@opencashier/core/time/test-clock';
import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { beforeTransactions } from '../database/testing/intercepted.fixture.ts';
import type { Failpoint } from '../payment-ports/failpoints.ts';
import { PROVIDER_TIMEOUT_MS } from '../payment-ports/provider-failure.ts';
import { type Bench, commandOf, createBench, reportOf } from '../payments/testing/payments.fixture.ts';
import {
  attemptedDeposit,
  attemptsOf,
  failed,
  type Routed,
  routedPayments,
  withRoutedPayments,
} from '../payments/testing/routed-payments.fixture.ts';
import { codeOf, depositStateOf } from '../payments/testing/with-payments.fixture.ts';

let database: Database;
let bench: Bench;
let routed: Routed;
withRoutedPayments((made) => {
  ({ database, bench, routed } = made);
});

describe('[SRV-4] [SRV-6] after a certain failure', () => {
  test('the next account is asked under an id of its own, and the payer gets its answer', async () => {
    routed.named('first').onCreate = failed;
    const command = commandOf();
    const { depositId } = command.request;
    const second = routed.named('second');
    const answerOfSecond = second.onCreate;
    second.onCreate = async (deposit) => {
      // The row comes before the provider.
      expect(await attemptedDeposit(database, depositId)).toMatchObject({
        provider: 'second',
        attemptId: deposit.depositId,
        state: 'created',
      });
      expect(await attemptsOf(database, depositId)).toHaveLength(2);
      return answerOfSecond(deposit);
    };
    const { apiResponse } = await bench.payments.createDeposit(command);
    expect(apiResponse).toMatchObject({ depositId, source: `https://pay.example/${routed.lastIdAt('second')}` });
    expect(routed.asked()).toEqual(['first', 'second']);
    expect(routed.lastIdAt('first')).toBe(depositId);
    expect(routed.lastIdAt('second')).not.toBe(depositId);
    expect(await attemptsOf(database, depositId)).toMatchObject([
      { n: 1, id: depositId, provider: 'first', outcome: 'failed', code: 'unavailable' },
      { n: 2, id: routed.lastIdAt('second'), provider: 'second', outcome: null, code: null },
    ]);
    expect(await attemptedDeposit(database, depositId)).toMatchObject({
      provider: 'second',
      state: 'awaiting_payment',
    });
    // A repeat gets the same answer, and asks nobody.
    expect((await bench.payments.createDeposit(command)).apiResponse).toMatchObject({ source: apiResponse.source });
    expect(routed.asked()).toEqual(['first', 'second']);
  });

  test('the payer reads one calm sentence in their language, and the operator hears nothing', async () => {
    routed.named('first').onCreate = failed;
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
    expect(routed.asked()).toEqual(['first', 'second', 'third']);
    expect(await depositStateOf(database, command.request.depositId)).toBe('declined');
    expect(await codeOf(bench.payments.createDeposit(command))).toBe('provider-error');
    expect(routed.asked()).toHaveLength(3);
  });

  test('and the last account cannot be asked, the deposit is declined, because nothing was sent', async () => {
    const { bench: without, routed: short } = withoutAccount('second');
    short.named('first').onCreate = failed;
    const command = commandOf();
    expect(await codeOf(without.payments.createDeposit(command))).toBe('provider-error');
    const { depositId } = command.request;
    expect(await attemptedDeposit(database, depositId)).toMatchObject({ provider: 'second', state: 'declined' });
    // A repeat gets the stored answer, also when the account can be asked again.
    expect(await codeOf(createBench(database, short.options).payments.createDeposit(command))).toBe('provider-error');
    expect(short.providers.map(({ creates }) => creates.length)).toEqual([1, 0]);
  });

  test('and the only account cannot be asked, the deposit is declined, too', async () => {
    const command = commandOf();
    expect(await codeOf(withoutAccount('first', ['first']).bench.payments.createDeposit(command))).toBe(
      'provider-error',
    );
    expect(await depositStateOf(database, command.request.depositId)).toBe('declined');
  });

  test('an account that takes no payment any more is left out, and does not count as a try', async () => {
    const short = routedPayments(['first', 'second', 'third'], { mostTries: 2 });
    short.named('first').onCreate = failed;
    short.closed.add('installation/second');
    await createBench(database, short.options).payments.createDeposit(commandOf());
    expect(short.providers.map(({ creates }) => creates.length)).toEqual([1, 0, 1]);
  });

  test('each outcome counts for the health of its account', async () => {
    routed.named('first').onCreate = failed;
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
    routed.named('first').onCreate = onCreate;
    const command = commandOf();
    expect(await codeOf(bench.payments.createDeposit(command))).toBe(code);
    expect(routed.asked()).toEqual(['first']);
    expect(await attemptsOf(database, command.request.depositId)).toEqual([]);
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
    routed.named('first').onCreate = failed;
    expect(await codeOf(bench.payments.createDeposit(command))).toBe('unknown-outcome');
    expect([...providers.map(({ creates }) => creates.length), ...routed.asked()]).toEqual([1, 0, 'first']);
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
    const first = routed.named('first');
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
    expect(routed.asked()).toEqual(['first', 'first']);
    expect(await attemptsOf(database, depositId)).toEqual([]);
  });
});

describe('[SRV-4] [SRV-6] an account that cannot be asked leaves the outcome unknown', () => {
  test('in a repeated call, because the call before it may have sent the payment', async () => {
    const dying = createBench(database, {
      ...routed.options,
      failpoint: (name: Failpoint) => {
        if (name === 'provider-answered') throw new Error('died');
      },
    });
    const command = commandOf();
    await expect(dying.payments.createDeposit(command)).rejects.toThrow('died');
    await free(command.request.depositId);
    const { bench: without } = withoutAccount('first');
    expect(await codeOf(without.payments.createDeposit(command))).toBe('unknown-outcome');
    expect(await depositStateOf(database, command.request.depositId)).toBe('created');
  });

  test('when a repeat has taken the deposit over meanwhile', async () => {
    const command = commandOf();
    const { depositId } = command.request;
    let isArmed = false;
    const overtaken = beforeTransactions(database, async () => {
      if (!isArmed) return;
      isArmed = false;
      await database.query({
        text: `update deposit set busy_until = now() + interval '1 minute' where id = $1`,
        values: [depositId],
      });
    });
    const { options } = routedPayments(['first']);
    const without = createBench(overtaken, {
      ...options,
      providers: new Map(),
      failpoint: (name: Failpoint) => {
        isArmed ||= name === 'provider-answered';
      },
    });
    expect(await codeOf(without.payments.createDeposit(command))).toBe('unknown-outcome');
    const [row] = await database.query<{ state: string; isBusy: boolean }>({
      text: `select state, busy_until > now() as "isBusy" from deposit where id = $1`,
      values: [depositId],
    });
    // The repeat still has the deposit.
    expect(row).toEqual({ state: 'created', isBusy: true });
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
    routed.named('first').onCreate = failed;
    const command = commandOf();
    const { depositId } = command.request;
    await expect(dying.payments.createDeposit(command)).rejects.toThrow('died');
    const stored = await attemptedDeposit(database, depositId);
    isArmed = false;
    await free(depositId);
    await codeOf(dying.payments.createDeposit(command));
    expect(routed.asked()).toEqual(names);
    expect(await attemptedDeposit(database, depositId)).toMatchObject({
      provider: stored?.provider,
      attemptId: stored?.attemptId,
    });
    if (point === 'attempt-begun') expect(routed.lastIdAt('second')).toBe(stored?.attemptId);
  });

  test('without a retry the reconciler asks the stored attempt by its own id', async () => {
    const dying = createBench(database, {
      ...routed.options,
      failpoint: (name: Failpoint) => {
        if (name === 'attempt-begun') throw new Error('died');
      },
    });
    routed.named('first').onCreate = failed;
    const command = commandOf();
    const { depositId } = command.request;
    await expect(dying.payments.createDeposit(command)).rejects.toThrow('died');
    await free(depositId);
    const inquired: string[] = [];
    routed.named('second').onInquire = async (query) => {
      inquired.push(query.depositId);
      return reportOf(query.depositId, { provider: 'second' });
    };
    await bench.payments.runDueWork();
    expect(inquired).toEqual([(await attemptedDeposit(database, depositId))?.attemptId]);
    expect(await depositStateOf(database, depositId)).toBe('credited');
  });
});

/** Payments that route as usual, on a server that cannot ask one of the accounts. */
function withoutAccount(name: string, names: readonly string[] = ['first', 'second']) {
  const made = routedPayments(names);
  const providers = new Map([...made.options.providers].filter(([one]) => one !== name));
  return { routed: made, bench: createBench(database, { ...made.options, providers }) };
}

/** No node is busy with the deposit any more, and the next question about it is due. */
async function free(depositId: string): Promise<void> {
  await database.query({
    text: `update deposit set busy_until = now() - interval '1 s', check_at = now() where id = $1`,
    values: [depositId],
  });
}
