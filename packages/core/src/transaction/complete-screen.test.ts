import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CompleteScreenInput, completeScreen, statusOfAddress } from './complete-screen.ts';

const at = (now: number, input: Partial<CompleteScreenInput> = {}) =>
  completeScreen({ direction: 'deposit', kind: 'usual', openedAt: 0, now, ...input });

test('[DEP-15] a deposit waits, and is shown as accepted after one minute', () => {
  expect(at(0)).toMatchObject({ status: 'waiting', basis: 'start', changesAt: 60_000, action: 'none' });
  expect(at(59_999).status).toBe('waiting');
  expect(at(60_000)).toMatchObject({ status: 'accepted', basis: 'timer', changesAt: undefined, action: 'close' });
  expect(at(60_000, { report: { status: 0 } }).status).toBe('accepted');
});

test('[DEP-14] [DEP-15] on-ramp waits five minutes', () => {
  expect(at(299_999, { kind: 'onramp' })).toMatchObject({ status: 'waiting', changesAt: 300_000 });
  expect(at(300_000, { kind: 'onramp' }).status).toBe('accepted');
});

test('[DEP-15] [WD-3] a withdrawal starts accepted', () => {
  expect(at(0, { direction: 'withdrawal' })).toMatchObject({ status: 'accepted', basis: 'start' });
});

test('[DEP-15] a withdrawal that is waiting on the server is shown as waiting until the minute is over', () => {
  expect(at(0, { direction: 'withdrawal', report: { status: 0 } }).status).toBe('waiting');
});

test('[DEP-15] the address chooses among waiting, accepted and mistaked', () => {
  expect(at(0, { queryStatus: 'accepted' })).toMatchObject({ status: 'accepted', basis: 'address' });
  expect(at(0, { queryStatus: 'mistaked' })).toMatchObject({ status: 'mistaked', action: 'back-to-payment' });
  expect(at(0, { queryStatus: 'waiting', direction: 'withdrawal' }).status).toBe('waiting');
  expect(at(60_000, { queryStatus: 'waiting' }).status).toBe('accepted');
});

test.each(['processed', 'success', 'PROCESSED', '1', '', 'completed', '__proto__'])(
  '[DEP-15] the address cannot ask for %j',
  (queryStatus) => {
    expect(statusOfAddress(queryStatus)).toBeUndefined();
    expect(at(0, { queryStatus }).status).toBe('waiting');
  },
);

test('[DEP-15] the server’s final status overrides the address', () => {
  expect(at(0, { queryStatus: 'mistaked', report: { status: 1 } })).toMatchObject({
    status: 'processed',
    basis: 'server',
  });
  expect(at(0, { queryStatus: 'accepted', report: { status: 2 } })).toMatchObject({
    status: 'mistaked',
    basis: 'server',
  });
});

test('[DEP-15] crypto and own deposits follow the stored status and never the timer', () => {
  expect(at(3_600_000, { kind: 'stored' })).toMatchObject({ status: 'waiting', changesAt: undefined });
  expect(at(3_600_000, { kind: 'stored', report: { status: 0 } })).toMatchObject({
    status: 'waiting',
    basis: 'server',
  });
  expect(at(0, { kind: 'stored', report: { status: 77 } }).status).toBe('accepted');
});

test('an unknown outcome is being checked, and an address cannot show it as mistaken', () => {
  const report = { status: 0, isOutcomeUnknown: true };
  expect(at(0, { report, queryStatus: 'mistaked' })).toMatchObject({ status: 'waiting', isBeingChecked: true });
  expect(at(0, { report: { status: 1, isOutcomeUnknown: true } }).isBeingChecked).toBe(false);
  expect(at(0, { report: { status: 3, isLate: true } }).isLate).toBe(true);
});

const anyInput = fc.record({
  direction: fc.constantFrom('deposit', 'withdrawal'),
  kind: fc.constantFrom('usual', 'onramp', 'stored'),
  queryStatus: fc.option(
    fc.oneof(fc.constantFrom('waiting', 'accepted', 'mistaked', 'processed', 'success'), fc.string()),
  ),
  report: fc.option(fc.record({ status: fc.integer({ min: -1, max: 5 }), isOutcomeUnknown: fc.boolean() }), {
    nil: undefined,
  }),
  openedAt: fc.nat(),
  now: fc.nat(),
});

test('[DEP-15] processed is shown exactly when the server says so, whatever the address and the clock say', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      expect(completeScreen(input).status === 'processed').toBe(input.report?.status === 1);
    }),
    { numRuns: 2000 },
  );
});

test('a screen with a change time changes at that time, and not before', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const { status, changesAt } = completeScreen(input);
      if (changesAt === undefined) {
        expect(completeScreen({ ...input, now: input.now + 1e9 }).status).toBe(status);
      } else {
        expect(changesAt).toBeGreaterThan(input.now);
        expect(completeScreen({ ...input, now: changesAt - 1 }).status).toBe(status);
        expect(completeScreen({ ...input, now: changesAt }).status).not.toBe(status);
      }
    }),
    { numRuns: 2000 },
  );
});
