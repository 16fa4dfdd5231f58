import { expect, test } from 'vitest';
import { operatorsInMemory } from '../transports/testing/running-server.ts';
import { returnUrlOf } from './return-url.ts';

const wanted = (address: string | undefined): string =>
  returnUrlOf(operatorsInMemory, 'https://cashier.example', 'cashier', 'demo', address);

test.each(['https://play.example/back?x=1', 'https://cashier.example/cashier/deposit'])(
  '[DEP-15] the way back may be %s',
  (address) => expect(wanted(address)).toBe(address),
);

test.each([
  undefined,
  '',
  '/deposit',
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,x',
  'blob:https://play.example/1',
  '//evil.example',
  'https://evil.example',
  'https://play.example.evil.example',
  'https://play.example@evil.example',
  'https://play.example:444',
  'https://evil.example:x@play.example/',
  'http://play.example',
])('[DEP-15] the way back is our own page instead of %s', (address) => {
  expect(wanted(address)).toBe('https://cashier.example/cashier/returned');
});
