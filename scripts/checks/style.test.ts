import { expect, test } from 'vitest';
import { styleTurn } from './style.mjs';

const unproven = ['changed.ts', 'imports-it.ts', 'imports-it-too.ts'];
const hasPassedAlone = (path: string) => path !== 'changed.ts';

test('with a limit the changed files come first, and those that only import them are counted as waiting', () => {
  expect(styleTurn(unproven, hasPassedAlone, true)).toEqual({ now: ['changed.ts'], waiting: 2 });
});

test('the next check looks at those that waited', () => {
  expect(styleTurn(unproven.slice(1), hasPassedAlone, true)).toEqual({ now: unproven.slice(1), waiting: 0 });
});

test('without a limit nothing waits', () => {
  expect(styleTurn(unproven, hasPassedAlone, false)).toEqual({ now: unproven, waiting: 0 });
});
