/** The tests that every provider must pass (SRV-4, SRV-6): the rules of provider.ts. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type {
  DepositReport,
  Provider,
  ProviderCreateResult,
  ProviderDeposit,
  ProviderRefund,
  RawCallback,
} from '../provider.ts';

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

interface ConformanceOptions {
  readonly setUp: () => () => ProviderBench;
  /** Minor units that the provider must carry exactly. */
  readonly amounts: readonly bigint[];
  /** Whether the provider has `refund`. Stated in advance, so that a provider that loses it fails. */
  readonly hasRefunds: boolean;
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
  expect(report).toMatchObject({
    provider: provider.name,
    providerRef,
    depositId: deposit.depositId,
    outcome: 'paid',
    paidMinor: deposit.amountMinor,
    currency: deposit.currency,
  });
  expect(report?.eventId).toBeTruthy();
  expect(new Date(report?.at ?? '').toISOString()).toBe(report?.at);
}

/** Registers the tests of one provider. */
export function describeProvider(name: string, { setUp, amounts, hasRefunds }: ConformanceOptions): void {
  describe(`[SRV-4] the provider ${name}`, () => {
    const bench = setUp();

    test('has the name of its folder', () => {
      expect(bench().provider.name).toBe(name);
    });

    describeCreate(bench, name);
    describeReports(bench, amounts);

    test('has refunds as stated', () => {
      expect(bench().provider.refund !== undefined).toBe(hasRefunds);
      expect(bench().refunds !== undefined).toBe(hasRefunds);
    });

    if (hasRefunds) describeRefunds(() => payDeposit(bench()));
  });
}

/** A create and an inquiry, before anybody has paid. */
function describeCreate(bench: () => ProviderBench, name: string): void {
  test('[SRV-6] repeated and simultaneous creates of one deposit make one payment and get the same answer', async () => {
    const { provider, deposit } = bench();
    const request = deposit();
    const answers = [
      created(await provider.create(request)),
      ...(await Promise.all([1, 2, 3].map(async () => created(await provider.create(request))))),
    ];
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const other = created(await provider.create(deposit({ depositId: randomUUID() })));
    expect(other.providerRef).not.toBe(answers[0]?.providerRef);
  });

  test('a refused deposit gets an answer instead of an error, and makes no payment', async () => {
    for (const [deposit, kind] of bench().refused ?? []) {
      const answer = await bench().provider.create(deposit);
      expect(answer).toMatchObject({ kind, code: expect.stringMatching(/^[\w-]+$/) });
      const known = await bench().provider.inquire({ depositId: deposit.depositId });
      expect(known?.outcome ?? 'declined').toBe('declined');
    }
  });

  test('an inquiry about an unknown deposit is undefined', async () => {
    expect(await bench().provider.inquire({ depositId: randomUUID() })).toBeUndefined();
  });

  test('inquiries about an unpaid payment say pending, each time with the same event id', async () => {
    const { provider, deposit } = bench();
    const request = deposit();
    const { providerRef } = created(await provider.create(request));
    const question = { depositId: request.depositId, providerRef };
    const [one, other] = [await provider.inquire(question), await provider.inquire(question)];
    expect(one).toMatchObject({ provider: name, providerRef, depositId: request.depositId, outcome: 'pending' });
    expect(other?.eventId).toBe(one?.eventId);
  });
}

/** What the provider reports about a paid payment, and which callbacks it trusts. */
function describeReports(bench: () => ProviderBench, amounts: readonly bigint[]): void {
  test.each(amounts)('%s minor units are reported exactly', async (amountMinor) => {
    const payment = await payDeposit(bench(), { amountMinor });
    const { callback, provider } = payment;
    const report = callback
      ? await provider.read(callback.rawBody)
      : (await watchOnce(payment.bench)).find(({ depositId }) => depositId === payment.deposit.depositId);
    expectPaid(report, payment);
  });

  test('[SRV-6] one fact has one event id: from two reads, from an inquiry, and after its report failed', async () => {
    const payment = await payDeposit(bench());
    const { provider, callback, deposit, providerRef } = payment;
    if (callback) {
      const [one, other] = [await provider.read(callback.rawBody), await provider.read(callback.rawBody)];
      expectPaid(one, payment);
      expect(other).toEqual(one);
      const asked = await provider.inquire({ depositId: deposit.depositId, providerRef });
      expect(asked).toEqual({ ...one, at: asked?.at });
    } else {
      const [lost] = await watchOnce(payment.bench, false);
      const [kept] = await watchOnce(payment.bench);
      expectPaid(lost, payment);
      expect(kept).toEqual(lost);
      expect((await watchOnce(payment.bench)).filter(({ outcome }) => outcome === 'paid')).toEqual([]);
    }
  });

  test('only authentic callbacks are verified: none that is forged, changed, without a header or old', async () => {
    const { provider, callback } = await payDeposit(bench());
    if (callback === undefined) {
      // The company sends no callbacks, so every callback comes from a stranger.
      const stranger = { headers: {}, rawBody: Buffer.from('{}'), receivedAt: Date.now() };
      expect(provider.verify(stranger).kind).toBe('rejected');
      await expect((async () => provider.read(stranger.rawBody))()).rejects.toThrow();
      return;
    }
    const verified = provider.verify(callback);
    expect(verified).toMatchObject({ kind: 'verified', messageId: expect.stringMatching(/./) });
    expect(provider.verify(callback)).toEqual(verified);
    for (const altered of alterationsOf(callback)) expect(provider.verify(altered).kind).toBe('rejected');
  });

  test('a body without sense gives no report', async () => {
    const { provider } = bench();
    for (const body of ['', 'null', '[]', '<html>', '{']) {
      const read = async () => provider.read(Buffer.from(body));
      const answer = await read().catch((error: unknown) => error);
      expect(answer === undefined || answer instanceof Error).toBe(true);
    }
  });
}

/** A refund moves money out: at most once per id, and never another amount than requested. */
function describeRefunds(paid: () => Promise<PaidDeposit>): void {
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
    const first = await ask();
    expect(first).toMatchObject({ kind: 'accepted' });
    for (const again of await Promise.all([ask(), ask(), ask()])) expect(again).toMatchObject({ kind: 'accepted' });
    expect(await ask()).toMatchObject({ kind: 'accepted' });
    expect(await sent()).toEqual([amountMinor]);
  });

  test('a refund above the payment is declined, and a part is refunded exactly or not at all', async () => {
    const { ask, amountMinor, sent } = await setUp();
    expect(await ask({ amountMinor: amountMinor + 100n })).toMatchObject({ kind: 'declined' });
    expect(await sent()).toEqual([]);
    const part = amountMinor - 100n;
    const answer = await ask({ amountMinor: part, refundId: randomUUID() });
    expect(await sent()).toEqual(answer?.kind === 'accepted' ? [part] : []);
    expect(answer?.kind).toMatch(/^(?:accepted|declined)$/);
  });

  test('[SRV-3] a refund has an unknown outcome while the company is silent, and is made once afterwards', async () => {
    const { ask, amountMinor, refunds, sent, providerRef } = await setUp();
    const endSilence = await refunds.silence(providerRef);
    const meaning = await Promise.resolve(ask()).then(
      (answer) => answer?.kind,
      () => 'unknown',
    );
    expect(meaning).toBe('unknown');
    await endSilence();
    expect(await ask()).toMatchObject({ kind: 'accepted' });
    expect(await sent()).toEqual([amountMinor]);
  });
}

const DAY_MS = 86_400_000;

/** Callbacks that must be rejected. Only the headers of the signature are changed, because the loss of others does no harm. */
function alterationsOf(callback: RawCallback): RawCallback[] {
  const text = Buffer.from(callback.rawBody).toString('utf8');
  const signed = Object.keys(callback.headers).filter((header) => /signature/.test(header));
  expect(signed).not.toEqual([]);
  const changed = text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
  expect(changed).not.toBe(text);
  return [
    { ...callback, rawBody: Buffer.from(changed) },
    { ...callback, rawBody: Buffer.from(`${text} `) },
    { ...callback, receivedAt: callback.receivedAt + DAY_MS },
    ...signed.flatMap((header) => {
      const { [header]: value = '', ...others } = callback.headers;
      const forged = value.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, (last) => (last === '0' ? '1' : '0'));
      const short = value.slice(0, -8);
      return [
        { ...callback, headers: others },
        { ...callback, headers: { ...others, [header]: '' } },
        { ...callback, headers: { ...others, [header]: short } },
        { ...callback, headers: { ...others, [header]: forged === value ? `${value}0` : forged } },
      ];
    }),
  ];
}
