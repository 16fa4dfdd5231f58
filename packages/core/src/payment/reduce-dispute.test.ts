import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DepositFacts, leftOf, ownPayment, type Refund } from './aggregate.ts';
import { applyReport, askRefund, type Books, booksOf, decide, play, report } from './payment-books.fixture.ts';
import { reduceReport } from './reduce-report.ts';
import { reduceReview } from './reduce-review.ts';
import type { PaymentReport } from './report.ts';

/** The books after reports that all match. */
const after = (...reports: readonly PaymentReport[]): Books => {
  const { books, waiting } = play(reports);
  expect(waiting).toEqual([]);
  return books;
};

const part = (id: string, paidMinor: bigint, more: Partial<PaymentReport> = {}) =>
  report('reversed', { part: id, paidMinor, currency: 'INR', ...more });
const back = (id: string, paidMinor = 500n, more: Partial<PaymentReport> = {}) =>
  report('returned', { providerRef: `back ${id}`, paidMinor, currency: 'INR', ...more });

describe('[SRV-2] [SRV-3] a dispute', () => {
  const unmatched = (why: string) => ({ kind: 'unmatched', why });

  test('is unmatched until its payment is reported, and again until the money has come back', () => {
    for (const state of ['awaiting_payment', 'declined', 'expired'] as const) {
      expect(reduceReport(booksOf({ state }), report('reversed'))).toEqual(unmatched('not-paid-yet'));
    }
    const gone = after(report('paid'), report('reversed'));
    expect(reduceReport(gone, report('reversed'))).toEqual(unmatched('not-returned-yet'));
    const { books } = applyReport(gone, back('1'));
    expect(books.disputes).toMatchObject([{ state: 'won' }]);
    expect(applyReport(books, report('reversed')).books).toMatchObject({ suspense: 0n, clearing: 0n, user: 0n });
    const credited = decide(books, 'credit');
    expect(credited).toMatchObject({ user: 500n, deposit: { state: 'reversed' } });
    expect(applyReport(credited, report('reversed')).books).toMatchObject({ user: 0n, clearing: 0n });
  });

  test('charges the payment in review before the credited one', () => {
    const first = decide(after(report('paid'), report('reversed'), back('1')), 'credit');
    const { books } = applyReport(applyReport(first, back('2')).books, report('reversed'));
    expect(books).toMatchObject({ user: 500n, suspense: 0n });
    expect(books.payments).toMatchObject([{ state: 'charged_back' }, { state: 'credited' }, { state: 'charged_back' }]);
  });

  test('of money in suspense ends the review: the deposit is declined, or refunded when the money was late', () => {
    const wrong = after(report('paid', { paidMinor: 1n }), report('reversed'));
    expect(wrong).toMatchObject({
      deposit: { state: 'declined' },
      suspense: 0n,
      payments: [{ state: 'charged_back' }],
    });
    const late = after(report('expired'), report('paid'), report('reversed'));
    expect(late).toMatchObject({ deposit: { state: 'refunded' }, suspense: 0n });
  });

  test('of a further payment charges that payment alone', () => {
    const other = { providerRef: 'other' };
    const paid = after(report('paid'));
    expect(reduceReport(paid, report('reversed', other))).toEqual(unmatched('not-paid-yet'));
    const { books } = play([report('paid', other), report('reversed', other)], paid);
    expect(books).toMatchObject({
      user: 500n,
      suspense: 0n,
      payments: [{ state: 'credited' }, { state: 'charged_back' }],
    });
    expect(reduceReport(books, report('reversed', other))).toEqual({ kind: 'effects', effects: [] });
  });

  test('of a part leaves the rest, and the last part reverses the deposit', () => {
    const some = after(report('paid'), part('a', 200n));
    expect(some).toMatchObject({ user: 300n, deposit: { state: 'credited' }, payments: [{ state: 'credited' }] });
    expect(reduceReport(some, part('a', 200n))).toEqual(unmatched('booked-before'));
    expect(reduceReport(some, part('b', 301n))).toEqual(unmatched('more-than-was-left'));
    expect(reduceReport(some, part('b', 200n, { currency: 'USD' }))).toEqual(unmatched('more-than-was-left'));
    expect(reduceReport(some, part('b', 0n))).toEqual(unmatched('incomplete'));
    const all = applyReport(some, part('b', 300n)).books;
    expect(all).toMatchObject({ user: 0n, deposit: { state: 'reversed' }, payments: [{ state: 'charged_back' }] });
    expect(reduceReport(all, part('c', 1n))).toEqual(unmatched('reversed-before'));
    expect(reduceReport(booksOf(), part('a', 1n))).toEqual(unmatched('not-credited'));
    expect(reduceReport(after(report('paid', { paidMinor: 1n })), part('a', 1n))).toEqual(unmatched('not-credited'));
    const box = play([report('paid')], booksOf({ box: {} })).books;
    expect(reduceReport(box, part('a', 1n))).toEqual(unmatched('part-of-a-box'));
  });

  test('of a payment that was partly paid out takes the rest alone, and the deposit stays credited', () => {
    const paid = after(report('paid'));
    const [{ id = '' } = {}] = paid.payments;
    const out = { ...paid, user: 300n, paidOut: [{ paymentId: id, amount: 200n }] };
    expect(reduceReport(out, part('a', 301n))).toEqual(unmatched('more-than-was-left'));
    for (const taken of [applyReport(out, part('a', 300n)).books, applyReport(out, report('reversed')).books]) {
      expect(taken).toMatchObject({ user: 0n, deposit: { state: 'credited' }, payments: [{ state: 'credited' }] });
      // The whole payment has left. A further report is about the payout, or needs staff.
      expect(reduceReport(taken, report('reversed'))).toEqual(unmatched('paid-out'));
    }
    const all = { ...paid, user: 0n, paidOut: [{ paymentId: id, amount: 500n }] };
    expect(reduceReport(all, report('reversed'))).toEqual(unmatched('paid-out'));
    expect(reduceReport(all, part('a', 1n))).toEqual(unmatched('more-than-was-left'));
  });

  test('of the whole takes what is left and what was returned, credited or in review', () => {
    const parts = [report('paid'), part('a', 200n), part('b', 100n), back('a', 200n, { part: 'a' })];
    const given = decide(after(...parts), 'credit');
    expect(given.user).toBe(400n);
    for (const books of [given, applyReport(given, back('b', 100n, { part: 'b' })).books, after(...parts)]) {
      const { books: taken } = applyReport(books, report('reversed'));
      expect(taken).toMatchObject({ user: 0n, suspense: 0n, clearing: 0n, deposit: { state: 'reversed' } });
      for (const payment of taken.payments) expect(leftOf(taken, payment)).toBe(0n);
    }
  });

  test('of a part charges the returned payment first, so that the deposit stays credited', () => {
    const given = decide(after(report('paid'), part('a', 200n), back('a', 200n, { part: 'a' })), 'credit');
    const { books } = applyReport(given, part('b', 450n));
    expect(books).toMatchObject({ user: 50n, deposit: { state: 'credited' } });
    expect(books.payments).toMatchObject([{ state: 'credited' }, { state: 'charged_back' }]);
  });
});

describe('[SRV-2] [SRV-3] a refund', () => {
  const paid = () => askRefund(after(report('paid')), 'ours');
  const known = { kind: 'effects', effects: [] };

  test('requested by the operator is ended by its report, and the next report is unmatched', () => {
    const { books } = applyReport(paid(), report('reversed'));
    expect(books).toMatchObject({
      user: 0n,
      clearing: 0n,
      payments: [{ state: 'refunded' }],
      refunds: [{ isConfirmed: true }],
    });
    expect(reduceReport(books, report('reversed'))).toEqual({ kind: 'unmatched', why: 'not-returned-yet' });
    expect(reduceReport(books, report('reversed', { refundId: 'ours' }))).toMatchObject({
      effects: [{ kind: 'confirm-refund' }],
    });
    // A partial dispute cannot use the held amount of a refund.
    expect(reduceReport(paid(), part('a', 100n))).toEqual({ kind: 'unmatched', why: 'more-than-was-left' });
  });

  test.each<[Refund['state'], object]>([
    ['declined', known],
    ['requested', { kind: 'unmatched', why: 'refund-open' }],
    ['accepted', { kind: 'unmatched', why: 'refund-open' }],
    ['bounced', { kind: 'unmatched', why: 'more-than-had-left' }],
  ])('that is %s and then reported as returned', (state, expected) => {
    const books = paid();
    const refunds = books.refunds.map((refund) => ({ ...refund, state }));
    expect(reduceReport({ ...books, refunds }, back('1', 500n, { refundId: 'ours' }))).toEqual(expected);
  });

  test('that bounced is reviewed, can be disputed once more, and its own late report only confirms it', () => {
    const [own] = paid().payments;
    if (own === undefined) throw new Error('The deposit has no payment');
    const sent: Books = {
      ...paid(),
      deposit: { ...paid().deposit, state: 'refunded' },
      payments: [{ ...own, state: 'refunded' }],
      refunds: [
        { id: 'ours', paymentId: own.id, origin: 'operator', state: 'succeeded', amount: 500n, isConfirmed: false },
      ],
      clearing: 0n,
    };
    const returned = applyReport(sent, back('1', 500n, { refundId: 'ours' })).books;
    expect(returned).toMatchObject({ suspense: 500n, refunds: [{ state: 'bounced' }] });
    // The report does not name our refund, so it is about another dispute.
    const taken = applyReport(decide(returned, 'credit'), report('reversed')).books;
    expect(taken).toMatchObject({ user: 0n, clearing: 0n });
    expect(reduceReport(taken, report('reversed', { refundId: 'ours' }))).toMatchObject({
      effects: [{ kind: 'confirm-refund' }],
    });
    // Without returned money the report may be about our refund.
    expect(reduceReport(sent, report('reversed'))).toMatchObject({
      effects: [{ kind: 'confirm-refund', refundId: 'ours' }],
    });
  });

  test('by staff is confirmed by exactly one report', () => {
    const sent = decide(after(report('paid'), report('reversed'), back('1')), 'refund');
    const confirmed = applyReport(sent, report('reversed')).books;
    expect(confirmed.refunds).toMatchObject([{ origin: 'review', isConfirmed: true }]);
    expect(reduceReport(confirmed, report('reversed'))).toEqual({ kind: 'unmatched', why: 'not-returned-yet' });
  });

  test('by staff of a returned part is confirmed by a report of the same amount', () => {
    const sent = decide(after(report('paid'), part('a', 200n), back('a', 200n, { part: 'a' })), 'refund');
    expect(sent).toMatchObject({ user: 300n, clearing: 300n });
    const confirmed = applyReport(sent, part('b', 200n)).books;
    expect(confirmed).toMatchObject({ user: 300n, refunds: [{ isConfirmed: true }] });
    expect(applyReport(confirmed, part('c', 200n)).books).toMatchObject({ user: 100n });
  });
});

describe('[SRV-3] money that came back', () => {
  const unmatched = { kind: 'unmatched', why: 'not-taken-back-yet' };

  test('is applied if the money had left before, and is unmatched otherwise', () => {
    for (const books of [
      after(report('paid'), report('reversed')),
      after(report('expired'), report('paid'), report('reversed')),
      decide(after(report('paid', { paidMinor: 499n })), 'refund'),
    ]) {
      const verdict = reduceReport(books, back('1'));
      const received = { kind: 'receive', origin: 'returned', reason: 'returned', asset: 'INR', amount: 500n };
      expect(verdict.kind === 'effects' && verdict.effects[0]).toEqual(received);
    }
    for (const books of [
      after(report('paid')),
      after(report('expired'), report('paid')),
      after(report('paid', { paidMinor: 499n })),
      booksOf({ state: 'declined' }),
    ]) {
      expect(reduceReport(books, back('1'))).toEqual(unmatched);
      expect(reduceReport(books, back('1', 200n, { part: 'a' }))).toEqual(unmatched);
    }
  });

  test('of a part is never more than what had left', () => {
    const some = after(report('paid'), part('a', 200n));
    expect(reduceReport(some, back('a', 201n, { part: 'a' }))).toEqual(unmatched);
    const { books } = applyReport(some, back('a', 200n, { part: 'a' }));
    expect(books).toMatchObject({ suspense: 200n, disputes: [{ state: 'won' }] });
    expect(reduceReport(books, back('a again', 200n, { part: 'a' }))).toEqual(unmatched);
    expect(reduceReport(books, back('a', 200n, { part: 'a' }))).toEqual({ kind: 'effects', effects: [] });
    const all = after(report('paid'), report('reversed'), back('1', 200n, { part: 'a' }));
    expect(reduceReport(all, back('2', 301n, { part: 'b' }))).toEqual({ kind: 'unmatched', why: 'more-than-had-left' });
  });

  test('is credited only to a known user, in the same currency, and not for a coin box', () => {
    const returned = (deposit: Partial<DepositFacts> = {}, more: Partial<PaymentReport> = {}) =>
      play([report('paid', more), report('reversed'), back('1', 500n, more)], booksOf(deposit)).books;
    expect(reduceReview(returned({ box: {} }), 'credit')).toEqual({ kind: 'refused', why: 'box-sold-before' });
    expect(reduceReview(returned({}, { currency: 'USD' }), 'credit')).toEqual({
      kind: 'refused',
      why: 'other-currency',
    });
    expect(reduceReview(returned({ userId: '', state: 'expired' }), 'credit')).toEqual({
      kind: 'refused',
      why: 'names-no-user',
    });
    expect(reduceReview(booksOf(), 'refund')).toEqual({ kind: 'refused', why: 'nothing-to-decide' });
    const cheap = play([report('paid', { paidMinor: 499n })], booksOf({ box: {} })).books;
    expect(reduceReview(cheap, 'credit')).toEqual({ kind: 'refused', why: 'box-below-price' });
  });

  test('and is disputed again, in any order, with duplicates and decisions between: each amount is booked once', () => {
    const runs = fc.integer({ min: 1, max: 4 }).chain((times) => {
      const nth = Array.from({ length: times }, (_, index) => `${index}`);
      const reports = [report('paid'), ...nth.flatMap((one) => [report('reversed'), back(one), back(one)])];
      return fc.record({
        steps: fc.shuffledSubarray([...reports, 'credit' as const, 'credit' as const], {
          minLength: reports.length + 2,
        }),
      });
    });
    fc.assert(
      fc.property(runs, ({ steps }) => {
        const { books, waiting } = play(steps);
        expect(waiting).toEqual([]);
        expect(books.user + books.suspense).toBe(500n);
        expect(books.clearing).toBe(500n);
      }),
      { numRuns: 500 },
    );
  });

  test('with parts, the whole, refunds by staff and duplicates: never more leaves than came, and the ledger is balanced', () => {
    const step = fc.oneof(
      fc.constantFrom<PaymentReport | 'credit' | 'refund'>(
        'credit',
        'refund',
        report('paid'),
        report('reversed'),
        report('expired'),
      ),
      fc
        .record({ id: fc.constantFrom('a', 'b', 'c'), amount: fc.constantFrom(100n, 200n, 300n) })
        .map(({ id, amount }) => part(id, amount)),
      fc
        .record({ id: fc.constantFrom('a', 'b', 'c'), amount: fc.constantFrom(100n, 200n, 300n) })
        .map(({ id, amount }) => back(`${id}${amount}`, amount, { part: id })),
      fc.constantFrom('x', 'y').map((which) => report('paid', { providerRef: which, paidMinor: 70n })),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 16 }), (steps) => {
        // The books refuse forbidden moves and a payment of which more leaves than came.
        const { books } = play(steps);
        expect(books.clearing).toBe(books.user + books.suspense);
        const left = books.payments.reduce((sum, payment) => sum + leftOf(books, payment), 0n);
        expect(left).toBe(books.clearing);
        expect(ownPayment(books)?.state === 'credited').toBe(books.deposit.state === 'credited');
        expect(books.user >= 0n && books.suspense >= 0n).toBe(true);
        const open = books.payments.filter(({ state, review }) => state === 'in_review' && review !== null);
        expect(open.length).toBe(books.suspense > 0n ? 1 : 0);
      }),
      { numRuns: 3000 },
    );
  });
});
