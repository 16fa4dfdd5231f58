/** What every provider must do, as tests (SRV-4, SRV-6): a new one is held to the same as those that are here. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type {
  Provider,
  ProviderCreateResult,
  ProviderDeposit,
  ProviderEvidence,
  ProviderRefund,
  RawCallback,
} from '../provider.ts';

/** A provider beside a stand-in for its company, its node or its page, which the bench can make act. */
export interface ProviderBench {
  readonly provider: Provider;
  /** A deposit that it takes. */
  deposit(more?: Partial<ProviderDeposit>): ProviderDeposit;
  /** Lets the person pay all of it; answers the call-back that follows, or undefined where nobody calls back. */
  pay(deposit: ProviderDeposit, providerRef: string): Promise<RawCallback | undefined>;
  /** A deposit of its own that the provider refuses or cannot make, with the kinds that it may answer; absent: it takes all. */
  readonly refused?: readonly (readonly [ProviderDeposit, ProviderCreateResult['kind']])[];
  /** Where the provider sends payments back. */
  readonly refunds?: {
    /** Minor units of each sending that the company has made of a payment. */
    sentBack(providerRef: string): Promise<readonly bigint[]>;
    /** The company does not answer any more. @returns lets it answer again */
    silence(providerRef: string): Promise<() => Promise<void>>;
  };
  /** Makes the next round of a watching provider due. */
  makeDue?(): Promise<void>;
}

type Created = Extract<ProviderCreateResult, { kind: 'created' }>;

function created(result: ProviderCreateResult): Created {
  if (result.kind !== 'created') throw new Error(`Expected a created payment, not ${result.kind} (${result.code})`);
  return result;
}

/** Everything that a round of looking reports; `isKept` false: each report fails, as with a database that is away. */
async function lookedAt({ provider, makeDue }: ProviderBench, isKept = true): Promise<ProviderEvidence[]> {
  const seen: ProviderEvidence[] = [];
  await makeDue?.();
  await provider.watch?.round(async (evidence) => {
    seen.push(evidence);
    if (!isKept) throw new Error('The database is away');
  });
  return seen;
}

/** Registers the tests of one provider. `amounts`: minor units that it must carry to the last digit. */
export function describeProvider(
  name: string,
  {
    setUp,
    amounts,
    hasRefunds,
  }: {
    readonly setUp: () => () => ProviderBench;
    readonly amounts: readonly bigint[];
    /** Whether it offers `refund`: said beforehand, so that one that lost it is noticed. */
    readonly hasRefunds: boolean;
  },
): void {
  describe(`[SRV-4] the provider ${name}`, () => {
    const bench = setUp();
    /** A deposit that was created and paid, and what is to be read of it. */
    const paid = async (more: Partial<ProviderDeposit> = {}) => {
      const one = bench();
      const deposit = one.deposit(more);
      const { providerRef } = created(await one.provider.create(deposit));
      const callback = await one.pay(deposit, providerRef);
      return { ...one, bench: one, deposit, providerRef, callback };
    };
    const expectPaid = (
      evidence: ProviderEvidence | undefined,
      { deposit, providerRef }: { deposit: ProviderDeposit; providerRef: string },
    ): void => {
      expect(evidence).toMatchObject({
        provider: name,
        providerRef,
        depositId: deposit.depositId,
        outcome: 'paid',
        paidMinor: deposit.amountMinor,
        currency: deposit.currency,
      });
      expect(evidence?.eventId).toBeTruthy();
      expect(new Date(evidence?.at ?? '').toISOString()).toBe(evidence?.at);
    };

    test('goes by the name of its folder', () => {
      expect(bench().provider.name).toBe(name);
    });

    test('[SRV-6] told of one deposit twice, one after the other and at once, holds one payment and shows the same', async () => {
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

    test('answers what it refuses instead of throwing, and holds no payment of it', async () => {
      for (const [deposit, kind] of bench().refused ?? []) {
        const answer = await bench().provider.create(deposit);
        expect(answer).toMatchObject({ kind, code: expect.stringMatching(/^[\w-]+$/) });
        const known = await bench().provider.inquire({ depositId: deposit.depositId });
        expect(known?.outcome ?? 'declined').toBe('declined');
      }
    });

    test('knows nothing of a deposit that it was never told of', async () => {
      expect(await bench().provider.inquire({ depositId: randomUUID() })).toBeUndefined();
    });

    test('asked of an unpaid payment says the same each time, and no amount as paid', async () => {
      const { provider, deposit } = bench();
      const request = deposit();
      const { providerRef } = created(await provider.create(request));
      const question = { depositId: request.depositId, providerRef };
      const [one, other] = [await provider.inquire(question), await provider.inquire(question)];
      expect(one).toMatchObject({ provider: name, providerRef, depositId: request.depositId, outcome: 'pending' });
      expect(other?.eventId).toBe(one?.eventId);
    });

    test.each(amounts)('%s minor units are paid to the last one', async (amountMinor) => {
      const payment = await paid({ amountMinor });
      const { callback, provider } = payment;
      const evidence = callback
        ? await provider.read(callback.rawBody)
        : (await lookedAt(payment.bench)).find(({ depositId }) => depositId === payment.deposit.depositId);
      expectPaid(evidence, payment);
    });

    test('[SRV-6] one fact has one event id: read twice, asked for, or told again after it could not be kept', async () => {
      const payment = await paid();
      const { provider, callback, deposit, providerRef } = payment;
      if (callback) {
        const [one, other] = [await provider.read(callback.rawBody), await provider.read(callback.rawBody)];
        expectPaid(one, payment);
        expect(other).toEqual(one);
        const asked = await provider.inquire({ depositId: deposit.depositId, providerRef });
        expect(asked).toEqual({ ...one, at: asked?.at });
      } else {
        const [lost] = await lookedAt(payment.bench, false);
        const [kept] = await lookedAt(payment.bench);
        expectPaid(lost, payment);
        expect(kept).toEqual(lost);
        expect((await lookedAt(payment.bench)).filter(({ outcome }) => outcome === 'paid')).toEqual([]);
      }
    });

    test('takes an authentic call-back alone: none that is forged, changed, stripped of a header or old', async () => {
      const { provider, callback } = await paid();
      if (callback === undefined) {
        // Nobody calls back for it: whoever does is a stranger.
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

    test('offers refunds as it says', () => {
      expect(bench().provider.refund !== undefined).toBe(hasRefunds);
      expect(bench().refunds !== undefined).toBe(hasRefunds);
    });

    if (hasRefunds) describeRefunds(paid);

    test('makes nothing of a body without sense', async () => {
      const { provider } = bench();
      for (const body of ['', 'null', '[]', '<html>', '{']) {
        const read = async () => provider.read(Buffer.from(body));
        const answer = await read().catch((error: unknown) => error);
        expect(answer === undefined || answer instanceof Error).toBe(true);
      }
    });
  });
}

interface PaidDeposit {
  readonly bench: ProviderBench;
  readonly deposit: ProviderDeposit;
  readonly providerRef: string;
}

/** A refund is money that leaves: at most once per key, and never another amount than was asked for. */
function describeRefunds(paid: () => Promise<PaidDeposit>): void {
  const setUp = async () => {
    const { bench, deposit, providerRef } = await paid();
    const { refunds, provider } = bench;
    if (refunds === undefined || provider.refund === undefined) throw new Error('It has no refunds');
    const { depositId, amountMinor, currency } = deposit;
    const wanted: ProviderRefund = { refundId: randomUUID(), depositId, providerRef, amountMinor, currency };
    const ask = (more: Partial<ProviderRefund> = {}) => bench.provider.refund?.({ ...wanted, ...more });
    return { ask, amountMinor, refunds, sent: () => refunds.sentBack(providerRef), providerRef };
  };

  test('[SRV-6] sends a payment back wholly, and once under one key, asked one after the other and at once', async () => {
    const { ask, amountMinor, sent } = await setUp();
    const first = await ask();
    expect(first).toMatchObject({ kind: 'accepted' });
    for (const again of await Promise.all([ask(), ask(), ask()])) expect(again).toMatchObject({ kind: 'accepted' });
    expect(await ask()).toMatchObject({ kind: 'accepted' });
    expect(await sent()).toEqual([amountMinor]);
  });

  test('sends back no more than was paid, and a part exactly or not at all', async () => {
    const { ask, amountMinor, sent } = await setUp();
    expect(await ask({ amountMinor: amountMinor + 100n })).toMatchObject({ kind: 'declined' });
    expect(await sent()).toEqual([]);
    const part = amountMinor - 100n;
    const answer = await ask({ amountMinor: part, refundId: randomUUID() });
    expect(await sent()).toEqual(answer?.kind === 'accepted' ? [part] : []);
    expect(answer?.kind).toMatch(/^(?:accepted|declined)$/);
  });

  test('[SRV-3] whose company is silent knows nothing, never a refusal, and sends once when it speaks again', async () => {
    const { ask, amountMinor, refunds, sent, providerRef } = await setUp();
    const speak = await refunds.silence(providerRef);
    const meaning = await Promise.resolve(ask()).then(
      (answer) => answer?.kind,
      () => 'unknown',
    );
    expect(meaning).toBe('unknown');
    await speak();
    expect(await ask()).toMatchObject({ kind: 'accepted' });
    expect(await sent()).toEqual([amountMinor]);
  });
}

const DAY_MS = 86_400_000;

/** Call-backs that nobody may be believed for. Only headers whose loss matters are of the signature. */
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
