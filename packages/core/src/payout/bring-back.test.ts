import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canBringBack, type Standing } from './bring-back.ts';

const STATES = ['queued', 'filed', 'stopped', 'paid', 'declined', 'returned'] as const;
const STEPS = ['stopped', 'paid', 'declined', 'returned'] as const;

const standing: fc.Arbitrary<Standing> = fc.record({
  state: fc.constantFrom(...STATES),
  reason: fc.constantFrom(null, 'AC04', 'AM04', 'AM05'),
  fileId: fc.constantFrom(null, 'one', 'two'),
});
const step = fc.constantFrom(...STEPS);

const filed: Standing = { state: 'filed', reason: null, fileId: 'one' };

test('[WD-2] a dismissed step can always be brought back while nothing has moved its transfer', () => {
  fc.assert(
    fc.property(step, standing, (to, stood) => {
      expect(canBringBack(to, stood, { ...stood })).toBe(true);
    }),
  );
});

test('[WD-2] no dismissed rejection or return is brought back once another file may have paid the transfer', () => {
  fc.assert(
    fc.property(step, standing, standing, (to, then, now) => {
      fc.pre(then.fileId !== now.fileId && to !== 'paid');
      expect(canBringBack(to, then, now)).toBe(false);
    }),
  );
});

test('[WD-2] a rejection never comes back after its transfer has moved', () => {
  fc.assert(
    fc.property(fc.constantFrom('stopped', 'declined'), standing, standing, (to, then, now) => {
      fc.pre(then.state !== now.state || then.reason !== now.reason);
      expect(canBringBack(to, then, now)).toBe(false);
    }),
  );
});

test('[WD-2] the news that the bank has paid counts until the transfer is paid, also after another file or a decline', () => {
  for (const state of ['stopped', 'declined'] as const) {
    expect(canBringBack('paid', filed, { state, reason: 'AM05', fileId: 'one' })).toBe(true);
  }
  expect(canBringBack('paid', filed, { state: 'queued', reason: 'AM04', fileId: null })).toBe(true);
  expect(canBringBack('paid', filed, { ...filed, fileId: 'two' })).toBe(true);
  for (const state of ['paid', 'returned'] as const) {
    expect(canBringBack('paid', filed, { ...filed, state })).toBe(false);
  }
});

test('[WD-2] money comes back of a transfer that the same file has paid, and of no other', () => {
  expect(canBringBack('returned', filed, { ...filed, state: 'paid' })).toBe(true);
  expect(canBringBack('returned', filed, { state: 'paid', reason: null, fileId: 'two' })).toBe(false);
  for (const state of ['stopped', 'declined', 'returned'] as const) {
    expect(canBringBack('returned', filed, { ...filed, state })).toBe(false);
  }
});
