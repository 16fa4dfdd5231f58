import { type DepositState, depositRank } from '@opencashier/core/deposit/deposit-lifecycle';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProviderEvidence } from '../providers/provider.ts';
import { decide, type JudgedDeposit, type MoneyThatLeft } from './decide.ts';
import type { RefundState } from './refund-store.ts';

const open: JudgedDeposit = {
  userId: 'ann',
  provider: 'fake',
  providerRef: 'ref',
  currency: 'INR',
  amount: 500n,
  isOpenAmount: false,
  openMost: null,
  state: 'awaiting_payment',
  review: null,
  paid: null,
  request: { fields: {}, returnUrl: '', language: 'en' },
  blockchain: null,
  cryptoCurrency: null,
  txid: null,
  box: null,
};

const report = (outcome: ProviderEvidence['outcome'], more: Partial<ProviderEvidence> = {}): ProviderEvidence => ({
  provider: 'fake',
  providerRef: 'ref',
  outcome,
  eventId: 'event',
  at: '',
  ...(outcome === 'paid' && { paidMinor: 500n, currency: 'INR' }),
  ...more,
});

/** Books in memory: what `apply` does with decisions, without a database. Parked reports are tried again after each other one. */
interface Book extends JudgedDeposit {
  readonly user: bigint;
  readonly suspense: bigint;
  readonly credits: number;
}
const empty: Book = { ...open, user: 0n, suspense: 0n, credits: 0 };
const emptyOpenAmount: Book = { ...empty, isOpenAmount: true };

function step(book: Book, evidence: ProviderEvidence): { book: Book; isParked: boolean } {
  const decision = decide(book, evidence);
  const done = (change: Partial<Book>): { book: Book; isParked: boolean } => ({
    book: { ...book, ...change },
    isParked: false,
  });
  switch (decision.kind) {
    case 'none':
      return done({});
    case 'park':
      return { book, isParked: true };
    case 'reverse-part':
      return done({ user: book.user - decision.amount });
    case 'forget':
      return done({ txid: null });
    case 'move':
      return done({ state: decision.to });
    case 'credit':
      return done({
        state: 'credited',
        paid: decision.amount,
        user: book.user + decision.amount,
        credits: book.credits + 1,
      });
    case 'suspend':
      return done({
        state: decision.to,
        review: decision.review,
        paid: decision.review === 'second-payment' ? book.paid : (book.paid ?? decision.amount),
        suspense: book.suspense + decision.amount,
      });
    case 'reverse':
      return done({ state: 'reversed', user: book.user - (book.paid ?? 0n) });
    case 'reverse-returned':
    case 'unsuspend-beside':
      throw new Error('nothing has come back here');
    case 'unsuspend':
      return done({ state: decision.to, review: null, suspense: book.suspense - (book.paid ?? 0n) });
  }
}

function play(reports: readonly ProviderEvidence[], start = empty): Book {
  let book = start;
  let parked: ProviderEvidence[] = [];
  let rank = 0;
  for (const evidence of reports) {
    const waiting = [evidence, ...parked];
    parked = [];
    for (const one of waiting) {
      const next = step(book, one);
      if (next.isParked) parked.push(one);
      book = next.book;
      expect(depositRank(book.state)).toBeGreaterThanOrEqual(rank);
      rank = depositRank(book.state);
    }
  }
  return book;
}

const orders = <Item>(items: readonly Item[]) =>
  fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });

test('[SRV-3] every order of what really happened ends alike: paid once, told thrice', () => {
  const told = [
    report('pending'),
    report('paid'),
    report('paid'),
    report('paid', { eventId: 'again' }),
    report('pending'),
  ];
  fc.assert(
    fc.property(orders(told), (reports) => {
      expect(play(reports)).toMatchObject({ state: 'credited', user: 500n, suspense: 0n, credits: 1 });
    }),
    { numRuns: 1000 },
  );
});

test('[SRV-3] every order of paid and taken back ends alike: reversed, and no money is left', () => {
  const told = [report('pending'), report('paid'), report('reversed'), report('paid'), report('reversed')];
  fc.assert(
    fc.property(orders(told), (reports) => {
      expect(play(reports)).toMatchObject({ state: 'reversed', user: 0n, suspense: 0n, credits: 1 });
    }),
    { numRuns: 1000 },
  );
});

test('[DEP-11] [SRV-3] paid against ended: credited or late, the money is there in every order, and never twice', () => {
  const endings: ProviderEvidence['outcome'][] = ['declined', 'expired', 'cancelled'];
  fc.assert(
    fc.property(
      fc
        .constantFrom(...endings)
        .chain((ending) => orders([report('pending'), report('paid'), report('paid'), report(ending)])),
      (reports) => {
        const book = play(reports);
        expect(book.user + book.suspense).toBe(500n);
        const isPaidFirst = book.state === 'credited';
        expect(book).toMatchObject(
          isPaidFirst ? { user: 500n, credits: 1 } : { state: 'late_paid', review: 'late', credits: 0 },
        );
      },
    ),
    { numRuns: 1000 },
  );
});

const anyReport = fc
  .record({
    outcome: fc.constantFrom<ProviderEvidence['outcome']>(
      'pending',
      'paid',
      'paid',
      'declined',
      'expired',
      'cancelled',
      'reversed',
    ),
    paidMinor: fc.constantFrom(500n, 499n, 501n, 50_000n, 1n, 0n, -500n),
    currency: fc.constantFrom('INR', 'INR', 'USD'),
    providerRef: fc.constantFrom('ref', 'ref', 'ref', 'other'),
    provider: fc.constantFrom('fake', 'fake', 'fake', 'stranger'),
  })
  .map((more) => report(more.outcome, more));

test('[SRV-3] whatever is reported in whatever order, only the asked amount is credited, and once', () => {
  fc.assert(
    fc.property(fc.array(anyReport, { maxLength: 12 }), (reports) => {
      const book = play(reports);
      expect(book.credits).toBeLessThanOrEqual(1);
      expect([0n, 500n]).toContain(book.user);
      if (book.state === 'credited') expect(book.credits).toBe(1);
    }),
    { numRuns: 2000 },
  );
});

test('[SRV-3] authentic but wrong is not credited', () => {
  const kinds = (more: Partial<ProviderEvidence>, deposit: Partial<JudgedDeposit> = {}) =>
    decide({ ...open, ...deposit }, report('paid', more));
  expect(kinds({})).toEqual({ kind: 'credit', amount: 500n });
  expect(kinds({ paidMinor: 499n })).toMatchObject({ kind: 'suspend', review: 'underpaid', amount: 499n });
  expect(kinds({ paidMinor: 50_000n })).toMatchObject({ kind: 'suspend', review: 'overpaid', amount: 50_000n });
  expect(kinds({ currency: 'USD' })).toMatchObject({ kind: 'suspend', review: 'wrong-currency', asset: 'USD' });
  expect(kinds({ providerRef: 'other' })).toMatchObject({ kind: 'suspend', review: 'second-payment' });
  expect(kinds({ provider: 'stranger' })).toEqual({ kind: 'park', why: 'other-provider' });
  expect(kinds({ paidMinor: 0n })).toEqual({ kind: 'park', why: 'incomplete' });
  const late: DepositState[] = ['declined', 'cancelled', 'expired'];
  for (const state of late)
    expect(kinds({}, { state })).toMatchObject({ kind: 'suspend', to: 'late_paid', review: 'late' });
  for (const state of ['credited', 'refunded', 'reversed', 'late_paid'] as const) {
    expect(kinds({}, { state, paid: 500n })).toEqual({ kind: 'none' });
  }
  expect(kinds({ paidMinor: 700n }, { state: 'credited', paid: 500n })).toMatchObject({ alert: 'paid-amount-changed' });
});

test('[CRY-1] of an open amount what was really paid is credited, from the minimum on; below it nothing is', () => {
  const kinds = (more: Partial<ProviderEvidence>, deposit: Partial<JudgedDeposit> = {}) =>
    decide({ ...emptyOpenAmount, ...deposit }, report('paid', more));
  expect(kinds({})).toEqual({ kind: 'credit', amount: 500n });
  expect(kinds({ paidMinor: 501n })).toEqual({ kind: 'credit', amount: 501n });
  expect(kinds({ paidMinor: 50_000n }, { state: 'confirming' })).toEqual({ kind: 'credit', amount: 50_000n });
  const below = { kind: 'suspend', to: 'detected', review: 'below-minimum', amount: 499n };
  expect(kinds({ paidMinor: 499n })).toMatchObject(below);
  expect(kinds({ paidMinor: 499n }, { state: 'confirming' })).toMatchObject({ ...below, to: 'confirming' });
  expect(kinds({ paidMinor: 700n, currency: 'USD' })).toMatchObject({ kind: 'suspend', review: 'wrong-currency' });
  expect(kinds({ paidMinor: 700n, providerRef: 'other' })).toMatchObject({ review: 'second-payment' });
  expect(kinds({ paidMinor: 700n, provider: 'stranger' })).toEqual({ kind: 'park', why: 'other-provider' });
  expect(kinds({ paidMinor: 700n }, { state: 'expired' })).toMatchObject({ to: 'late_paid', review: 'late' });
  // More on the same payment after the credit is for people, never a second credit.
  expect(kinds({ paidMinor: 900n }, { state: 'credited', paid: 700n })).toEqual({
    kind: 'none',
    alert: 'paid-amount-changed',
  });
});

test('[CRY-1] [SRV-3] every order of an open amount seen, paid and told again: exactly what was paid, exactly once', () => {
  const told = fc
    .bigInt({ min: 1n, max: 2_000n })
    .chain((paidMinor) =>
      orders([
        report('pending', { paidMinor, currency: 'INR' }),
        report('paid', { paidMinor }),
        report('paid', { paidMinor, eventId: 'again' }),
        report('pending'),
      ]).map((reports) => ({ paidMinor, reports })),
    );
  fc.assert(
    fc.property(told, ({ paidMinor, reports }) => {
      expect(play(reports, emptyOpenAmount)).toMatchObject(
        paidMinor >= 500n
          ? { state: 'credited', user: paidMinor, suspense: 0n, credits: 1, review: null }
          : { user: 0n, suspense: paidMinor, credits: 0, review: 'below-minimum' },
      );
    }),
    { numRuns: 1000 },
  );
});

test('[CRY-1] [SRV-3] whatever is reported of an open amount, never more than one report’s payment is credited, never less than the minimum', () => {
  fc.assert(
    fc.property(fc.array(anyReport, { maxLength: 12 }), (reports) => {
      const book = play(reports, emptyOpenAmount);
      const creditable = reports.filter(
        ({ outcome, paidMinor = 0n, currency, providerRef, provider }) =>
          outcome === 'paid' && paidMinor >= 500n && currency === 'INR' && providerRef === 'ref' && provider === 'fake',
      );
      expect(book.credits).toBeLessThanOrEqual(1);
      expect([0n, ...creditable.map(({ paidMinor }) => paidMinor)]).toContain(book.user);
      if (book.state === 'credited') expect(book).toMatchObject({ credits: 1, user: book.paid });
    }),
    { numRuns: 2000 },
  );
});

test('[CRY-2] money that was seen is detected, with a block it is confirming, and only a payment credits', () => {
  const chain = { txid: 'a'.repeat(64), blockchain: 'Tron', cryptoCurrency: 'USDT', requiredConfirmations: 20 };
  const seen = (confirmations: number) => decide(open, report('pending', { chain: { ...chain, confirmations } }));
  expect(seen(0)).toEqual({ kind: 'move', to: 'detected' });
  expect(seen(1)).toEqual({ kind: 'move', to: 'confirming' });
  expect(seen(20)).toEqual({ kind: 'move', to: 'confirming' });
  expect(decide({ ...open, state: 'confirming' }, report('paid'))).toMatchObject({ kind: 'credit' });
});

test('[DEP-11] a transfer that the payee has seen is detected: nobody cancels or expires it any more', () => {
  expect(decide(open, report('pending', { remoteStatus: 'PAYED' }))).toEqual({ kind: 'move', to: 'detected' });
  expect(decide(open, report('pending'))).toEqual({ kind: 'none' });
});

test('[SRV-3] money that left is taken once more only where it is back; a report of what is booked moves nothing', () => {
  for (const state of ['reversed', 'refunded'] as const) {
    const again = (left: MoneyThatLeft, refund?: RefundState) =>
      decide({ ...open, state, paid: 500n }, report('reversed'), refund, left);
    expect(again({ isBack: true, isReportDue: false })).toEqual({ kind: 'reverse-returned' });
    expect(again({ isBack: true, isReportDue: true })).toEqual({ kind: 'none' });
    // Our own refund left by its own booking, however late its report is.
    expect(again({ isBack: true, isReportDue: false }, 'refunded')).toEqual({ kind: 'none' });
    expect(again({ isBack: true, isReportDue: false }, 'declined')).toEqual({ kind: 'reverse-returned' });
    expect(again({ isBack: false, isReportDue: true })).toEqual({ kind: 'none' });
    expect(again({ isBack: false, isReportDue: false })).toEqual({ kind: 'park', why: 'not-returned-yet' });
  }
});

test('[SRV-3] what comes back is kept where it had left, and waits for that elsewhere', () => {
  const back = report('returned', { providerRef: 'back', paidMinor: 500n, currency: 'INR' });
  const decided = (state: DepositState, paid: bigint | null) => decide({ ...open, state, paid }, back);
  for (const state of ['reversed', 'refunded', 'declined'] as const)
    expect(decided(state, 500n)).toMatchObject({ kind: 'suspend', to: state, review: 'returned', amount: 500n });
  for (const [state, paid] of [
    ['credited', 500n],
    ['late_paid', 500n],
    ['detected', 500n],
    ['declined', null],
  ] as const)
    expect(decided(state, paid)).toEqual({ kind: 'park', why: 'not-taken-back-yet' });
});

test('[SRV-3] a payment beside that is taken back leaves suspense where it lies there, and waits where nobody has told of it', () => {
  const gone = report('reversed', { providerRef: 'other' });
  const decided = (beside: MoneyThatLeft['beside']) =>
    decide({ ...open, state: 'credited', paid: 500n }, gone, undefined, { isBack: false, isReportDue: true, beside });
  expect(decided('there')).toEqual({ kind: 'unsuspend-beside' });
  expect(decided('gone')).toEqual({ kind: 'none' });
  expect(decided(undefined)).toEqual({ kind: 'park', why: 'not-paid-yet' });
});

describe('[DEP-11] a payment that was seen and has vanished', () => {
  const chain = {
    txid: 'one',
    blockchain: 'Bitcoin',
    cryptoCurrency: 'BTC',
    confirmations: 0,
    requiredConfirmations: 3,
  };
  const gone = report('vanished', { chain });
  const seen: JudgedDeposit = { ...open, state: 'detected', txid: 'one' };

  test('is forgotten, so that the deposit waits again', () => {
    expect(decide(seen, gone)).toEqual({ kind: 'forget' });
    expect(decide({ ...seen, state: 'confirming' }, gone)).toEqual({ kind: 'forget' });
  });

  test.each<[string, Partial<JudgedDeposit>]>([
    ['another transaction is shown', { txid: 'two' }],
    ['nothing was seen', { state: 'awaiting_payment', txid: null }],
    ['it was credited', { state: 'credited', paid: 500n }],
    ['people look at it', { review: 'late', paid: 500n }],
    ['the deposit has ended', { state: 'expired' }],
  ])('means nothing where %s', (_what, more) => {
    expect(decide({ ...seen, ...more }, gone)).toEqual({ kind: 'none' });
  });
});
