import { DEPOSIT_STATES } from '@opencashier/core/deposit/deposit-lifecycle';
import { expect, test } from 'vitest';
import { nextCheckDelayS } from './reconciliation-schedule.ts';

function allDelays(state: Parameters<typeof nextCheckDelayS>[0]): number[] {
  const delays: number[] = [];
  for (let checks = 0; ; checks += 1) {
    const delay = nextCheckDelayS(state, checks);
    if (delay === undefined) return delays;
    delays.push(delay);
    if (delays.length > 100_000) throw new Error('The schedule never ends');
  }
}

test('[SRV-3] the provider is asked about an unknown outcome at 10 s, 30 s, 2 min, 10 min, 1 h, then each 6 h, for 31 days', () => {
  const delays = allDelays('submitted_unknown');
  expect(delays.slice(0, 7)).toEqual([10, 30, 120, 600, 3600, 21_600, 21_600]);
  const total = delays.reduce((sum, delay) => sum + delay, 0);
  expect(total).toBeLessThanOrEqual(31 * 86_400);
  expect(total).toBeGreaterThan(30.5 * 86_400);
});

test('[SRV-3] a lost callback of an open deposit is repaired within five minutes', () => {
  expect(Math.max(...allDelays('awaiting_payment'))).toBeLessThan(300);
});

test('[SRV-3] the provider is asked about cancelled and expired deposits for 31 days, about final ones never', () => {
  expect(allDelays('expired').reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(30.5 * 86_400);
  const silent = DEPOSIT_STATES.filter((state) => nextCheckDelayS(state, 0) === undefined);
  expect(silent).toEqual(['declined', 'late_paid', 'credited', 'refunded', 'reversed']);
});
