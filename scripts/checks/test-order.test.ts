import { expect, test } from 'vitest';
import { inOrder } from './test-order.mjs';

const far = 'apps/widget/src/flows/pix/pix.test.ts';
const farPage = 'apps/widget/src/flows/pix/pix-screen.test.tsx';

function order(
  tests: string[],
  known: {
    changed?: string[];
    names?: Record<string, string[]>;
    runs?: Record<string, { seconds: number; failed: boolean }>;
  },
) {
  return inOrder(tests, {
    changed: new Set(known.changed),
    namedBy: (path) => known.names?.[path] ?? [],
    lastRunOf: (path) => known.runs?.[path],
  });
}

test('tests near the change come first: the changed test, its neighbours, and those that name a changed file', () => {
  const changed = ['packages/core/src/money/money.ts', 'apps/server/src/limits/own.test.ts'];
  const neighbour = 'packages/core/src/money/rates.test.ts';
  const naming = 'apps/server/src/ledger/ledger.test.ts';
  const itself = 'apps/server/src/limits/own.test.ts';

  const ordered = order([far, neighbour, naming, itself], { changed, names: { [naming]: [changed[0] ?? ''] } });

  expect(ordered.slice(0, 3).sort()).toEqual([naming, itself, neighbour].sort());
  expect(ordered[3]).toBe(far);
});

test('a test that failed last comes before tests that are far from the change', () => {
  const failed = 'packages/core/src/fees/fees.test.ts';
  const runs = { [failed]: { seconds: 40, failed: true }, [far]: { seconds: 0.1, failed: false } };
  expect(order([far, failed], { runs })).toEqual([failed, far]);
});

test('tests without a page come first, and the shortest of equals', () => {
  const long = 'packages/core/src/fees/fees.test.ts';
  const unknown = 'packages/core/src/fees/new.test.ts';
  const runs = {
    [far]: { seconds: 0.2, failed: false },
    [farPage]: { seconds: 0.1, failed: false },
    [long]: { seconds: 30, failed: false },
  };
  expect(order([farPage, long, unknown, far], { runs })).toEqual([far, unknown, long, farPage]);
});
