import type { Bonus } from '@opencashier/contract/api';
import { bonusSchema } from '@opencashier/contract/api';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { createWords } from '../languages/words.ts';
import { BonusFileError, createJsonBonuses } from './bonuses.ts';
import bundled from './data/bonuses.json' with { type: 'json' };

const NOW = Date.parse('2026-01-01T12:07:00.000Z');
const entry = {
  id: 'b',
  type: 'deposit',
  currency: 'USD',
  content: { title: 'Bonus' },
  depositBonusData: { minDeposit: '10', maxBonusAmount: '250', percent: 100, payoutMultiplier: 3, wagerMultiplier: 30 },
  operators: ['demo'],
};
const list = (
  entries: unknown,
  more: { now?: number; operatorId?: string; currency?: string } = {},
): readonly Bonus[] => createJsonBonuses(entries).list({ operatorId: 'demo', userId: 'ann', now: NOW, ...more });

describe('the bonuses of a file', () => {
  test('[UI-1] have titles in the requested language, or in English without a translation', () => {
    const words = createWords({ en: { bonus: 'Bonus' }, de: { bonus: 'Prämie' } });
    const titles = (language?: string) =>
      createJsonBonuses([entry], words)
        .list({ operatorId: 'demo', userId: 'ann', now: NOW, ...(language !== undefined && { language }) })
        .map(({ content }) => content);
    expect([titles(), titles('de-AT'), titles('fr')]).toEqual([
      [{ title: 'Bonus' }],
      [{ title: 'Prämie' }],
      [{ title: 'Bonus' }],
    ]);
  });

  test('belong to the operator and the currency, in the shape of the contract', () => {
    expect(list([entry])).toEqual([{ ...entry, operators: undefined }]);
    expect(list([entry], { operatorId: 'other' })).toEqual([]);
    expect(list([entry], { currency: 'EUR' })).toEqual([]);
    const all = list(bundled);
    expect(all.length).toBeGreaterThanOrEqual(12);
    expect(v.parse(v.array(bonusSchema), all)).toEqual(all);
  });

  test('[BON-2] end by the given clock; a round ends with its minutes, and the next round has another id', () => {
    expect(list([{ ...entry, endsAt: '2026-01-01T12:07:00.000Z' }])).toEqual([]);
    expect(list([{ ...entry, endsAt: '2026-01-01T12:07:00.001Z' }])).toHaveLength(1);
    const round = { ...entry, roundMinutes: 15 };
    const [now] = list([round]);
    expect(now?.mustAccruedBefore).toBe('2026-01-01T12:15:00.000Z');
    const [last] = list([round], { now: Date.parse('2026-01-01T12:14:59.999Z') });
    const [next] = list([round], { now: Date.parse('2026-01-01T12:15:00.000Z') });
    expect(last?.id).toBe(now?.id);
    expect(next?.id).not.toBe(now?.id);
  });

  test.each([
    ['a wrong shape', [{ ...entry, currency: 5 }], /0\.currency/],
    ['an unknown word', [{ ...entry, percnt: 1 }], /0\.percnt/],
    ['an id used twice', [entry, entry], /twice/],
  ])('%s stops the start with an error that names the place', (_what, entries, message) => {
    expect(() => createJsonBonuses(entries)).toThrow(BonusFileError);
    expect(() => createJsonBonuses(entries)).toThrow(message);
  });
});
