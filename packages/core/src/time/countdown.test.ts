import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countdown, remainingParts } from './countdown.ts';

test('[DEP-5] counts from creation, with 600 s when the response has no lifetime', () => {
  expect(countdown({ createdAt: 1000, now: 1000 })).toMatchObject({
    minutes: 10,
    seconds: 0,
    expired: false,
    fraction: 1,
  });
  expect(countdown({ createdAt: 0, now: 128_000 })).toMatchObject({ minutes: 7, seconds: 52 });
  expect(countdown({ createdAt: 0, lifetimeS: 60, now: 60_000 })).toMatchObject({
    remainingMs: 0,
    expired: true,
    fraction: 0,
  });
});

test('[DEP-5] shows 0:00 only when no time is left', () => {
  expect(countdown({ createdAt: 0, lifetimeS: 1, now: 999 })).toMatchObject({ seconds: 1, expired: false });
});

test('is never negative, never more than the lifetime, and never rises as time passes', () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.integer({ min: 0, max: 1e6 }),
      fc.integer(),
      fc.nat(),
      (createdAt, lifetimeS, now, later) => {
        const first = countdown({ createdAt, lifetimeS, now });
        const second = countdown({ createdAt, lifetimeS, now: now + later });
        expect(first.remainingMs).toBeGreaterThanOrEqual(0);
        expect(first.remainingMs).toBeLessThanOrEqual(lifetimeS * 1000);
        expect(second.remainingMs).toBeLessThanOrEqual(first.remainingMs);
      },
    ),
  );
});

test('days, hours, minutes and seconds of a long countdown', () => {
  expect(remainingParts(2 * 86_400_000 + 3 * 3_600_000 + 4 * 60_000 + 4_500)).toEqual({
    days: 2,
    hours: 3,
    minutes: 4,
    seconds: 5,
  });
  expect(remainingParts(-5)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 });
});
