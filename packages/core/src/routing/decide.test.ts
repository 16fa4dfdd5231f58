import { routeStrategies } from '@opencashier/contract/operator';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROBE_SHARE } from './account-health.ts';
import { decide, replay } from './decide.ts';
import type { RoutingDecision, RoutingInputs } from './route.ts';
import { arbitraryInputs, candidate, inputs } from './routing.fixture.ts';

/** Decisions of many payments, which differ in nothing but their seed. */
function many(count: number, made: RoutingInputs): RoutingDecision[] {
  return Array.from({ length: count }, (_, at) =>
    decide({ ...made, payment: { ...made.payment, seed: `deposit ${at}` } }),
  );
}

function shareOfFirst(decisions: readonly RoutingDecision[], key: string): number {
  return decisions.filter(({ order }) => order[0] === key).length / decisions.length;
}

describe('strategies', () => {
  test('[SRV-4] priority: the lowest number first, and equal numbers share the payments', () => {
    expect(decide(inputs()).order).toEqual(['one', 'two', 'three']);
    const shared = inputs({
      candidates: [candidate('one', { share: 3 }), candidate('two'), candidate('last', { priority: 2 })],
    });
    const decisions = many(2_000, shared);
    expect(shareOfFirst(decisions, 'one')).toBeCloseTo(0.75, 1);
    expect(decisions.every(({ order }) => order[2] === 'last')).toBe(true);
  });

  test('[SRV-4] volume: each is first as often as its share says; a share of 0 is only the last resort', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 2, maxLength: 5 }), (shares) => {
        const total = shares.reduce((sum, one) => sum + one, 0);
        fc.pre(total > 0);
        const candidates = shares.map((share, at) => candidate(`account ${at}`, { share }));
        const decisions = many(3_000, inputs({ strategy: 'volume', candidates }));
        for (const [at, share] of shares.entries()) {
          expect(Math.abs(shareOfFirst(decisions, `account ${at}`) - share / total)).toBeLessThan(0.05);
        }
      }),
      { numRuns: 20 },
    );
  });

  test('[SRV-4] cost: the cheapest for this amount first, and an unknown cost last', () => {
    const candidates = [
      candidate('unknown', { costs: { USD: { percent: '0.1' } } }),
      candidate('percent', { costs: { EUR: { percent: '2' } } }),
      candidate('fixed', { costs: { EUR: { fixed: '0.30' } } }),
    ];
    expect(decide(inputs({ strategy: 'cost', candidates }, { amount: '10.00' })).order).toEqual([
      'percent',
      'fixed',
      'unknown',
    ]);
    const large = decide(inputs({ strategy: 'cost', candidates }, { amount: '100.00' }));
    expect(large.order).toEqual(['fixed', 'percent', 'unknown']);
    expect(large.reasons.map(({ cost }) => cost)).toEqual(['30', '200', null]);
  });

  test('[SRV-4] currency: the account that settles the currency without a conversion first', () => {
    const candidates = [
      candidate('all'),
      candidate('dollar', { settles: ['USD'] }),
      candidate('euro', { priority: 2, settles: ['EUR'] }),
    ];
    expect(decide(inputs({ strategy: 'currency', candidates })).order[0]).toBe('euro');
  });

  test('[SRV-4] success rate: the best first, and exactly the explored share begins with another one', () => {
    const health = {
      one: { tries: 50, accepted: 20 },
      two: { tries: 50, accepted: 45 },
      three: { tries: 50, accepted: 40 },
    };
    expect(decide(inputs({ strategy: 'success-rate' }, {}, health)).order).toEqual(['two', 'three', 'one']);
    const decisions = many(4_000, inputs({ strategy: 'success-rate', exploration: 10 }, {}, health));
    expect(shareOfFirst(decisions, 'one')).toBeCloseTo(0.05, 1);
    expect(shareOfFirst(decisions, 'three')).toBeCloseTo(0.05, 1);
    expect(1 - shareOfFirst(decisions, 'two')).toBeLessThan(0.13);
    expect(decisions.find(({ order }) => order[0] === 'one')?.reasons[0]?.because).toBe('exploration');
  });

  test('[SRV-4] success rate: one lucky try of a new account does not beat a long good record', () => {
    const health = { one: { tries: 1, accepted: 1 }, two: { tries: 50, accepted: 49 } };
    expect(decide(inputs({ strategy: 'success-rate' }, {}, health)).order[0]).toBe('two');
  });
});

describe('who is left out or left behind', () => {
  test.each([
    ['currency', { currencies: ['USD'] }],
    ['country', { countries: ['US'] }],
    ['amount-min', { limits: { EUR: { min: '25.01' } } }],
    ['amount-max', { limits: { EUR: { max: '24.99' } } }],
  ])('[SRV-4] rejects a candidate with the reason %s', (because, change) => {
    const decision = decide(inputs({ candidates: [candidate('one', change), candidate('two')] }));
    expect(decision).toMatchObject({ order: ['two'], rejected: [{ key: 'one', because }] });
  });

  test('[SRV-4] limits include their ends', () => {
    const limits = { EUR: { min: '25.00', max: '25.00' } };
    expect(decide(inputs({ candidates: [candidate('one', { limits })] })).order).toEqual(['one']);
  });

  test('[SRV-4] a candidate without facts is not set up', () => {
    expect(decide({ ...inputs(), facts: [] })).toMatchObject({
      order: [],
      rejected: [{ because: 'not-set-up' }, {}, {}],
    });
  });

  test('[SRV-4] silent, recovering and demoted ones come after those that are well, in this order', () => {
    const health = { one: { phase: 'demoted' as const }, two: { isSilent: true } };
    const decision = decide(inputs({}, {}, health));
    expect(decision.order).toEqual(['three', 'two', 'one']);
    expect(decision.reasons.map(({ because }) => because)).toEqual(['strategy', 'silent', 'demoted']);
  });

  test('[SRV-4] a recovering one is probed by a small share of the payments', () => {
    const decisions = many(4_000, inputs({}, {}, { one: { phase: 'probing' } }));
    expect(Math.abs(shareOfFirst(decisions, 'one') - PROBE_SHARE)).toBeLessThan(0.03);
    expect(decisions.filter(({ order }) => order[0] !== 'one').every(({ order }) => order[2] === 'one')).toBe(true);
  });

  test('[SRV-4] a demoted one is still tried when there is no other', () => {
    expect(decide(inputs({ candidates: [candidate('one')] }, {}, { one: { phase: 'demoted' } })).order).toEqual([
      'one',
    ]);
  });
});

describe('properties of every decision', () => {
  test('[SRV-4] each candidate is either ordered or rejected, once', () => {
    fc.assert(
      fc.property(arbitraryInputs, (made) => {
        const { order, rejected, reasons } = decide(made);
        const all = [...order, ...rejected.map(({ key }) => key)];
        expect([...all].sort()).toEqual(made.route.candidates.map(({ key }) => key).sort());
        expect(reasons.map(({ key }) => key)).toEqual(order);
        const disabled = made.facts.filter(({ availability }) => availability !== 'available').map(({ key }) => key);
        expect(order.filter((key) => disabled.includes(key))).toEqual([]);
      }),
    );
  });

  test('[SRV-4] a decision that was stored as JSON gives the same decision again', () => {
    fc.assert(
      fc.property(arbitraryInputs, (made) => {
        const decision = decide(made);
        const stored = JSON.parse(JSON.stringify(decision)) as RoutingDecision;
        expect(replay(stored)).toEqual(decision);
      }),
    );
  });

  test('[SRV-4] the order in which facts are read does not matter', () => {
    fc.assert(
      fc.property(arbitraryInputs, (made) => {
        expect(decide({ ...made, facts: [...made.facts].reverse() }).order).toEqual(decide(made).order);
      }),
    );
  });

  test('[SRV-4] nobody that is demoted goes before one that is well', () => {
    fc.assert(
      fc.property(arbitraryInputs, (made) => {
        const phases = decide(made).reasons.map(({ key }) => made.facts.find((one) => one.key === key)?.health.phase);
        const lastWell = phases.lastIndexOf('well');
        expect(phases.slice(0, Math.max(0, lastWell)).includes('demoted')).toBe(false);
      }),
    );
  });
});

test('[SRV-4] a decision among twenty accounts takes less than a millisecond', () => {
  const candidates = Array.from({ length: 20 }, (_, at) =>
    candidate(`account ${at}`, {
      share: at,
      costs: { EUR: { fixed: '0.25', percent: '1.4' } },
      limits: { EUR: { min: '1.00', max: '5000.00' } },
    }),
  );
  for (const strategy of routeStrategies) {
    const made = inputs({ strategy, exploration: 5, candidates });
    // Processor time, because a busy machine would look like a slow rule. The fastest batch, because of garbage collection.
    const batches = Array.from({ length: 5 }, () => {
      const start = process.cpuUsage();
      many(200, made);
      return process.cpuUsage(start).user / 1000 / 200;
    });
    expect(Math.min(...batches)).toBeLessThan(1);
  }
});
