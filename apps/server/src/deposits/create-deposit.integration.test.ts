import { randomUUID } from 'node:crypto';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import type { Failpoint } from '../payment-ports/failpoints.ts';
import { PROVIDER_TIMEOUT_MS } from '../payment-ports/provider-failure.ts';
import { ann, type Bench, bob, commandOf, createBench, refOf, reportOf } from '../payments/testing/payments.fixture.ts';
import { codeOf, depositStateOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import type { ProviderCreateResult } from '../providers/provider.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

const stateOf = (depositId: string) => depositStateOf(database, depositId);

/** Lets time pass: no node is busy with the deposit, and the next question to the provider is due. */
async function later(depositId: string, ageS = 60): Promise<void> {
  await database.query({
    text: `update deposit set busy_until = case when busy_until is not null then now() - interval '1 s' end,
      check_at = case when check_at is not null then now() end where id = $1`,
    values: [depositId],
  });
  if (ageS > 60) await age(depositId, ageS);
}

/** The creation time is immutable, so this statement disables its guard. */
async function age(depositId: string, ageS: number): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query({ text: 'alter table deposit disable trigger deposit_guarded' });
    await transaction.query({
      text: `update deposit set created_at = now() - make_interval(secs => $2),
        busy_until = now() - make_interval(secs => $2) where id = $1`,
      values: [depositId, ageS],
    });
    await transaction.query({ text: 'alter table deposit enable trigger deposit_guarded' });
  });
}

test('[SRV-6] a deposit is committed before the provider call, with our id as the idempotency key', async () => {
  const command = commandOf();
  const { depositId } = command.request;
  bench.provider.onCreate = async (deposit) => {
    expect(await stateOf(depositId)).toBe('created');
    expect(deposit).toMatchObject({ depositId, amountMinor: 50_000n, currency: 'INR', country: 'IN' });
    return { kind: 'created', providerRef: refOf(depositId), source: 'https://pay.example/x', lifetimeSeconds: 900 };
  };
  const response = await bench.payments.createDeposit(command);
  expect(response.apiResponse).toMatchObject({
    depositId,
    source: 'https://pay.example/x',
    method: 'GET',
    data: { lifetime: 900 },
  });
  expect(await bench.payments.depositStatus(ann, depositId)).toMatchObject({
    status: 0,
    amount: '500.00',
    currency: 'INR',
    lifetime: 900,
  });
});

test('[SRV-6] [DEP-16] a retry gets the same answer without a provider call, also with another captcha or metadata', async () => {
  const command = commandOf();
  const first = await bench.payments.createDeposit(command);
  const again = { ...command, request: { ...command.request, metadata: { isFromChip: true }, abTestGroup: 'b' } };
  expect(await bench.payments.createDeposit({ ...again, request: { ...again.request, amount: '500.00' } })).toEqual(
    first,
  );
  expect(bench.provider.creates).toHaveLength(1);
});

test('[SRV-6] another amount, method or country under one key is refused', async () => {
  const command = commandOf();
  await bench.payments.createDeposit(command);
  const other = (request: object) =>
    bench.payments.createDeposit({ ...command, request: { ...command.request, ...request } });
  expect(await codeOf(other({ amount: '500.01' }))).toBe('idempotency-conflict');
  expect(await codeOf(other({ paymentType: 'upi', fields: { vpa: 'ann@bank' } }))).toBe('idempotency-conflict');
  expect(await codeOf(other({ wallet: 'elsewhere' }))).toBe('idempotency-conflict');
  expect(await codeOf(other({ currency: 'USD' }))).toBe('idempotency-conflict');
});

test('[SRV-6] [DEP-16] ten equal creates at once make one deposit and one provider call; the others get in-flight', async () => {
  const command = commandOf();
  const codes = await Promise.all(Array.from({ length: 10 }, () => codeOf(bench.payments.createDeposit(command))));
  expect(bench.provider.creates).toHaveLength(1);
  expect(codes).toContain('ok');
  expect(codes.filter((code) => code !== 'ok' && code !== 'in-flight')).toEqual([]);
  expect(await codeOf(bench.payments.createDeposit(command))).toBe('ok');
});

test('[SRV-6] a second create gets 409 in-flight until the first is answered', async () => {
  const command = commandOf();
  let release = (): void => undefined;
  bench.provider.onCreate = (deposit) =>
    new Promise((resolve) => {
      release = () => resolve({ kind: 'created', providerRef: refOf(deposit.depositId) });
    });
  const first = bench.payments.createDeposit(command);
  await expect.poll(() => bench.provider.creates.length).toBe(1);
  expect(await codeOf(bench.payments.createDeposit(command))).toBe('in-flight');
  release();
  await first;
  expect(await codeOf(bench.payments.createDeposit(command))).toBe('ok');
});

test('[SRV-6] a key belongs to its user: another user’s equal key makes another deposit and reveals nothing', async () => {
  const depositId = randomUUID();
  await bench.payments.createDeposit(commandOf({ depositId, amount: '700' }));
  expect(await codeOf(bench.payments.depositStatus(bob, depositId))).toBe('not-found');
  const response = await bench.payments.createDeposit(commandOf({ depositId, amount: '900' }, bob));
  expect(response.apiResponse.depositId).toBe(depositId);
  expect((await bench.payments.depositStatus(ann, depositId)).amount).toBe('700.00');
  expect((await bench.payments.depositStatus(bob, depositId)).amount).toBe('900.00');
  expect(new Set(bench.provider.creates.map((create) => create.depositId)).size).toBe(2);
});

describe('[SRV-8] the server repeats the widget’s checks', () => {
  const refused = (request: object) => codeOf(bench.payments.createDeposit(commandOf(request)));

  test('of limits, decimals, methods and fields before anything is stored', async () => {
    expect(await refused({ amount: '99.99' })).toBe('limit-min');
    expect(await refused({ amount: '50000.01' })).toBe('limit-max');
    expect(await refused({ amount: '500.001' })).toBe('invalid-request');
    expect(await refused({ amount: '0' })).toBe('limit-min');
    expect(await refused({ paymentType: 'nothing' })).toBe('method-unavailable');
    expect(await refused({ paymentType: 'broken' })).toBe('method-unavailable');
    expect(await refused({ currency: 'EUR' })).toBe('method-unavailable');
    expect(await refused({ selectedCountry: 'BR' })).toBe('method-unavailable');
    expect(await refused({ paymentType: 'upi', fields: { vpa: 'not one' } })).toBe('banking.paymentMethodRegex');
    expect(await refused({ paymentType: 'upi' })).toBe('banking.paymentMethodRegex');
    expect(await refused({ paymentType: 'prepared' })).toBe('banking.paymentMethodRegex');
    expect(bench.provider.creates).toEqual([]);
  });

  test('and refuses or drops texts that the database cannot store, without an internal error', async () => {
    expect(await refused({ wallet: 'a\0b' })).toBe('banking.paymentMethodRegex');
    expect(await refused({ wallet: '\ud800' })).toBe('banking.paymentMethodRegex');
    expect(await refused({ paymentType: 'prepared', fields: { bank: '\0' } })).toBe('banking.paymentMethodRegex');
    expect(await refused({ wallet: '😀' })).toBe('ok');
    expect(await codeOf(bench.payments.createDeposit({ ...commandOf(), language: '\0' }))).toBe('ok');
  });

  test('and accepts a Pix form as the widget sends it, and a phone with its prefix', async () => {
    const pix = (fields: Record<string, string>) => refused({ paymentType: 'pix', fields });
    const number = { numberId: '12345678901', numberType: 'cpf' };
    expect(await pix({ pixKeyType: 'email', pixKey: 'ann@example.com', ...number })).toBe('ok');
    expect(bench.provider.creates[0]?.fields).toEqual({ pixKeyType: 'email', pixKey: 'ann@example.com', ...number });
    expect(await pix({ pixKeyType: 'email', pixKey: 'nobody', ...number })).toBe('banking.paymentMethodRegex');
    expect(await pix({ pixKeyType: 'email', pixKey: 'ann@example.com' })).toBe('banking.paymentMethodRegex');
    expect(await refused({ paymentType: 'phone', fields: { phone: '+919876543210' } })).toBe('ok');
    expect(await refused({ paymentType: 'phone', fields: { phone: '+91987654321' } })).toBe(
      'banking.paymentMethodRegex',
    );
  });

  test('a refused call leaves its key unused, and unknown fields never reach the provider', async () => {
    const depositId = randomUUID();
    expect(await refused({ depositId, paymentType: 'upi', fields: { vpa: 'x' } })).toBe('banking.paymentMethodRegex');
    expect(await refused({ depositId, paymentType: 'upi', fields: { vpa: ' ann@bank ', role: 'admin' } })).toBe('ok');
    expect(bench.provider.creates[0]?.fields).toEqual({ vpa: 'ann@bank' });
  });
});

describe('[SRV-6] outcomes of the provider', () => {
  test('declined with a message to the user; a retry gets the same answer without a provider call', async () => {
    bench.provider.onCreate = async () => ({ kind: 'declined', code: 'card_blocked', message: 'Your card is blocked' });
    const command = commandOf();
    await expect(bench.payments.createDeposit(command)).rejects.toMatchObject({
      code: 'banking.merchantClientError',
      message: 'Your card is blocked',
    });
    await expect(bench.payments.createDeposit(command)).rejects.toMatchObject({ message: 'Your card is blocked' });
    expect(bench.provider.creates).toHaveLength(1);
    expect((await bench.payments.depositStatus(ann, command.request.depositId)).status).toBe(2);
  });

  test('failed, and the provider certainly has no payment: provider-error', async () => {
    bench.provider.onCreate = async () => ({ kind: 'failed', code: 'down' });
    const command = commandOf();
    expect(await codeOf(bench.payments.createDeposit(command))).toBe('provider-error');
    expect(await stateOf(command.request.depositId)).toBe('declined');
  });

  test('a failed retry leaves the outcome unknown, and the payment is credited if the first call had succeeded', async () => {
    const command = commandOf();
    const { depositId } = command.request;
    bench.provider.onCreate = async () => ({ kind: 'unknown', code: 'timeout' });
    expect(await codeOf(bench.payments.createDeposit(command))).toBe('unknown-outcome');
    bench.provider.onCreate = async () => ({ kind: 'failed', code: 'down' });
    expect(await codeOf(bench.payments.createDeposit(command))).toBe('unknown-outcome');
    expect(await stateOf(depositId)).toBe('submitted_unknown');
    await bench.payments.apply(reportOf(depositId));
    expect(await stateOf(depositId)).toBe('credited');
  });

  test('failed after its lease, while a repeat has the payment: the payment stays open, and is credited', async () => {
    const command = commandOf();
    const { depositId } = command.request;
    const answers: ((result: ProviderCreateResult) => void)[] = [];
    bench.provider.onCreate = () => new Promise((resolve) => answers.push(resolve));
    const first = codeOf(bench.payments.createDeposit(command));
    await expect.poll(() => answers.length).toBe(1);
    await later(depositId);
    const repeat = codeOf(bench.payments.createDeposit(command));
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.({ kind: 'created', providerRef: refOf(depositId), source: 'https://pay.example/x' });
    expect(await repeat).toBe('ok');
    answers[0]?.({ kind: 'failed', code: 'down' });
    expect(await first).toBe('ok');
    expect(await stateOf(depositId)).toBe('awaiting_payment');
    await bench.payments.apply(reportOf(depositId));
    expect(await stateOf(depositId)).toBe('credited');
  });

  test('[SRV-9] the first log line of an unclear answer names the payment and the provider', async () => {
    bench.provider.onCreate = async () => ({ kind: 'unknown', code: 'StripeConnectionError' });
    const command = commandOf();
    bench.logs.length = 0;
    expect(await codeOf(bench.payments.createDeposit(command))).toBe('unknown-outcome');
    const [first] = bench.logs.filter(({ level }) => level !== 'info');
    expect(first).toMatchObject({
      message: 'provider gave no good answer',
      fields: { payment: command.request.depositId, provider: bench.provider.name, code: 'StripeConnectionError' },
    });
  });

  test('an exception or an unknown outcome is "being checked", never failed', async () => {
    for (const onCreate of [
      async () => {
        throw new Error('socket hang up');
      },
      async () => ({ kind: 'unknown' as const, code: 'timeout' }),
    ]) {
      bench.provider.onCreate = onCreate;
      const command = commandOf();
      expect(await codeOf(bench.payments.createDeposit(command))).toBe('unknown-outcome');
      expect(await bench.payments.depositStatus(ann, command.request.depositId)).toMatchObject({
        status: 0,
        isOutcomeUnknown: true,
      });
    }
  });

  test('a timeout aborts the call, and reconciliation resolves the unknown outcome', async () => {
    const clock = createTestClock();
    bench = createBench(database, { clock });
    let signal: AbortSignal | undefined;
    bench.provider.onCreate = (deposit) => {
      signal = deposit.signal;
      return new Promise(() => undefined);
    };
    const command = commandOf();
    const { depositId } = command.request;
    const code = codeOf(bench.payments.createDeposit(command));
    await expect.poll(() => bench.provider.creates.length).toBe(1);
    clock.advance(PROVIDER_TIMEOUT_MS);
    expect(await code).toBe('unknown-outcome');
    expect(signal?.aborted).toBe(true);
    bench.provider.onInquire = async () => reportOf(depositId);
    await later(depositId);
    await bench.payments.runDueWork();
    expect(await bench.payments.depositStatus(ann, depositId)).toMatchObject({ status: 1, finalAmount: '500.00' });
  });

  test('one reference for two deposits makes the second unknown, and never mixes them up', async () => {
    bench.provider.onCreate = async () => ({ kind: 'created', providerRef: 'the-same' });
    expect(await codeOf(bench.payments.createDeposit(commandOf()))).toBe('ok');
    expect(await codeOf(bench.payments.createDeposit(commandOf()))).toBe('unknown-outcome');
  });

  test('a database outage during the provider’s answer gives an unknown outcome, never "nothing was charged"', async () => {
    let isAway = false;
    const outage = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const losing = createBench({
      ...database,
      query: (statement) => (isAway ? Promise.reject(outage) : database.query(statement)),
      transaction: (work) => (isAway ? Promise.reject(outage) : database.transaction(work)),
    });
    losing.provider.onCreate = async ({ depositId }) => {
      isAway = true;
      return { kind: 'created', providerRef: refOf(depositId) };
    };
    expect(await codeOf(losing.payments.createDeposit(commandOf()))).toBe('unknown-outcome');
  });
});

describe('[SRV-6] [SRV-3] a crash at any point', () => {
  const crashedAt = async (point: Failpoint) => {
    const dying = createBench(database, {
      failpoint: (name) => {
        if (name === point) throw new Error('crash');
      },
    });
    const command = commandOf();
    await expect(dying.payments.createDeposit(command)).rejects.toThrow('crash');
    return { dying, command, depositId: command.request.depositId };
  };
  const points: Failpoint[] = ['before-insert', 'inserted', 'provider-answered', 'answer-stored'];

  test.each(points)(
    'at %s: a retry after the restart gets a usable answer, and there is one payment',
    async (point) => {
      const { dying, command, depositId } = await crashedAt(point);
      if (point === 'inserted' || point === 'provider-answered') {
        expect(await codeOf(bench.payments.createDeposit(command))).toBe('in-flight');
        await later(depositId);
        expect((await bench.payments.depositStatus(ann, depositId)).isOutcomeUnknown).toBe(true);
      }
      const answer = await bench.payments.createDeposit(command);
      expect(answer.apiResponse.source).toBe(`https://pay.example/${depositId}`);
      expect(await bench.payments.createDeposit(command)).toEqual(answer);
      const ids = [...dying.provider.creates, ...bench.provider.creates].map((create) => create.depositId);
      expect(new Set(ids)).toEqual(new Set([depositId]));
      expect(await stateOf(depositId)).toBe('awaiting_payment');
    },
  );

  test('without a retry: reconciliation finally declines a payment that the provider never got', async () => {
    const { depositId } = await crashedAt('inserted');
    await later(depositId);
    await bench.payments.runDueWork();
    expect(await stateOf(depositId)).toBe('submitted_unknown');
    await later(depositId, 700);
    await bench.payments.runDueWork();
    expect(await stateOf(depositId)).toBe('declined');
    expect(bench.provider.creates).toEqual([]);
    // The payment had arrived after all. It is kept as late.
    await bench.payments.apply(reportOf(depositId));
    expect(await stateOf(depositId)).toBe('late_paid');
  });

  test('and a retry just before the decline: the deposit stays open while the provider is called', async () => {
    const { command, depositId } = await crashedAt('inserted');
    await later(depositId, 700);
    let acceptPayment = (): void => undefined;
    const accepted = new Promise<void>((resolve) => {
      acceptPayment = resolve;
    });
    bench.provider.onCreate = async () => {
      await accepted;
      return { kind: 'created', providerRef: refOf(depositId), source: 'https://pay.example/again' };
    };
    let answer: Promise<unknown> | undefined;
    bench.provider.onInquire = async ({ depositId: asked }) => {
      if (asked !== depositId) return undefined;
      answer ??= bench.payments.createDeposit(command);
      await expect.poll(() => bench.provider.creates.length).toBe(1);
      return undefined;
    };
    await bench.payments.runDueWork();
    acceptPayment();
    expect(await answer).toMatchObject({ apiResponse: { source: 'https://pay.example/again' } });
    expect(await stateOf(depositId)).toBe('awaiting_payment');
  });

  test('without a retry: reconciliation finds a payment that the provider has', async () => {
    const { command, depositId } = await crashedAt('provider-answered');
    bench.provider.onInquire = async ({ depositId: asked }) =>
      asked === depositId ? reportOf(depositId, { eventId: `paid-${depositId}` }) : undefined;
    await later(depositId);
    await bench.payments.runDueWork();
    expect(await stateOf(depositId)).toBe('credited');
    expect(await bench.payments.createDeposit(command)).toMatchObject({ apiResponse: { depositId } });
  });
});

test('an unfinished deposit is found again by its method, a finished one is not', async () => {
  const caller = { ...ann, userId: 'cyd' };
  const command = commandOf({}, caller);
  expect(await bench.payments.openDeposit(caller, 'card')).toBeUndefined();
  await bench.payments.createDeposit(command);
  expect((await bench.payments.openDeposit(caller, 'card'))?.depositId).toBe(command.request.depositId);
  await bench.payments.apply(reportOf(command.request.depositId));
  expect(await bench.payments.openDeposit(caller, 'card')).toBeUndefined();
});

test('[SRV-2] the ledger is sound after all these tests', async () => {
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});
