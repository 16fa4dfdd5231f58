import type { Transaction } from '@opencashier/contract/api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type InvoiceEffect,
  type InvoiceEvent,
  type InvoiceState,
  moveInvoice,
  openInvoice,
  outcomeOf,
} from './model.ts';

const report = (second: number, more: Partial<Transaction> = {}): Transaction => ({
  depositId: 'd1',
  paymentMethod: 'p2p_imps',
  status: 0,
  amount: '1500.00',
  currency: 'INR',
  created: '2026-01-01T00:00:00Z',
  serverTime: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
  ...more,
});

function run(events: readonly InvoiceEvent[], start: InvoiceState = openInvoice) {
  const effects: InvoiceEffect[] = [];
  const state = events.reduce((before, event) => {
    const move = moveInvoice(before, event);
    effects.push(...move.effects);
    return move.state;
  }, start);
  return { state, effects };
}

describe('[DEP-11] how a report of the server ends an invoice', () => {
  test.each([
    [{ remoteStatus: 'PAYED' }, 'processing'],
    [{ remoteStatus: 'CANCELED' }, 'mistaked'],
    [{ remoteStatus: 'AUTO_CANCELED' }, 'mistaked'],
    [{ remoteStatus: 'CREATED' }, undefined],
    [{ remoteStatus: 'CANCELED', isOutcomeUnknown: true }, undefined],
    [{ remoteStatus: 'PAYED', status: 1 }, 'processed'],
    [{ remoteStatus: 'CANCELED', status: 3 }, 'processing'],
    [{ remoteStatus: 'CANCELED', status: 3, isLate: true }, 'late'],
    [{ remoteStatus: 'PAYED', status: 2 }, 'mistaked'],
    [{ status: 42 }, 'processing'],
    [{}, undefined],
  ])('%o %s', (word, outcome) => {
    expect(outcomeOf(report(1, word))).toBe(outcome);
  });
});

describe('[DEP-11] presses of the user and the end of the time', () => {
  test('the end of the time cancels once, and the server’s confirmation ends the invoice', () => {
    const { state, effects } = run([
      { type: 'expired' },
      { type: 'expired' },
      { type: 'cancel-pressed' },
      { type: 'cancelled', isCancelled: true, report: report(900, { status: 2 }) },
    ]);
    expect(effects).toEqual([{ type: 'cancel' }]);
    expect(state).toMatchObject({ at: 'finished', outcome: 'mistaked', cause: 'expiry' });
  });

  test('a payment at 14:59 beats the cancel of 15:00', () => {
    const { state } = run([
      { type: 'expired' },
      { type: 'cancelled', isCancelled: false, report: report(900, { remoteStatus: 'PAYED' }) },
    ]);
    expect(state).toMatchObject({ at: 'finished', outcome: 'processing' });
  });

  test('a cancel without an answer ends nothing: the time is over and the poll continues', () => {
    const { state, effects } = run([{ type: 'expired' }, { type: 'cancel-failed', isUnsent: true }]);
    expect(state.at).toBe('expired');
    expect(effects).toEqual([{ type: 'cancel' }]);
    expect(run([{ type: 'paid-pressed', confirmationId: undefined }], state).state.at).toBe('expired');
  });

  test('an unanswered cancel of the payer leaves the invoice open', () => {
    const { state, effects } = run([{ type: 'cancel-pressed' }, { type: 'cancel-failed', isUnsent: true }]);
    expect(state.at).toBe('open');
    expect(effects).toEqual([{ type: 'cancel' }, { type: 'say-no-connection' }]);
    const lost = run([{ type: 'cancel-pressed' }, { type: 'cancel-failed', isUnsent: false }]);
    expect([lost.state.at, lost.effects.at(-1)]).toEqual(['open', { type: 'say-unanswered' }]);
  });

  test('after "I have paid" this device’s clock cancels nothing', () => {
    const { effects } = run([
      { type: 'paid-pressed', confirmationId: '12345678' },
      { type: 'expired' },
      { type: 'paid-answered', report: report(10) },
      { type: 'expired' },
    ]);
    expect(effects).toEqual([{ type: 'complete', confirmationId: '12345678' }]);
  });

  test('an unanswered "I have paid" can be repeated, and nothing cancels the invoice', () => {
    const { state, effects } = run([
      { type: 'paid-pressed', confirmationId: undefined },
      { type: 'paid-failed', fault: { kind: 'unanswered' } },
      { type: 'expired' },
      { type: 'cancel-pressed' },
    ]);
    expect(state.at).toBe('unanswered');
    expect(effects).toEqual([{ type: 'complete', confirmationId: undefined }]);
    const again = run(
      [
        { type: 'paid-pressed', confirmationId: undefined },
        { type: 'paid-answered', report: report(9) },
      ],
      state,
    );
    expect(again.state.at).toBe('reported-paid');
    expect(again.effects).toEqual([{ type: 'complete', confirmationId: undefined }]);
  });

  test('a refused "I have paid" leaves the invoice open; a changed deposit leads to its status', () => {
    const press = { type: 'paid-pressed', confirmationId: undefined } as const;
    const refused = run([press, { type: 'paid-failed', fault: { kind: 'refused', code: 'rate-limited' } }]);
    expect(refused.state).toMatchObject({ at: 'open', refusedCode: 'rate-limited' });
    // The payer has pressed the button, so the widget never cancels by itself.
    const late = run([{ type: 'expired', isPaidPressed: true }], refused.state);
    expect([late.state.at, late.effects]).toEqual(['unanswered', []]);
    const changed = run([press, { type: 'paid-failed', fault: { kind: 'changed' } }]);
    expect(changed.effects.at(-1)).toEqual({ type: 'show-status' });
  });

  test('a late payment is shown after a cancel', () => {
    const { state } = run([
      { type: 'cancel-pressed' },
      { type: 'cancelled', isCancelled: true, report: report(20, { status: 2 }) },
      { type: 'reported', report: report(30, { status: 3, isLate: true }) },
    ]);
    expect(state).toMatchObject({ at: 'finished', outcome: 'late' });
  });
});

/** Every way a deposit can go at the server, each as the words it would say one after the other. */
const histories: readonly Partial<Transaction>[][] = [
  [{}, { remoteStatus: 'PAYED' }, { remoteStatus: 'PAYED', status: 1 }],
  [{}, { remoteStatus: 'PAYED' }],
  [{}, { status: 2, remoteStatus: 'CANCELED' }],
  [{}, { status: 2, remoteStatus: 'AUTO_CANCELED' }],
  [{}, { remoteStatus: 'AUTO_CANCELED' }, { status: 2, remoteStatus: 'AUTO_CANCELED' }],
  [{}, { status: 2 }, { status: 3, isLate: true }],
  [{}, { status: 2, remoteStatus: 'CANCELED' }, { status: 3, isLate: true }, { status: 1, isLate: true }],
  [{}, { isOutcomeUnknown: true }, { remoteStatus: 'PAYED' }],
];

interface Race {
  readonly words: readonly Transaction[];
  readonly events: readonly InvoiceEvent[];
}

/** One history, its words delivered in any order, some twice and some never, between presses, expiry and lost answers. */
const race: fc.Arbitrary<Race> = fc.constantFrom(...histories).chain((history) => {
  const words = history.map((word, index) => report(index + 1, word));
  const heard = fc.constantFrom(...words).chain((word) =>
    fc.constantFrom<InvoiceEvent>(
      { type: 'reported', report: word },
      { type: 'paid-answered', report: word },
      // The server answers a cancel truthfully: cancelled is what its word says.
      { type: 'cancelled', isCancelled: word.status === 2, report: word },
    ),
  );
  const own = fc.constantFrom<InvoiceEvent>(
    { type: 'expired' },
    { type: 'cancel-pressed' },
    { type: 'cancel-failed', isUnsent: true },
    { type: 'paid-pressed', confirmationId: undefined },
    { type: 'paid-failed', fault: { kind: 'unanswered' } },
    { type: 'paid-failed', fault: { kind: 'refused', code: 'rate-limited' } },
  );
  return fc.array(fc.oneof(heard, own), { maxLength: 14 }).map((events) => ({ words, events }));
});

const isPaid = ({ status, remoteStatus }: Transaction) => status === 1 || status === 3 || remoteStatus === 'PAYED';

describe('[DEP-11] races of paid, cancel and auto-cancel, in every order', () => {
  test('success is shown only after a credit in the ledger', () => {
    fc.assert(
      fc.property(race, ({ events }) => {
        const { state } = run(events);
        const heard = events.some((event) => 'report' in event && event.report?.status === 1);
        if (state.at === 'finished' && state.outcome === 'processed') expect(heard).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('a reported payment is never shown as cancelled', () => {
    fc.assert(
      fc.property(race, ({ events }) => {
        const { state } = run(events);
        if (events.some((event) => 'report' in event && event.report !== undefined && isPaid(event.report))) {
          expect(state).toMatchObject({ at: 'finished' });
          if (state.at === 'finished') expect(state.outcome).not.toBe('mistaked');
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('after any events the last report of the server decides the only outcome', () => {
    fc.assert(
      fc.property(race, ({ events, words }) => {
        const last = words.at(-1);
        if (last === undefined) throw new Error('A history has words');
        const { state } = run([...events, { type: 'reported', report: last }]);
        expect(state).toMatchObject({ at: 'finished', outcome: outcomeOf(last) });
        // Nothing that can still happen moves it: not the user, not the clock, not an older word.
        const after = run(
          [
            ...events,
            { type: 'expired' },
            { type: 'cancel-pressed' },
            { type: 'paid-pressed', confirmationId: undefined },
            ...words.map((word): InvoiceEvent => ({ type: 'reported', report: word })),
          ],
          state,
        );
        expect(after.state).toEqual(state);
        expect(after.effects).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  test('after an unanswered "I have paid" the widget never cancels', () => {
    fc.assert(
      fc.property(race, ({ events }) => {
        const { effects } = run(events, { at: 'unanswered', report: undefined });
        const first = effects.findIndex(({ type }) => type === 'cancel');
        // Only a refusal by the server opens the invoice again, and then it is the user who cancels.
        if (first !== -1)
          expect(effects.slice(0, first)).toContainEqual({ type: 'complete', confirmationId: undefined });
      }),
    );
  });

  test('at most one call is in progress, and only an invoice that can be paid starts one', () => {
    fc.assert(
      fc.property(race, ({ events }) => {
        let state = openInvoice;
        for (const event of events) {
          const move = moveInvoice(state, event);
          for (const effect of move.effects) {
            if (effect.type === 'cancel') expect(state.at).toBe('open');
            if (effect.type === 'complete') expect(['open', 'unanswered']).toContain(state.at);
          }
          state = move.state;
        }
      }),
    );
  });
});
