import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIRST_PART, LONGEST_PAUSE_S, nextPart, type PartPlan, sizeOfPart, TRIES_OF_PART } from './message-parts.ts';

const FULL = 200;

/** Takes the steps 0 to `count` - 1, of which the database refuses some. */
function applyAll(count: number, refused: ReadonlySet<number>) {
  let left = Array.from({ length: count }, (_, n) => n);
  let plan: PartPlan = FIRST_PART;
  const applied: number[] = [];
  const aside: number[] = [];
  const pauses: number[] = [];
  let parts = 0;
  while (left.length > 0) {
    parts += 1;
    if (parts > 100_000) throw new Error('It does not end');
    const part = left.slice(0, sizeOfPart(plan, FULL));
    const isRefused = part.some((n) => refused.has(n));
    const next = nextPart(plan, isRefused ? 'refused' : 'applied', part.length);
    if (!isRefused) applied.push(...part);
    if (next.isRefusedStep) aside.push(...part);
    if (!isRefused || next.isRefusedStep) left = left.slice(part.length);
    if (isRefused) pauses.push(next.pauseS);
    ({ plan } = next);
  }
  return { applied, aside, pauses, parts };
}

test('[WD-2] every refused step is set aside, every other one is applied once, in order, with few parts', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.uniqueArray(fc.nat(999), { maxLength: 8 }),
      (count, someRefused) => {
        const refused = new Set(someRefused.filter((n) => n < count));
        const { applied, aside, parts } = applyAll(count, refused);
        expect(aside).toEqual([...refused].sort((a, b) => a - b));
        expect(applied).toEqual(Array.from({ length: count }, (_, n) => n).filter((n) => !refused.has(n)));
        // For each refused step: five tries of the full part, and a search of at most nine parts.
        expect(parts).toBeLessThanOrEqual(Math.ceil(count / FULL) + refused.size * (TRIES_OF_PART + 9));
      },
    ),
  );
});

test('[WD-2] a part is tried five times with growing pauses, then its halves follow at once until the refused step is alone', () => {
  const { aside, pauses, applied } = applyAll(200, new Set([137]));
  expect([aside, applied.length]).toEqual([[137], 199]);
  expect(pauses.slice(0, TRIES_OF_PART - 1)).toEqual([2, 4, 8, 16]);
  expect(pauses.slice(TRIES_OF_PART - 1).every((pause) => pause === 0)).toBe(true);
});

test('[WD-2] steps that are refused one after the other are set aside more and more slowly', () => {
  const { pauses, aside } = applyAll(12, new Set(Array.from({ length: 12 }, (_, n) => n)));
  expect(aside).toHaveLength(12);
  expect(pauses.filter((pause) => pause > 0).slice(-11)).toEqual([
    2,
    4,
    8,
    16,
    32,
    64,
    128,
    256,
    512,
    LONGEST_PAUSE_S,
    LONGEST_PAUSE_S,
  ]);
});

test('[WD-2] steps of which every second one is refused are set aside more and more slowly, too', () => {
  const { pauses, aside, applied } = applyAll(40, new Set(Array.from({ length: 20 }, (_, n) => 2 * n)));
  expect([aside.length, applied.length]).toEqual([20, 20]);
  expect(pauses.filter((pause) => pause > 0).slice(TRIES_OF_PART - 1, TRIES_OF_PART + 3)).toEqual([2, 4, 8, 16]);
});

test('[WD-2] lost connections are no tries: a single step is refused five times before it is set aside', () => {
  let plan: PartPlan = FIRST_PART;
  for (let tries = 0; tries < 20; tries += 1) ({ plan } = nextPart(plan, 'failed', 1));
  for (let tries = 1; tries < TRIES_OF_PART; tries += 1) {
    const next = nextPart(plan, 'refused', 1);
    expect(next).toMatchObject({ isRefusedStep: false, pauseS: LONGEST_PAUSE_S });
    ({ plan } = next);
  }
  expect(nextPart(plan, 'refused', 1).isRefusedStep).toBe(true);
});

test('[WD-2] a failure that is no refusal only waits longer, however often it comes', () => {
  let plan: PartPlan = FIRST_PART;
  for (let tries = 1; tries < 100; tries += 1) {
    const next = nextPart(plan, 'failed', FULL);
    expect(next).toMatchObject({ isRefusedStep: false, pauseS: Math.min(2 ** tries, LONGEST_PAUSE_S) });
    expect(next.plan.suspects).toBeNull();
    ({ plan } = next);
  }
  expect(nextPart(plan, 'applied', FULL)).toEqual({ plan: FIRST_PART, pauseS: 0, isRefusedStep: false });
});
