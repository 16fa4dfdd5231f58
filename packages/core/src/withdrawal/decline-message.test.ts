import { DECLINE_MESSAGE_LENGTH } from '@opencashier/contract/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { declineMessage } from './decline-message.ts';

test.each([
  ['Your bank does not take it.', 'Your bank does not take it.'],
  ['  Two\nlines\u0000 and\ttabs ', 'Two lines and tabs'],
  ['Pay \u202e001\u2069 more\u200f', 'Pay 001 more'],
  ['zero\u200b\ufeffwidth\u00ad', 'zerowidth'],
  // Joiners belong to the letters.
  ['क्\u200dष می\u200cشود', 'क्\u200dष می\u200cشود'],
  ['half \ud83d end', 'half end'],
  ['<b>closed</b>', '<b>closed</b>'],
  [undefined, undefined],
  ['', undefined],
  [' \u202e\n', undefined],
  ['…!?', undefined],
])('[ERR-4] [WD-3] the provider sends %j, the user reads %j', (words, shown) => {
  expect(declineMessage(words)).toBe(shown);
});

test('[ERR-4] a message that is too long ends in dots, and never in half a character', () => {
  expect(declineMessage('a'.repeat(300))).toBe('a'.repeat(300));
  expect(declineMessage('a'.repeat(301))).toBe(`${'a'.repeat(299)}…`);
  expect(declineMessage(`${'a'.repeat(298)}😀 b`)).toBe(`${'a'.repeat(298)}…`);
});

test('[ERR-4] any message becomes one short line without direction marks or hidden characters, and a second pass changes nothing', () => {
  const unsafe = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
  const words = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u202e', '\u2067', '\ud800', '\0', '\n', 'bank ', '😀'.repeat(80)),
    ),
  );
  fc.assert(
    fc.property(words, (parts) => {
      const shown = declineMessage(parts.join(''));
      if (shown === undefined) return;
      expect(shown.length).toBeLessThanOrEqual(DECLINE_MESSAGE_LENGTH);
      expect(shown).not.toMatch(unsafe);
      expect(shown.trim()).toBe(shown);
      expect(declineMessage(shown)).toBe(shown);
    }),
  );
});
