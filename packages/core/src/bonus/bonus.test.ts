import type { Bonus } from '@opencashier/contract/api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BonusInput,
  bonusBounds,
  bonusColour,
  bonusEligibility,
  bonusForCreate,
  isBonusOver,
  withoutExpired,
} from './bonus.ts';
import { bonusAmount } from './bonus-amount.ts';

const NOW = Date.UTC(2026, 0, 1);
const bonus = (id: string, more: Partial<Bonus> = {}): Bonus => ({
  id,
  type: 'deposit',
  currency: 'USD',
  content: { title: id },
  depositBonusData: {
    minDeposit: '20.00',
    maxBonusAmount: '333.33',
    percent: 150,
    payoutMultiplier: 3,
    wagerMultiplier: 30,
  },
  ...more,
});
const over = { mustAccruedBefore: '2025-12-31T00:00:00Z' };
const input = (more: Partial<BonusInput> = {}): BonusInput => ({
  bonus: bonus('1'),
  isEnabled: true,
  isRestricted: false,
  amount: { currency: 'USD', minor: 2000n },
  now: NOW,
  ...more,
});

test('[BON-1] deposit bonuses take colours by id, free spins have their own colour', () => {
  expect(['0', '1', '2', '3', '4'].map((id) => bonusColour({ id, type: 'deposit' }))).toEqual([
    'pink',
    'purple',
    'blue',
    'orange',
    'pink',
  ]);
  expect(bonusColour({ id: '1', type: 'freespin' })).toBe('freespin');
  expect(bonusColour({ id: 'summer', type: 'deposit' })).toBe(bonusColour({ id: 'summer', type: 'deposit' }));
});

describe('[BON-2] whether a bonus is selected and activated', () => {
  test('selected when enabled and chosen, activated from the minimum deposit on', () => {
    expect(bonusEligibility(input())).toEqual({ isSelected: true, isActivated: true, missing: undefined });
    expect(bonusEligibility(input({ amount: { currency: 'USD', minor: 1999n } }))).toEqual({
      isSelected: true,
      isActivated: false,
      missing: 1n,
    });
    expect(bonusEligibility(input({ amount: undefined }))).toMatchObject({ isSelected: true, isActivated: false });
  });

  test('never for a restricted method, switched off, ended, or in another currency', () => {
    expect(bonusEligibility(input({ isRestricted: true })).isActivated).toBe(false);
    expect(bonusEligibility(input({ isEnabled: false })).isSelected).toBe(false);
    expect(bonusEligibility(input({ bonus: bonus('1', over) })).isSelected).toBe(false);
    expect(bonusEligibility(input({ amount: { currency: 'EUR', minor: 9999n } })).isActivated).toBe(false);
    expect(bonusEligibility(input({ bonus: undefined })).isSelected).toBe(false);
  });

  test('free spins without a deposit activate with any amount, others from their minimum', () => {
    const freespinBonusData = { count: 10, minDeposit: '50', maxSpinWin: '1', payoutMultiplier: 1, wagerMultiplier: 1 };
    const spins = bonus('1', { type: 'freespin', freespinBonusData });
    expect(bonusEligibility(input({ bonus: spins })).missing).toBe(3000n);
    expect(bonusEligibility(input({ bonus: { ...spins, depositRequired: false } })).isActivated).toBe(true);
  });
});

describe('[BON-2] expiry', () => {
  test('a bonus ends at its instant, and a bonus with an unreadable date has ended', () => {
    expect(isBonusOver({ mustAccruedBefore: '2026-01-01T00:00:00Z' }, NOW)).toBe(true);
    expect(isBonusOver({ mustAccruedBefore: '2026-01-01T00:00:01Z' }, NOW)).toBe(false);
    expect(isBonusOver({ mustAccruedBefore: 'soon' }, NOW)).toBe(true);
    expect(isBonusOver({}, NOW)).toBe(false);
  });

  test('ended bonuses are removed, and a neighbour becomes active', () => {
    const shelf = (activeId: string, ...bonuses: Bonus[]) => withoutExpired({ bonuses, activeId }, NOW);
    expect(shelf('b', bonus('a'), bonus('b', over), bonus('c')).activeId).toBe('c');
    expect(shelf('b', bonus('z'), bonus('a'), bonus('b', over), bonus('c', over)).activeId).toBe('a');
    expect(shelf('b', bonus('b', over)).activeId).toBeUndefined();
    expect(shelf('a', bonus('a'), bonus('b', over))).toEqual({ bonuses: [bonus('a')], activeId: 'a' });
  });

  test('returns the same object when nothing expired', () => {
    const shelf = { bonuses: [bonus('a')], activeId: 'a' };
    expect(withoutExpired(shelf, NOW)).toBe(shelf);
  });
});

test('[BON-2] [BON-3] the bonus on screen at the tap goes into the call, or the user is asked again', () => {
  expect(bonusForCreate('1', input())).toEqual({ kind: 'apply', isActivatedBonus: true, bonusId: '1' });
  expect(bonusForCreate(undefined, input())).toEqual({ kind: 'none', isActivatedBonus: false });
  expect(bonusForCreate('1', input({ bonus: bonus('1', over) }))).toEqual({ kind: 'ask-again' });
  expect(bonusForCreate('1', input({ bonus: bonus('2') }))).toEqual({ kind: 'ask-again' });
});

test('[BON-3] max bonus and max withdrawal', () => {
  expect(bonusBounds(bonus('1'))).toEqual({
    maxBonus: { currency: 'USD', minor: 49_999n },
    maxWithdrawal: { currency: 'USD', minor: 149_900n },
  });
  const { depositBonusData: _data, ...bare } = bonus('1');
  expect(bonusBounds(bare)).toBeUndefined();
});

test('[BON-3] unusable numbers in a bonus give no bounds instead of an error', () => {
  fc.assert(
    fc.property(fc.double(), fc.double(), (percent, payoutMultiplier) => {
      const odd = bonus('1', {
        depositBonusData: {
          minDeposit: '1.00',
          maxBonusAmount: '9'.repeat(39),
          percent,
          payoutMultiplier,
          wagerMultiplier: 1,
        },
      });
      expect(() => bonusBounds(odd)).not.toThrow();
      expect(() => bonusAmount(odd, { currency: 'USD', minor: 10_000n })).not.toThrow();
    }),
  );
  const tiny = bonus('1', {
    depositBonusData: {
      minDeposit: '1.00',
      maxBonusAmount: '10.00',
      percent: 1e-50,
      payoutMultiplier: 1,
      wagerMultiplier: 1,
    },
  });
  expect(bonusBounds(tiny)).toBeUndefined();
});
