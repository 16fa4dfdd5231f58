import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  afterOwnCrash,
  afterSharedCrash,
  afterTerms,
  isProven,
  quarantineLimits as limits,
  type SuspectKey,
  type Suspects,
} from './crash-quarantine.ts';

const MINUTE = 60_000;
const none: Suspects = new Map();
const howOf = (suspects: Suspects, key: SuspectKey) => suspects.get(key)?.quarantine?.how;

/** Crashes of the shared process, one each second. */
function crashes(before: Suspects, inHand: readonly SuspectKey[], times: number, from = 0): Suspects {
  let suspects = before;
  for (let n = 0; n < times; n += 1) suspects = afterSharedCrash(suspects, inHand, from + n * 1_000);
  return suspects;
}

test('[SRV-9] the third crash with its calls in hand gives an operator a process of its own, for ten minutes', () => {
  expect(howOf(crashes(none, ['acme'], 2), 'acme')).toBeUndefined();
  const third = crashes(none, ['acme'], 3);
  expect(third.get('acme')?.quarantine).toEqual({ how: 'own-process', since: 2_000, until: 2_000 + 10 * MINUTE });
  expect(afterTerms(third, 2_000 + 10 * MINUTE - 1).get('acme')?.quarantine).toBeDefined();
  expect(afterTerms(third, 2_000 + 10 * MINUTE).get('acme')?.quarantine).toBeUndefined();
  expect(afterTerms(afterTerms(third, 2_000 + 10 * MINUTE), 30 * MINUTE).size).toBe(0);
});

test('[SRV-9] crashes that are further apart than the window put nobody into quarantine', () => {
  let suspects = none;
  for (let n = 0; n < 10; n += 1) suspects = afterSharedCrash(suspects, ['acme'], n * 8 * MINUTE);
  expect(suspects.get('acme')?.quarantine).toBeUndefined();
});

test('[SRV-9] a crash of its own process is proof: the time doubles up to an hour, and afterwards one crash is enough', () => {
  let suspects = crashes(none, ['acme', 'zeta'], 3);
  const terms = [20, 40, 60, 60].map((minutes, n) => {
    const now = (n + 1) * MINUTE;
    suspects = afterOwnCrash(suspects, 'acme', now);
    expect(suspects.get('acme')?.quarantine?.until).toBe(now + minutes * MINUTE);
    return now + minutes * MINUTE;
  });
  const end = terms.at(-1) ?? 0;
  suspects = afterTerms(suspects, end);
  expect([howOf(suspects, 'acme'), howOf(suspects, 'zeta')]).toEqual([undefined, undefined]);
  suspects = afterSharedCrash(suspects, ['acme', 'zeta'], end + 1_000);
  expect([howOf(suspects, 'acme'), howOf(suspects, 'zeta')]).toEqual(['own-process', undefined]);
  // After a day without a crash of its own, nothing is left.
  suspects = afterTerms(suspects, end + 2 * 60 * MINUTE);
  expect(afterTerms(suspects, end + limits.rememberMs).size).toBe(0);
});

test('[SRV-9] a fifth suspect is switched off while the four processes belong to proven ones, for a growing time', () => {
  const four = ['a', 'b', 'c', 'd'];
  let suspects = crashes(none, four, 3);
  for (const key of four) suspects = afterOwnCrash(suspects, key, 3_000);
  suspects = crashes(suspects, ['e', 'f'], 3, 4_000);
  expect(suspects.get('e')?.quarantine).toEqual({ how: 'off', since: 6_000, until: 6_000 + MINUTE });
  expect(howOf(suspects, 'f')).toBeUndefined();
  suspects = crashes(suspects, ['e'], 3, 6_000 + MINUTE);
  expect(suspects.get('e')?.quarantine?.until).toBe(8_000 + 3 * MINUTE);
});

test('[SRV-9] a suspect whose own process did not crash makes room for another after a minute', () => {
  const four = ['a', 'b', 'c', 'd'];
  let suspects = crashes(none, four, 3);
  suspects = crashes(suspects, ['e'], 3, 10_000);
  expect(howOf(suspects, 'e')).toBeUndefined();
  suspects = afterSharedCrash(suspects, ['e'], 2_000 + MINUTE);
  expect(['a', 'b', 'c', 'd', 'e'].map((key) => howOf(suspects, key) ?? 'shared')).toEqual([
    'shared',
    ...['own-process', 'own-process', 'own-process', 'own-process'],
  ]);
});

interface Run {
  readonly guilty: number;
  readonly innocent: number;
  /** For each step: the time that passes in ms, and whose calls are in hand, as bits. */
  readonly steps: readonly (readonly [pauseMs: number, busy: number])[];
}

/** Runs operators against the rule: a call of a guilty one crashes the process that it is in. */
function play({ guilty, innocent, steps }: Run, see: (suspects: Suspects, now: number) => void) {
  const keys = Array.from({ length: guilty + innocent }, (_, n) => (n < guilty ? `guilty-${n}` : `innocent-${n}`));
  let [now, shared] = [0, 0];
  let suspects: Suspects = none;
  for (const [pauseMs, bits] of steps) {
    now += pauseMs;
    suspects = afterTerms(suspects, now);
    const busy = keys.filter((_, n) => Math.floor(bits / 2 ** n) % 2 === 1);
    const together = busy.filter((key) => suspects.get(key)?.quarantine === undefined);
    for (const key of busy) {
      if (key.startsWith('guilty') && howOf(suspects, key) === 'own-process')
        suspects = afterOwnCrash(suspects, key, now);
    }
    if (together.some((key) => key.startsWith('guilty'))) {
      shared += 1;
      suspects = afterSharedCrash(suspects, together, now);
    }
    see(suspects, now);
  }
  return { suspects, shared, now };
}

const step = fc.tuple(fc.integer({ min: 1_000, max: 2 * MINUTE }), fc.nat(2 ** 20 - 1));

test('[SRV-9] nobody innocent is ever switched off, or longer than ten minutes in a process of its own', () => {
  const run = fc.record({
    guilty: fc.integer({ min: 0, max: limits.processes }),
    innocent: fc.integer({ min: 1, max: 16 }),
    steps: fc.array(step, { maxLength: 200 }),
  });
  fc.assert(
    fc.property(run, (one) => {
      play(one, (suspects) => {
        const apart = [...suspects].flatMap(([key, { quarantine }]) => (quarantine ? [{ key, ...quarantine }] : []));
        expect(apart.filter(({ how }) => how === 'own-process').length).toBeLessThanOrEqual(limits.processes);
        for (const { how, since, until } of apart.filter(({ key }) => key.startsWith('innocent'))) {
          expect(how).toBe('own-process');
          expect(until - since).toBeLessThanOrEqual(limits.firstTermMs);
        }
      });
    }),
  );
});

test('[SRV-9] whoever crashes alone is never refused: it keeps a process, and is tried again', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const always = steps.map(([pauseMs]) => [pauseMs, 1] as const);
      play({ guilty: 1, innocent: 0, steps: always }, (suspects) => {
        expect(howOf(suspects, 'guilty-0')).not.toBe('off');
      });
    }),
  );
});

test('[SRV-9] one guilty operator is found among many, and then the shared process crashes once an hour at most', () => {
  const run = fc.record({
    innocent: fc.integer({ min: 0, max: 16 }),
    pauses: fc.array(step, { minLength: 300, maxLength: 300 }),
  });
  fc.assert(
    fc.property(run, ({ innocent, pauses }) => {
      // The guilty one always has calls in hand. The others have some at random.
      const steps = pauses.map(([, bits], n) => [10_000 + (n % 3) * 1_000, bits | 1] as const);
      let provenAt: number | undefined;
      const crashed: number[] = [];
      let seen = 0;
      const { suspects, shared, now } = play({ guilty: 1, innocent, steps }, (state, at) => {
        const one = state.get('guilty-0');
        if (one !== undefined && isProven(one)) provenAt ??= at;
        if (one?.crashes.at(-1)?.at === at) crashed.push(at);
        seen += 1;
      });
      expect(seen).toBe(300);
      expect(provenAt).toBeDefined();
      expect(suspects.get('guilty-0')?.quarantine?.how).toBe('own-process');
      const after = crashed.filter((at) => at > (provenAt ?? 0));
      expect(after.length).toBeLessThanOrEqual(Math.ceil((now - (provenAt ?? 0)) / limits.firstTermMs));
      expect(shared).toBeLessThan(60);
    }),
  );
});

test('[SRV-9] at most a thousand suspects are kept, and those in quarantine stay', () => {
  let suspects = crashes(none, ['acme'], 3);
  for (let n = 0; n < 30; n += 1) {
    suspects = afterSharedCrash(
      suspects,
      Array.from({ length: 100 }, (_, one) => `operator-${n}-${one}`),
      4_000 + n,
    );
  }
  expect(suspects.size).toBe(1_000);
  expect(howOf(suspects, 'acme')).toBe('own-process');
});
