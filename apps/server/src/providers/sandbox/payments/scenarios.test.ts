import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decisions, endingScenarios, entryOf, factsAfterDecision, pageScenario, scenarioOf } from './scenarios.ts';

describe('scenarios', () => {
  test.each([
    [2_501n, 'declined-at-create'],
    [2_502n, 'provider-error'],
    [2_503n, 'unknown-then-paid'],
    [2_504n, 'unknown-for-ever'],
    [2_505n, 'approved-at-once'],
    [2_506n, 'approved-after-6-s'],
    [2_507n, 'paid-half'],
    [2_508n, 'duplicate-callbacks'],
    [2_509n, 'out-of-order-callbacks'],
    [2_510n, 'declined-after-page'],
    [2_511n, 'forged-callback-first'],
    [2_512n, 'expired'],
    [2_513n, 'paid-then-reversed'],
    [2_514n, 'message-for-the-person'],
    [2_515n, 'paid-after-expiry'],
    [2_500n, 'page'],
    [2_516n, 'insufficient-funds'],
    [2_528n, 'stolen-card'],
    [2_529n, 'refund-declined'],
    [2_530n, 'page'],
    [2_531n, 'dispute-won'],
    [2_599n, 'page'],
    [100_005n, 'approved-at-once'],
  ])('the last two digits of %s minor units choose %s', (minor, name) => {
    expect(scenarioOf(minor).name).toBe(name);
  });

  test('every amount has exactly one scenario, and only its last two digits count', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n }), fc.bigInt({ min: 0n, max: 10n ** 18n }), (minor, more) => {
        const ending = Number(minor % 100n);
        const matching = endingScenarios.filter((scenario) => scenario.ending === ending);
        expect(matching.length).toBeLessThanOrEqual(1);
        expect(scenarioOf(minor)).toBe(matching[0] ?? pageScenario);
        expect(scenarioOf(minor + more * 100n)).toBe(scenarioOf(minor));
      }),
    );
  });

  test('no two rows share an ending or a name', () => {
    const rows = [pageScenario, ...endingScenarios];
    expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length);
    expect(new Set(rows.map((row) => row.ending)).size).toBe(rows.length);
  });

  test('facts are in the order of their times, and a fact that moves money has an amount', () => {
    const plans = [
      ...endingScenarios.flatMap((row) => [row.facts, row.factsAfterPage ?? []]),
      ...decisions.map((decision) => factsAfterDecision[decision]),
    ];
    for (const facts of plans) {
      const times = facts.map((fact) => fact.afterMs);
      expect(times).toEqual(times.toSorted((left, right) => left - right));
      for (const fact of facts)
        expect(fact.paid !== undefined).toBe(['paid', 'reversed', 'returned'].includes(fact.outcome));
    }
  });

  test('docs/sandbox.md lists every row', () => {
    const page = readFileSync(new URL('../../../../../../docs/sandbox.md', import.meta.url), 'utf8');
    for (const { ending, name, summary } of endingScenarios) {
      expect(page).toContain(`| \`.${String(ending).padStart(2, '0')}\` | \`${name}\` | ${summary} |`);
    }
  });

  test.each([
    ['card', 'address'],
    ['bank_transfer_in', 'form-post'],
    ['webmoney_usd', 'form-get'],
  ])('the payer reaches the page of %s by %s', (method, entry) => {
    expect(entryOf(method)).toBe(entry);
  });
});
