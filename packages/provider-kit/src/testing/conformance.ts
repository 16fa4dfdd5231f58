/** The tests that every provider must pass (SRV-4, SRV-6): the rules of provider.ts. They run under vitest and under node:test. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type {
  DepositReport,
  Provider,
  ProviderCreateResult,
  ProviderDeposit,
  ProviderRefund,
  RawCallback,
} from '../provider.ts';
import { describeList, type ListBench } from './list-conformance.ts';
import type { TestRunner } from './test-runner.ts';

/** A provider, beside a stand-in for its company, node or page that the bench controls. */
export interface ProviderBench {
  readonly provider: Provider;
  /** A deposit that the provider accepts. */
  deposit(more?: Partial<ProviderDeposit>): ProviderDeposit;
  /** Makes the payer pay the whole amount. Returns the callback, or undefined where the company sends none. */
  pay(deposit: ProviderDeposit, providerRef: string): Promise<RawCallback | undefined>;
  /** Deposits that the provider refuses, each with the kind of the answer. Absent: it refuses none. */
  readonly refused?: readonly (readonly [ProviderDeposit, ProviderCreateResult['kind']])[];
  /** Needed where the provider has refunds. */
  readonly refunds?: {
    /** The refunds that the company has made of a payment, in minor units. */
    sentBack(providerRef: string): Promise<readonly bigint[]>;
    /** Stops the company from answering. @returns makes it answer again */
    silence(providerRef: string): Promise<() => Promise<void>>;
  };
  /** Needed where the provider has a list. */
  readonly list?: ListBench;
  /** Makes the next round of the watch due, where the provider has a watch. */
  makeDue?(): Promise<void>;
}

type Created = Extract<ProviderCreateResult, { kind: 'created' }>;

function created(result: ProviderCreateResult): Created {
  if (result.kind !== 'created') throw new Error(`Expected a created payment, not ${result.kind} (${result.code})`);
  return result;
}

/** Everything that a round of the watch reports. @param isStored false: each report fails, as while the database is away */
async function watchOnce({ provider, makeDue }: ProviderBench, isStored = true): Promise<DepositReport[]> {
  const seen: DepositReport[] = [];
  await makeDue?.();
  await provider.watch?.round(async (report) => {
    seen.push(report);
    if (!isStored) throw new Error('The database is away');
  });
  return seen;
}

export interface ConformanceOptions {
  /** Called once. It may register `beforeEach` and the like. The returned function is called inside each test. */
  readonly setUp: () => () => ProviderBench;
  /** Minor units that the provider must carry exactly. */
  readonly amounts: readonly bigint[];
  /** Whether the provider has `refund`. Stated in advance, so that a provider that loses it fails. */
  readonly hasRefunds: boolean;
  /** Whether the provider has `list`. Stated in advance, as for refunds. Default: false. */
  readonly hasList?: boolean;
  /**
   * `signed`: the company signs the time of each delivery, and old callbacks are rejected. `unsigned`: its retries keep the first
   * signature, and a callback of yesterday must be verified, with the same id. Default: `signed`.
   */
  readonly callbackTime?: 'signed' | 'unsigned';
}

/** A deposit that was created and paid, with its callback. */
interface PaidDeposit {
  readonly bench: ProviderBench;
  readonly provider: Provider;
  readonly deposit: ProviderDeposit;
  readonly providerRef: string;
  readonly callback: RawCallback | undefined;
}

async function payDeposit(bench: ProviderBench, more: Partial<ProviderDeposit> = {}): Promise<PaidDeposit> {
  const { provider } = bench;
  const deposit = bench.deposit(more);
  const { providerRef } = created(await provider.create(deposit));
  const callback = await bench.pay(deposit, providerRef);
  return { bench, provider, deposit, providerRef, callback };
}

function expectPaid(
  report: DepositReport | undefined,
  { provider, deposit, providerRef }: Pick<PaidDeposit, 'provider' | 'deposit' | 'providerRef'>,
): void {
  assert(report !== undefined, 'The provider reports nothing about a paid payment');
  const { depositId, amountMinor, currency } = deposit;
  const told = {
    provider: report.provider,
    providerRef: report.providerRef,
    depositId: report.depositId,
    outcome: report.outcome,
    paidMinor: report.paidMinor,
    currency: report.currency,
  };
  assert.deepEqual(told, {
    provider: provider.name,
    providerRef,
    depositId,
    outcome: 'paid',
    paidMinor: amountMinor,
    currency,
  });
  assert(report.eventId, 'The report has no eventId');
  assert.equal(new Date(report.at).toISOString(), report.at, 'at is no time of ISO 8601');
}

/** Registers the tests of one provider. */
export function registerConformance(
  runner: TestRunner,
  name: string,
  { setUp, amounts, hasRefunds, hasList = false, callbackTime = 'signed' }: ConformanceOptions,
): void {
  const { describe, test } = runner;
  describe(`[SRV-4] the provider ${name}`, () => {
    const bench = setUp();

    test('has the name of its folder', async () => {
      assert.equal(bench().provider.name, name);
    });

    describeCreate(runner, bench, name);
    describeReports(runner, bench, amounts);
    describeCallbacks(runner, bench, callbackTime);

    test('has refunds as stated', async () => {
      assert.equal(bench().provider.refund !== undefined, hasRefunds);
      assert.equal(bench().refunds !== undefined, hasRefunds);
    });

    if (hasRefunds) describeRefunds(runner, () => payDeposit(bench()));

    test('has a list as stated', async () => {
      assert.equal(bench().provider.list !== undefined, hasList);
      assert.equal(bench().list !== undefined, hasList);
    });

    if (hasList) describeList(runner, { bench, amounts, pay: (more) => payDeposit(bench(), more) });
  });
}

/** A create and an inquiry, before anybody has paid. */
function describeCreate({ test }: TestRunner, bench: () => ProviderBench, name: string): void {
  test('[SRV-6] repeated and simultaneous creates of one deposit make one payment and get the same answer', async () => {
    const { provider, deposit } = bench();
    const request = deposit();
    const answers = [
      created(await provider.create(request)),
      ...(await Promise.all([1, 2, 3].map(async () => created(await provider.create(request))))),
    ];
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    const other = created(await provider.create(deposit({ depositId: randomUUID() })));
    assert.notEqual(other.providerRef, answers[0]?.providerRef);
  });

  test('a refused deposit gets an answer instead of an error, and makes no payment', async () => {
    for (const [deposit, kind] of bench().refused ?? []) {
      const answer = await bench().provider.create(deposit);
      assert.equal(answer.kind, kind);
      assert.match('code' in answer ? answer.code : '', /^[\w-]+$/);
      const known = await bench().provider.inquire({ depositId: deposit.depositId });
      assert.equal(known?.outcome ?? 'declined', 'declined');
    }
  });

  test('an inquiry about an unknown deposit is undefined', async () => {
    assert.equal(await bench().provider.inquire({ depositId: randomUUID() }), undefined);
  });

  test('inquiries about an unpaid payment say pending, each time with the same event id', async () => {
    const { provider, deposit } = bench();
    const request = deposit();
    const { providerRef } = created(await provider.create(request));
    const question = { depositId: request.depositId, providerRef };
    const [one, other] = [await provider.inquire(question), await provider.inquire(question)];
    assert.deepEqual(
      { provider: one?.provider, providerRef: one?.providerRef, depositId: one?.depositId, outcome: one?.outcome },
      { provider: name, providerRef, depositId: request.depositId, outcome: 'pending' },
    );
    assert.equal(other?.eventId, one?.eventId);
  });
}

/** What the provider reports about a paid payment. */
function describeReports({ test }: TestRunner, bench: () => ProviderBench, amounts: readonly bigint[]): void {
  for (const amountMinor of amounts) {
    test(`${amountMinor} minor units are reported exactly`, async () => {
      const payment = await payDeposit(bench(), { amountMinor });
      const { callback, provider } = payment;
      const report = callback
        ? await provider.read(callback.rawBody)
        : (await watchOnce(payment.bench)).find(({ depositId }) => depositId === payment.deposit.depositId);
      expectPaid(report, payment);
    });
  }

  test('[SRV-6] one fact has one event id: from two reads, from an inquiry, and after its report failed', async () => {
    const payment = await payDeposit(bench());
    const { provider, callback, deposit, providerRef } = payment;
    if (callback) {
      const [one, other] = [await provider.read(callback.rawBody), await provider.read(callback.rawBody)];
      expectPaid(one, payment);
      assert.deepEqual(other, one);
      const asked = await provider.inquire({ depositId: deposit.depositId, providerRef });
      assert.deepEqual(asked, { ...one, at: asked?.at });
    } else {
      const [lost] = await watchOnce(payment.bench, false);
      const [kept] = await watchOnce(payment.bench);
      expectPaid(lost, payment);
      assert.deepEqual(kept, lost);
      assert.deepEqual(
        (await watchOnce(payment.bench)).filter(({ outcome }) => outcome === 'paid'),
        [],
      );
    }
  });
}

/** Which callbacks the provider trusts. */
function describeCallbacks(
  { test }: TestRunner,
  bench: () => ProviderBench,
  callbackTime: NonNullable<ConformanceOptions['callbackTime']>,
): void {
  test('only authentic callbacks are verified: none that is forged, changed, without a header or old', async () => {
    const { provider, callback } = await payDeposit(bench());
    if (callback === undefined) {
      // The company sends no callbacks, so every callback comes from a stranger.
      const stranger = { headers: {}, rawBody: Buffer.from('{}'), receivedAt: Date.now() };
      assert.equal((await provider.verify(stranger)).kind, 'rejected');
      await assert.rejects(async () => provider.read(stranger.rawBody));
      return;
    }
    const verified = await provider.verify(callback);
    assert.equal(verified.kind, 'verified');
    assert(verified.kind === 'verified' && verified.messageId, 'The callback has no messageId');
    assert.deepEqual(await provider.verify(callback), verified);
    const late = { ...callback, receivedAt: callback.receivedAt + DAY_MS };
    if (callbackTime === 'unsigned') assert.deepEqual(await provider.verify(late), verified);
    else
      assert.equal((await provider.verify(late)).kind, 'rejected', 'A callback with a date of yesterday was verified');
    for (const [what, altered] of alterationsOf(callback)) {
      assert.equal((await provider.verify(altered)).kind, 'rejected', `A callback with ${what} was verified`);
    }
  });

  test('a body without sense gives no report', async () => {
    const { provider } = bench();
    for (const body of ['', 'null', '[]', '<html>', '{']) {
      const read = async () => provider.read(Buffer.from(body));
      const answer = await read().catch((error: unknown) => error);
      assert(answer === undefined || answer instanceof Error, `The body ${body} gave a report`);
    }
  });
}

/** A refund moves money out: at most once per id, and never another amount than requested. */
function describeRefunds({ test }: TestRunner, paid: () => Promise<PaidDeposit>): void {
  const setUp = async () => {
    const { bench, deposit, providerRef } = await paid();
    const { refunds, provider } = bench;
    if (refunds === undefined || provider.refund === undefined) throw new Error('The bench has no refunds');
    const { depositId, amountMinor, currency } = deposit;
    const wanted: ProviderRefund = { refundId: randomUUID(), depositId, providerRef, amountMinor, currency };
    const ask = (more: Partial<ProviderRefund> = {}) => bench.provider.refund?.({ ...wanted, ...more });
    return { ask, amountMinor, refunds, sent: () => refunds.sentBack(providerRef), providerRef };
  };

  test('[SRV-6] repeated and simultaneous refunds under one id refund the whole payment once', async () => {
    const { ask, amountMinor, sent } = await setUp();
    assert.equal((await ask())?.kind, 'accepted');
    for (const again of await Promise.all([ask(), ask(), ask()])) assert.equal(again?.kind, 'accepted');
    assert.equal((await ask())?.kind, 'accepted');
    assert.deepEqual(await sent(), [amountMinor]);
  });

  test('a refund above the payment is declined, and a part is refunded exactly or not at all', async () => {
    const { ask, amountMinor, sent } = await setUp();
    assert.equal((await ask({ amountMinor: amountMinor + 100n }))?.kind, 'declined');
    assert.deepEqual(await sent(), []);
    const part = amountMinor - 100n;
    const answer = await ask({ amountMinor: part, refundId: randomUUID() });
    assert.deepEqual(await sent(), answer?.kind === 'accepted' ? [part] : []);
    assert.match(answer?.kind ?? '', /^(?:accepted|declined)$/);
  });

  test('[SRV-3] a refund has an unknown outcome while the company is silent, and is made once afterwards', async () => {
    const { ask, amountMinor, refunds, sent, providerRef } = await setUp();
    const endSilence = await refunds.silence(providerRef);
    const meaning = await Promise.resolve(ask()).then(
      (answer) => answer?.kind,
      () => 'unknown',
    );
    assert.equal(meaning, 'unknown');
    await endSilence();
    assert.equal((await ask())?.kind, 'accepted');
    assert.deepEqual(await sent(), [amountMinor]);
  });
}

const DAY_MS = 86_400_000;

/** Callbacks that must be rejected. Only the headers of the signature are changed, because the loss of others does no harm. */
function alterationsOf(callback: RawCallback): (readonly [what: string, RawCallback])[] {
  const text = Buffer.from(callback.rawBody).toString('utf8');
  const signed = Object.keys(callback.headers).filter((header) => /signature/.test(header));
  assert.notDeepEqual(signed, [], 'No header of the callback has "signature" in its name');
  const changed = text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
  assert.notEqual(changed, text, 'The body of the callback has no digit to change');
  return [
    ['a changed body', { ...callback, rawBody: Buffer.from(changed) }],
    ['a space behind its body', { ...callback, rawBody: Buffer.from(`${text} `) }],
    ...signed.flatMap((header): [string, RawCallback][] => {
      const { [header]: value = '', ...others } = callback.headers;
      const forged = value.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, (last) => (last === '0' ? '1' : '0'));
      const short = value.slice(0, -8);
      const last = forged === value ? `${value}0` : forged;
      return [
        [`no ${header}`, { ...callback, headers: others }],
        [`an empty ${header}`, { ...callback, headers: { ...others, [header]: '' } }],
        [`a short ${header}`, { ...callback, headers: { ...others, [header]: short } }],
        [`a forged ${header}`, { ...callback, headers: { ...others, [header]: last } }],
      ];
    }),
  ];
}
