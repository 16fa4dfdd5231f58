import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FollowedTexts } from './followed-texts.ts';
import { createServedTexts } from './served-texts.ts';
import type { StoredTexts } from './texts-store.ts';
import { widgetTextsIn } from './widget-texts.ts';

const operator = { id: 'op', partnerKey: 'acme' };
const shipped = { en: { pay: 'Pay {amount}', title: 'Deposit' }, es: { pay: 'Pagar {amount}', title: 'Depositar' } };
const variants = { ...shipped, 'es-MX': {} };
let folder: string;
let seconds = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-texts-'));
  mkdirSync(join(folder, 'server'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function build(content: string): void {
  const file = join(folder, 'server/texts.json');
  writeFileSync(file, content);
  // Two builds may have the same time.
  seconds += 1;
  utimesSync(file, seconds, seconds);
}

function create(texts: Record<string, Record<string, string>>) {
  const stored: StoredTexts = { version: 7, byLocale: new Map(Object.entries(texts)) };
  const older: StoredTexts = { version: 6, byLocale: new Map([['en', { title: 'Older' }]]) };
  const followed: FollowedTexts = {
    newest: () => stored,
    at: (_id, version) => [stored, older].find((one) => one.version === version),
    whereIs: () => 'held',
    load: async () => {},
    follow: async () => {},
    stop: () => {},
  };
  return createServedTexts(followed, widgetTextsIn(folder));
}
const folderOf = (texts: Record<string, Record<string, string>>) => create(texts).ofPage(operator)?.folder;

test('[UI-1] the folder of own texts names their compiled content', () => {
  build(JSON.stringify(variants));
  const first = folderOf({ es: { title: 'Ingresar', pay: 'Paga {amount}' } });
  expect(first).toMatch(/^texts\/acme\/7-[0-9a-f]{8}$/);
  expect(folderOf({ es: { title: 'Ingresar', pay: 'Paga {amount}' } })).toBe(first);
  // A restored backup may have other texts in the same version.
  expect(folderOf({ es: { title: 'Ingresa', pay: 'Paga {amount}' } })).not.toBe(first);
  // An update may refuse a text that the former release showed.
  build(JSON.stringify({ ...variants, en: { ...shipped.en, pay: 'Pay {amount} now, {name}' } }));
  expect(folderOf({ es: { title: 'Ingresar', pay: 'Paga {amount}' } })).not.toBe(first);
});

test('[UI-1] the file of the version of a page has its hash, and no hash is computed for older versions', () => {
  build(JSON.stringify(variants));
  const served = create({ es: { title: 'Ingresar' } });
  const file = served.ofFile('op', 7, 'es-MX');
  expect(file?.messages).toEqual({ title: 'Ingresar' });
  expect(served.ofPage(operator)?.folder).toBe(`texts/acme/7-${file?.hash}`);
  expect(served.ofFile('op', 6, 'en')).toEqual({ messages: { title: 'Older' }, hash: undefined });
  expect(served.ofFile('op', 5, 'en')).toBeUndefined();
});

test.each([
  ['not there', () => rmSync(join(folder, 'server'), { recursive: true })],
  ['half written', () => build('{"en": {"pay": "Pa')],
])('[UI-1] while the texts of the widget are %s, nothing is made of own texts', (_what, lose) => {
  build(JSON.stringify(variants));
  const served = create({ en: { title: 'Top up' } });
  expect(served.ofPage(operator)).toBeDefined();
  lose();
  expect(served.ofPage(operator)).toBeUndefined();
  expect(served.ofFile('op', 7, 'en')).toBeUndefined();
});
