/** Reports of incoming money in every order, by example and by property. */
import { depositDeclineCauses } from '@opencashier/contract/api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DepositFacts, ownPayment } from './aggregate.ts';
import { type Books, booksOf, decide, play, report } from './payment-books.fixture.ts';
import { reduceReport } from './reduce-report.ts';
import { reduceReview } from './reduce-review.ts';
import type { PaymentReport } from './report.ts';

const orders = <Item>(items: readonly Item[]) =>
  fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });

/** The books after reports that all match. */
const after = (...reports: readonly PaymentReport[]): Books => {
  const { books, waiting } = play(reports);
  expect(waiting).toEqual([]);
  return books;
};

const openAmount = (deposit: Partial<DepositFacts> = {}) => booksOf({ isOpenAmount: true, ...deposit });

describe('[SRV-3] a payment', () => {
  test('is credited once for any order of reports with duplicates', () => {
    const reports = [report('pending'), report('paid'), report('paid'), report('paid'), report('pending')];
    fc.assert(
      fc.property(orders(reports), (steps) => {
        const { books, waiting } = play(steps);
        expect(waiting).toEqual([]);
        expect(books).toMatchObject({ deposit: { state: 'credited' }, user: 500n, suspense: 0n, credits: 1 });
      }),
      { numRuns: 1000 },
    );
  });

  test('and its chargeback, in any order, end with a reversed deposit and no money left', () => {
    const reports = [report('pending'), report('paid'), report('paid'), report('reversed')];
    fc.assert(
      fc.property(orders(reports), (steps) => {
        const { books, waiting } = play(steps);
        expect(waiting).toEqual([]);
        expect(books).toMatchObject({
          deposit: { state: 'reversed' },
          user: 0n,
          suspense: 0n,
          clearing: 0n,
          credits: 1,
        });
        expect(books.payments).toMatchObject([{ origin: 'deposit', state: 'charged_back' }]);
        expect(books.disputes).toMatchObject([{ amount: 500n, state: 'open', part: null }]);
      }),
      { numRuns: 1000 },
    );
  });

  test('[DEP-11] with a failed outcome, in any order, is credited or late, and never booked twice', () => {
    const endings: PaymentReport['outcome'][] = ['declined', 'expired', 'cancelled'];
    fc.assert(
      fc.property(
        fc
          .constantFrom(...endings)
          .chain((ending) => orders([report('pending'), report('paid'), report('paid'), report(ending)])),
        (steps) => {
          const { books } = play(steps);
          expect(books.user + books.suspense).toBe(500n);
          expect(books).toMatchObject(
            books.deposit.state === 'credited'
              ? { user: 500n, credits: 1 }
              : { deposit: { state: 'late_paid' }, payments: [{ reason: 'late', review: 1 }], credits: 0 },
          );
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('with a verified signature but wrong content is not credited', () => {
    const verdict = (more: Partial<PaymentReport>, deposit: Partial<DepositFacts> = {}) =>
      reduceReport(booksOf(deposit), report('paid', more));
    const received = (reason: string, amount: bigint) => ({ kind: 'receive', reason, amount });
    expect(verdict({})).toEqual({
      kind: 'effects',
      effects: [
        { kind: 'receive', origin: 'deposit', asset: 'INR', amount: 500n },
        { kind: 'move', to: 'credited' },
      ],
    });
    expect(verdict({ paidMinor: 499n })).toMatchObject({ effects: [received('underpaid', 499n), { to: 'detected' }] });
    expect(verdict({ paidMinor: 50_000n })).toMatchObject({
      effects: [received('overpaid', 50_000n), { to: 'detected' }],
    });
    expect(verdict({ currency: 'USD' })).toMatchObject({ effects: [{ reason: 'wrong-currency', asset: 'USD' }, {}] });
    expect(verdict({ providerRef: 'other' })).toMatchObject({
      effects: [{ origin: 'further', reason: 'second-payment' }],
    });
    expect(verdict({ provider: 'stranger' })).toEqual({ kind: 'unmatched', why: 'other-provider' });
    expect(verdict({ paidMinor: 0n })).toEqual({ kind: 'unmatched', why: 'incomplete' });
    expect(verdict({ currency: 'ZZCOIN' })).toEqual({ kind: 'unmatched', why: 'unknown-currency' });
    for (const state of ['declined', 'cancelled', 'expired'] as const) {
      expect(verdict({}, { state })).toMatchObject({ effects: [received('late', 500n), { to: 'late_paid' }] });
    }
    expect(verdict({}, { state: 'expired', userId: '' })).toMatchObject({ effects: [{ reason: 'unassigned' }, {}] });
  });

  test('reported twice changes nothing; another amount for it alerts staff', () => {
    for (const books of [
      after(report('paid')),
      after(report('paid'), report('reversed')),
      after(report('expired'), report('paid')),
      after(report('paid', { paidMinor: 700n, currency: 'USD' })),
    ]) {
      const [own] = books.payments;
      const same = report('paid', { paidMinor: own?.amount ?? 0n, currency: own?.asset ?? '' });
      expect(reduceReport(books, same)).toEqual({ kind: 'effects', effects: [] });
      expect(reduceReport(books, { ...same, paidMinor: 701n })).toMatchObject({
        effects: [],
        alert: 'paid-amount-changed',
      });
    }
  });

  const anyReport = fc
    .record({
      outcome: fc.constantFrom<PaymentReport['outcome']>(
        'pending',
        'paid',
        'paid',
        'declined',
        'expired',
        'cancelled',
        'reversed',
        'returned',
      ),
      paidMinor: fc.constantFrom(500n, 499n, 501n, 50_000n, 1n, 0n, -500n),
      currency: fc.constantFrom('INR', 'INR', 'USD'),
      providerRef: fc.constantFrom('ref', 'ref', 'ref', 'other'),
      provider: fc.constantFrom('fake', 'fake', 'fake', 'stranger'),
    })
    .map((more) => report(more.outcome, more));

  test('for any reports in any order, only the asked amount is credited, and once', () => {
    fc.assert(
      fc.property(fc.array(anyReport, { maxLength: 12 }), (reports) => {
        const { books } = play(reports);
        expect(books.credits).toBeLessThanOrEqual(1);
        expect([0n, 500n]).toContain(books.user);
        if (books.deposit.state === 'credited') expect(books.credits).toBe(1);
        expect(books.clearing).toBe(books.user + books.suspense);
      }),
      { numRuns: 2000 },
    );
  });

  test('[CRY-1] for any reports about an open amount, at most one payment is credited, and never less than the minimum', () => {
    fc.assert(
      fc.property(fc.array(anyReport, { maxLength: 12 }), (reports) => {
        const { books } = play(reports, openAmount());
        const creditable = reports.filter(
          ({ outcome, paidMinor = 0n, currency, providerRef, provider }) =>
            outcome === 'paid' &&
            paidMinor >= 500n &&
            currency === 'INR' &&
            providerRef === 'ref' &&
            provider === 'fake',
        );
        expect(books.credits).toBeLessThanOrEqual(1);
        expect([0n, ...creditable.map(({ paidMinor }) => paidMinor)]).toContain(books.user);
        if (books.deposit.state === 'credited')
          expect(books).toMatchObject({ credits: 1, user: ownPayment(books)?.amount });
      }),
      { numRuns: 2000 },
    );
  });

  test('[CRY-1] for an open amount credits the paid amount, from the minimum to the maximum', () => {
    const verdict = (more: Partial<PaymentReport>, deposit: Partial<DepositFacts> = {}) =>
      reduceReport(openAmount(deposit), report('paid', more));
    const credited = (amount: bigint) => ({ effects: [{ kind: 'receive', amount }, { to: 'credited' }] });
    expect(verdict({})).toMatchObject(credited(500n));
    expect(verdict({ paidMinor: 501n })).toMatchObject(credited(501n));
    expect(verdict({ paidMinor: 50_000n }, { state: 'confirming' })).toMatchObject(credited(50_000n));
    const below = { reason: 'below-minimum', amount: 499n };
    expect(verdict({ paidMinor: 499n })).toMatchObject({ effects: [below, { to: 'detected' }] });
    expect(verdict({ paidMinor: 499n }, { state: 'confirming' })).toMatchObject({
      effects: [below, { to: 'confirming' }],
    });
    expect(verdict({ paidMinor: 900n }, { openMaximum: 899n })).toMatchObject({
      effects: [{ reason: 'above-maximum' }, {}],
    });
    expect(verdict({ paidMinor: 700n, currency: 'USD' })).toMatchObject({
      effects: [{ reason: 'wrong-currency' }, {}],
    });
    expect(verdict({ paidMinor: 700n, providerRef: 'other' })).toMatchObject({
      effects: [{ reason: 'second-payment' }],
    });
    expect(verdict({ paidMinor: 700n, provider: 'stranger' })).toEqual({ kind: 'unmatched', why: 'other-provider' });
    expect(verdict({ paidMinor: 700n }, { state: 'expired' })).toMatchObject({
      effects: [{ reason: 'late' }, { to: 'late_paid' }],
    });
    // A larger amount for the same payment alerts staff, and is never a second credit.
    const { books } = play([report('paid', { paidMinor: 700n })], openAmount());
    expect(reduceReport(books, report('paid', { paidMinor: 900n }))).toMatchObject({
      effects: [],
      alert: 'paid-amount-changed',
    });
  });

  test('[CRY-1] for an open amount, in any order with duplicates, credits exactly the paid amount once', () => {
    const runs = fc
      .bigInt({ min: 1n, max: 2_000n })
      .chain((paidMinor) =>
        orders([
          report('pending', { paidMinor, currency: 'INR' }),
          report('paid', { paidMinor }),
          report('paid', { paidMinor }),
          report('pending'),
        ]).map((steps) => ({ paidMinor, steps })),
      );
    fc.assert(
      fc.property(runs, ({ paidMinor, steps }) => {
        expect(play(steps, openAmount()).books).toMatchObject(
          paidMinor >= 500n
            ? {
                deposit: { state: 'credited' },
                user: paidMinor,
                suspense: 0n,
                credits: 1,
                payments: [{ review: null }],
              }
            : { user: 0n, suspense: paidMinor, credits: 0, payments: [{ reason: 'below-minimum' }] },
        );
      }),
      { numRuns: 1000 },
    );
  });

  test('further payments are kept once each, reviewed one at a time, and can only be sent back', () => {
    const second = (which: string, more: Partial<PaymentReport> = {}) =>
      report('paid', { providerRef: which, ...more });
    const books = after(report('paid'), second('a', { paidMinor: 70n }), second('a', { paidMinor: 70n }), second('b'));
    expect(books.payments).toMatchObject([{ review: null }, { review: 1 }, { review: null }]);
    expect(reduceReview(books, 'credit')).toEqual({ kind: 'refused', why: 'credited-once' });
    expect(decide(books, 'refund').payments).toMatchObject([{}, { state: 'refunded', review: 1 }, { review: 2 }]);
    // The deposit's own payment is reviewed first. The other payment gets a new review number afterwards.
    const wrong = after(second('a'), report('paid', { paidMinor: 499n }));
    expect(wrong.payments).toMatchObject([{ review: null }, { origin: 'deposit', review: 2 }]);
    expect(decide(wrong, 'refund').payments).toMatchObject([{ review: 3 }, { state: 'refunded' }]);
  });
});

describe('[SRV-3] a deposit', () => {
  test('[CRY-2] is detected when a transfer is seen, confirming with its first block, and credited only by a payment', () => {
    const chain = { txid: 'a'.repeat(64), blockchain: 'Tron', cryptoCurrency: 'USDT', requiredConfirmations: 20 };
    const seen = (confirmations: number) =>
      reduceReport(booksOf(), report('pending', { chain: { ...chain, confirmations } }));
    expect(seen(0)).toMatchObject({ effects: [{ kind: 'move', to: 'detected' }] });
    expect(seen(1)).toMatchObject({ effects: [{ kind: 'move', to: 'confirming' }] });
    expect(seen(20)).toMatchObject({ effects: [{ kind: 'move', to: 'confirming' }] });
    expect(reduceReport(booksOf({ state: 'confirming' }), report('paid'))).toMatchObject({
      effects: [{}, { to: 'credited' }],
    });
  });

  test('[DEP-11] is detected when the payee confirms the transfer, and can then not be cancelled or expire', () => {
    expect(reduceReport(booksOf(), report('pending', { remoteStatus: 'PAYED' }))).toMatchObject({
      effects: [{ kind: 'move', to: 'detected' }],
    });
    expect(reduceReport(booksOf(), report('pending'))).toEqual({ kind: 'effects', effects: [] });
  });

  test('[DEP-15] that is declined shows the cause if the payer can fix it', () => {
    const reasonOf = (more: Partial<PaymentReport>) => {
      const verdict = reduceReport(booksOf(), report('declined', more));
      return verdict.kind === 'effects' && verdict.effects;
    };
    expect(reasonOf({})).toEqual([{ kind: 'move', to: 'declined', reason: 'transaction.reason.declined' }]);
    const [cause] = depositDeclineCauses;
    expect(reasonOf({ cause })).toMatchObject([{ reason: `transaction.reason.declined.${cause}` }]);
    expect(reduceReport(booksOf(), report('expired'))).toMatchObject({
      effects: [{ reason: 'transaction.reason.expired' }],
    });
  });

  test('under review is not ended by a report', () => {
    const books = after(report('paid', { paidMinor: 499n }));
    expect(reduceReport(books, report('declined'))).toEqual({ kind: 'effects', effects: [], alert: 'in-review' });
  });

  test('is not ended by the report of another payment, and ignores a pending further transfer', () => {
    const other = { providerRef: 'other' };
    expect(reduceReport(booksOf(), report('declined', other))).toMatchObject({ effects: [], alert: 'other-payment' });
    expect(reduceReport(openAmount(), report('pending', other))).toEqual({ kind: 'effects', effects: [] });
  });

  describe('[DEP-11] whose pending transfer has vanished', () => {
    const chain = {
      txid: 'one',
      blockchain: 'Bitcoin',
      cryptoCurrency: 'BTC',
      confirmations: 0,
      requiredConfirmations: 3,
    };
    const gone = report('vanished', { chain });
    const seen = { state: 'detected', txid: 'one' } as const;

    test('forgets the transfer and waits again', () => {
      const forget = { kind: 'effects', effects: [{ kind: 'forget-seen' }] };
      expect(reduceReport(booksOf(seen), gone)).toEqual(forget);
      expect(reduceReport(booksOf({ ...seen, state: 'confirming' }), gone)).toEqual(forget);
    });

    test.each<[string, Books]>([
      ['another transaction is shown', booksOf({ ...seen, txid: 'two' })],
      ['nothing was seen', booksOf()],
      ['it was credited', play([report('paid')], booksOf(seen)).books],
      ['staff review it', play([report('paid', { paidMinor: 1n })], booksOf(seen)).books],
      ['the deposit has ended', booksOf({ ...seen, state: 'expired' })],
    ])('does nothing when %s', (_what, books) => {
      expect(reduceReport(books, gone)).toEqual({ kind: 'effects', effects: [] });
    });
  });
});
