import { bonusSchema } from '@opencashier/contract/api';
import { type OwnBonus, ownBonusesSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { createWords } from '../languages/words.ts';
import { checkBonuses } from './check-bonuses.ts';
import bundled from './data/bonuses.json' with { type: 'json' };
import { type Offer, offeredBonuses } from './offered-bonuses.ts';

const NOW = Date.parse('2026-01-01T12:07:00.000Z');
const terms = { minDeposit: '10', maxBonusAmount: '250', percent: 100, payoutMultiplier: 3, wagerMultiplier: 30 };
const own: OwnBonus = {
  id: 'b',
  type: 'deposit',
  currency: 'USD',
  title: { en: 'Bonus' },
  depositBonusData: terms,
};
const offered = (bonuses: readonly OwnBonus[], more: Partial<Offer> = {}) =>
  offeredBonuses(bonuses, { now: NOW, language: 'en', words: () => undefined, ...more });

describe('offered bonuses', () => {
  test('[UI-1] have the operator’s own title in a language, or the shipped one, or English', () => {
    const words = createWords({ en: { bonus: 'Bonus' }, de: { bonus: 'Prämie' }, pt: { bonus: 'Bónus' } });
    const titled = { ...own, title: { en: 'Bonus', pt: 'Oferta' }, subtitle: { en: 'More' } };
    const contents = ['en', 'de-AT', 'pt', 'pt-BR', 'fr'].map(
      (language) => offered([titled], { language, words })[0]?.content,
    );
    const titles = ['Bonus', 'Prämie', 'Oferta', 'Oferta', 'Bonus'];
    expect(contents).toEqual(titles.map((title) => ({ title, subtitle: 'More' })));
  });

  test('are those of the currency, in the shape of the contract', () => {
    const { title: _title, ...shown } = own;
    expect(offered([own])).toEqual([{ ...shown, content: { title: 'Bonus' } }]);
    expect(offered([own], { currency: 'EUR' })).toEqual([]);
    const all = offered(v.parse(ownBonusesSchema, bundled));
    expect(all.length).toBeGreaterThanOrEqual(12);
    expect(v.parse(v.array(bonusSchema), all)).toEqual(all);
  });

  test('[BON-2] begin and end by the given clock', () => {
    expect(offered([{ ...own, startsAt: '2026-01-01T12:07:00.001Z' }])).toEqual([]);
    expect(offered([{ ...own, startsAt: '2026-01-01T12:07:00Z' }])).toHaveLength(1);
    expect(offered([{ ...own, endsAt: '2026-01-01T12:07:00.000Z' }])).toEqual([]);
    const [last] = offered([{ ...own, endsAt: '2026-01-01T15:07:00.001+03:00' }]);
    expect(last?.mustAccruedBefore).toBe('2026-01-01T12:07:00.001Z');
  });

  test('[BON-2] a round ends with its minutes or with the bonus, and the next round has another id', () => {
    const round = { ...own, roundMinutes: 15 };
    const [now] = offered([round]);
    expect(now?.mustAccruedBefore).toBe('2026-01-01T12:15:00.000Z');
    const [last] = offered([round], { now: Date.parse('2026-01-01T12:14:59.999Z') });
    const [next] = offered([round], { now: Date.parse('2026-01-01T12:15:00.000Z') });
    expect(last?.id).toBe(now?.id);
    expect(next?.id).not.toBe(now?.id);
    const [short] = offered([{ ...round, endsAt: '2026-01-01T12:10:00Z' }]);
    expect([short?.id, short?.mustAccruedBefore]).toEqual([now?.id, '2026-01-01T12:10:00.000Z']);
  });
});

describe('the check of bonuses', () => {
  const pathsOf = (...bonuses: readonly OwnBonus[]) => checkBonuses(bonuses).map(({ path }) => path);

  test('accepts those of the sandbox', () => {
    expect(checkBonuses(v.parse(ownBonusesSchema, bundled))).toEqual([]);
  });

  test.each<[what: string, wrong: Partial<OwnBonus>, path: string]>([
    ['an unknown currency', { currency: 'USX' }, 'currency'],
    ['no English title', { title: { de: 'Prämie' } }, 'title'],
    ['no English subtitle', { subtitle: {} }, 'subtitle'],
    ['a type without its terms', { depositBonusData: undefined }, 'depositBonusData'],
    ['a type with a property of the other', { depositRequired: true }, 'depositRequired'],
    [
      'more decimals than the currency has',
      { depositBonusData: { ...terms, minDeposit: '9.999' } },
      'depositBonusData.minDeposit',
    ],
    ['no bonus at all', { depositBonusData: { ...terms, maxBonusAmount: '0' } }, 'depositBonusData.maxBonusAmount'],
    ['a percentage above the bound', { depositBonusData: { ...terms, percent: 1001 } }, 'depositBonusData.percent'],
    ['a percentage of zero', { depositBonusData: { ...terms, percent: 0 } }, 'depositBonusData.percent'],
    ['an end before the start', { startsAt: '2026-01-02T00:00:00Z', endsAt: '2026-01-01T00:00:00Z' }, 'endsAt'],
  ])('[SRV-1] names %s', (_what, wrong, path) => {
    expect(pathsOf(own, { ...own, id: 'c', ...wrong })).toEqual([`bonuses.1.${path}`]);
  });

  test('[SRV-1] names an id that two bonuses, or a bonus and a round, would have', () => {
    expect(pathsOf(own, own)).toEqual(['bonuses.1.id']);
    expect(pathsOf({ ...own, id: 'b-17' }, { ...own, roundMinutes: 15 })).toEqual(['bonuses.0.id']);
    expect(pathsOf({ ...own, id: 'b-17' }, own)).toEqual([]);
  });
});
