import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canBringBack, type Standing } from './bring-back.ts';

const STATES = ['queued', 'filed', 'stopped', 'paid', 'declined', 'returned'] as const;
const STEPS = ['stopped', 'paid', 'declined', 'returned'] as const;

const standing: fc.Arbitrary<Standing> = fc.record({
  state: fc.constantFrom(...STATES),
  reason: fc.constantFrom(null, 'AC04', 'AM04', 'AM05'),
  fileId: fc.constantFrom(null, 'one', 'two'),
  files: fc.integer({ min: 0, max: 2 }),
});
const step = fc.constantFrom(...STEPS);

const filed: Standing = { state: 'filed', reason: null, fileId: 'one', files: 1 };

test('[WD-2] a dismissed step can always be brought back while nothing has moved its transfer', () => {
  fc.assert(
    fc.property(step, standing, (to, stood) => {
      expect(canBringBack(to, stood, { ...stood }, false)).toBe(true);
    }),
  );
});

test('[WD-2] no dismissed rejection or return is brought back once another file may have paid the transfer', () => {
  fc.assert(
    fc.property(step, standing, standing, (to, then, now) => {
      fc.pre(then.files !== now.files && to !== 'paid');
      expect(canBringBack(to, then, now, false)).toBe(false);
    }),
  );
});

test('[WD-2] a rejection never comes back after its transfer has moved', () => {
  fc.assert(
    fc.property(fc.constantFrom('stopped', 'declined'), standing, standing, (to, then, now) => {
      fc.pre(then.state !== now.state || then.reason !== now.reason);
      expect(canBringBack(to, then, now, false)).toBe(false);
    }),
  );
});

test('[WD-2] the news that the bank has paid counts until the transfer is paid, also after another file or a decline', () => {
  for (const state of ['stopped', 'declined'] as const) {
    expect(canBringBack('paid', filed, { ...filed, state, reason: 'AM05' }, false)).toBe(true);
  }
  expect(canBringBack('paid', filed, { ...filed, state: 'queued', reason: 'AM04', fileId: null }, false)).toBe(true);
  expect(canBringBack('paid', filed, { ...filed, fileId: 'two', files: 2 }, false)).toBe(true);
  for (const state of ['paid', 'returned'] as const) {
    expect(canBringBack('paid', filed, { ...filed, state }, false)).toBe(false);
  }
});

test('[WD-2] money comes back of a transfer that the same file has paid, and of no other', () => {
  const paid: Standing = { ...filed, state: 'paid' };
  expect(canBringBack('returned', filed, paid, false)).toBe(true);
  // Staff wanted to send it again, and the payment was brought back before a new file was made.
  expect(canBringBack('returned', filed, { ...paid, fileId: null }, false)).toBe(true);
  expect(canBringBack('returned', filed, { ...paid, fileId: 'two', files: 2 }, false)).toBe(false);
  // A new file has paid it that is gone again.
  const queued: Standing = { ...filed, state: 'queued', fileId: null };
  expect(canBringBack('returned', queued, { ...queued, state: 'paid', files: 2 }, false)).toBe(false);
  // Another message says that it is paid, and the payment that came back is dismissed.
  expect(canBringBack('returned', filed, paid, true)).toBe(false);
  for (const state of ['stopped', 'declined', 'returned'] as const) {
    expect(canBringBack('returned', filed, { ...filed, state }, false)).toBe(false);
  }
});
