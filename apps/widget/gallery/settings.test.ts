import { expect, test } from 'vitest';
import { readSettings, usual, writeSettings } from './settings.ts';

test('an address says how a state is shown, and nothing that is as usual', () => {
  const shown = { ...usual, state: 'flows/pix/ready', theme: 'dark', locale: 'ar', width: 768, bare: true } as const;
  expect(writeSettings(shown)).toBe('state=flows/pix/ready&theme=dark&locale=ar&width=768&bare');
  expect(readSettings(`?${writeSettings(shown)}`)).toEqual(shown);
  expect(writeSettings(usual)).toBe('');
});

test('what cannot be read is as usual', () => {
  expect(readSettings('?theme=pink&width=12&look=toString&text=0')).toEqual(usual);
});
