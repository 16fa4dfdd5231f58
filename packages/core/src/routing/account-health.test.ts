import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AccountHealth,
  beginTry,
  endTry,
  FAILURES_TO_DEMOTE,
  FIRST_PAUSE_MS,
  healthFacts,
  JUDGED_TRIES,
  LONGEST_PAUSE_MS,
  LONGEST_TRY_MS,
  mergeHealth,
  PROBES_TO_RECOVER,
  REMEMBERED_TRIES,
  SILENT_TRIES,
  type TryOutcome,
  UNTRIED,
} from './account-health.ts';

const NOW = 1_000_000;
const outcome = fc.constantFrom<TryOutcome>('accepted', 'declined', 'failed', 'unknown');

function after(outcomes: readonly TryOutcome[], from: AccountHealth = UNTRIED, now = NOW): AccountHealth {
  return outcomes.reduce((health, one) => endTry(beginTry(health, now), one, now), from);
}
const times = (count: number, one: TryOutcome): TryOutcome[] => Array.from({ length: count }, () => one);
const demoted = after(times(FAILURES_TO_DEMOTE, 'failed'));

describe('demotion', () => {
  test('[SRV-4] an account that only fails is left within twenty tries, whatever it did before', () => {
    const failing = fc.constantFrom<TryOutcome>('failed', 'unknown', 'declined');
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<TryOutcome>('accepted', 'declined'), { maxLength: 60 }),
        fc.array(failing, { minLength: JUDGED_TRIES, maxLength: JUDGED_TRIES }),
        (before, tries) => {
          expect(after(tries, after(before)).demotedUntil).not.toBeNull();
        },
      ),
    );
  });

  test('[SRV-4] eight failures are enough, and seven are not', () => {
    expect(healthFacts(after(times(FAILURES_TO_DEMOTE - 1, 'failed')), NOW).phase).toBe('well');
    expect(healthFacts(demoted, NOW).phase).toBe('demoted');
  });

  test('[SRV-4] declines of payers demote nobody as long as others are accepted', () => {
    const mixed = Array.from({ length: 60 }, (_, at): TryOutcome => (at % 5 === 0 ? 'accepted' : 'declined'));
    expect(healthFacts(after(mixed), NOW).phase).toBe('well');
  });

  test('[SRV-4] tries without any answer leave the account behind before one has ended', () => {
    let health = UNTRIED;
    for (let tries = 0; tries < SILENT_TRIES; tries += 1) health = beginTry(health, NOW);
    expect(healthFacts(health, NOW).isSilent).toBe(true);
    expect(healthFacts(endTry(health, 'accepted', NOW), NOW).isSilent).toBe(false);
    // Nobody tries a silent account, so its silence ends with the longest call, also when an end was never told.
    expect(healthFacts(health, NOW + LONGEST_TRY_MS + 1).isSilent).toBe(false);
    expect(beginTry(health, NOW + LONGEST_TRY_MS + 1).unanswered).toBe(1);
  });
});

describe('recovery', () => {
  const inProbe = NOW + FIRST_PAUSE_MS;

  test('[SRV-4] after the pause it is probed, and accepted probes bring it back', () => {
    expect(healthFacts(demoted, inProbe - 1).phase).toBe('demoted');
    expect(healthFacts(demoted, inProbe).phase).toBe('probing');
    const back = after(times(PROBES_TO_RECOVER, 'accepted'), demoted, inProbe);
    expect(healthFacts(back, inProbe)).toEqual({ phase: 'well', tries: 2, accepted: 2, isSilent: false });
    expect(after(['failed'], back, inProbe).demotedUntil).toBeNull();
  });

  test('[SRV-4] each probe that fails doubles the pause, up to a quarter of an hour', () => {
    let [health, now] = [demoted, NOW];
    const pauses: number[] = [];
    for (let probes = 0; probes < 8; probes += 1) {
      now = health.demotedUntil ?? now;
      health = after(['unknown'], health, now);
      pauses.push((health.demotedUntil ?? 0) - now);
    }
    expect(pauses.slice(0, 3)).toEqual([2, 4, 8].map((factor) => factor * FIRST_PAUSE_MS));
    expect(pauses.at(-1)).toBe(LONGEST_PAUSE_MS);
  });

  test('[SRV-4] what ends during the pause began before, so it changes no phase', () => {
    expect(after(['accepted', 'accepted', 'accepted', 'failed'], demoted, NOW + 1)).toMatchObject({
      demotedUntil: demoted.demotedUntil,
      probesAccepted: 0,
    });
  });

  test('[SRV-4] a decline is no accepted probe and no failed one', () => {
    expect(after(['declined', 'declined'], demoted, inProbe)).toMatchObject({
      demotedUntil: inProbe,
      probesAccepted: 0,
    });
  });

  test('[SRV-4] a provider that declines everything is left again by its next decline', () => {
    const useless = after(times(JUDGED_TRIES, 'declined'));
    expect(useless.demotions).toBe(1);
    expect(after(['declined'], useless, inProbe).demotions).toBe(2);
  });

  test('[SRV-4] an account that works again always comes back', () => {
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 100 }), (before) => {
        let [health, now] = [UNTRIED, NOW];
        for (const one of before) [health, now] = [endTry(health, one, now), now + 30_000];
        const later = now + LONGEST_PAUSE_MS;
        expect(healthFacts(after(times(PROBES_TO_RECOVER, 'accepted'), health, later), later).phase).toBe('well');
      }),
    );
  });
});

test('[SRV-4] the memory of an account has a bound', () => {
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 200 }), (tries) => {
      expect(after(tries).outcomes.length).toBeLessThanOrEqual(REMEMBERED_TRIES);
    }),
  );
});

describe('two nodes', () => {
  test('[SRV-4] the later change of the phase counts on both', () => {
    const recovered = after(times(PROBES_TO_RECOVER, 'accepted'), demoted, NOW + FIRST_PAUSE_MS);
    expect(mergeHealth(UNTRIED, demoted).demotedUntil).toBe(demoted.demotedUntil);
    expect(mergeHealth(demoted, recovered).demotedUntil).toBeNull();
    expect(mergeHealth(recovered, demoted)).toEqual(recovered);
    // The failures before the recovery do not come back with the memory of another node.
    expect(endTry(mergeHealth(recovered, demoted), 'failed', NOW + FIRST_PAUSE_MS).demotedUntil).toBeNull();
  });

  test('[SRV-4] waiting tries of another node are not counted here', () => {
    expect(mergeHealth(UNTRIED, { ...demoted, unanswered: 30 }).unanswered).toBe(0);
  });
});
