import { expect, test } from 'vitest';
import { strayFindings } from './provider-findings.ts';

const settings = (operator?: string) => {
  const ton = {
    nodes: [],
    account: 'UQ',
    tokens: {},
    isCoinWatched: true,
    ...(operator !== undefined && { operator }),
  };
  return { chains: { ton } };
};

test.each([
  ['the only operator needs no name', undefined, ['acme'], true],
  ['of several one must be named', undefined, ['acme', 'other'], false],
  ['a named one is', 'acme', ['acme', 'other'], true],
  ['a name that is nobody\u2019s is not', 'acne', ['acme'], false],
])('[SRV-4] money without a memo: %s', (_what, operator, keys, isRight) => {
  const [found] = strayFindings(settings(operator), keys);
  expect(found?.advice === undefined).toBe(isRight);
});

test('chains with addresses of their own have no such money', () => {
  const { ton } = settings().chains;
  expect(strayFindings({ chains: { bitcoin: ton } }, [])).toEqual([]);
});
