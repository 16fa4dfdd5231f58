import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exportLanguage, importFile, markTexts, pictureOf } from './exchange.mjs';
import { contextProblems, readSources } from './sources.mjs';
import { readStates, updateStates } from './state-files.mjs';
import { readXliff, writeXliff } from './xliff.mjs';

const server = 'apps/server/src/languages/words';
const sandbox = 'apps/server/src/providers/sandbox/words';
const files = {
  'locales/en.json': {
    'pay.again': 'Please do not pay again.',
    'pay.exactly': 'Pay exactly {amount}',
    'pay.title': 'Payment',
  },
  'locales/de.json': {
    'pay.again': 'Bitte nicht noch einmal zahlen.',
    'pay.exactly': 'Genau {amount} zahlen',
    'pay.title': 'Zahlung',
  },
  [`${server}/en.json`]: { 'method.card': 'Bank card' },
  [`${server}/de.json`]: { 'method.card': 'Bankkarte' },
  [`${sandbox}/en.json`]: { 'step.open': 'Open your bank' },
  [`${sandbox}/de.json`]: { 'step.open': 'Bank öffnen' },
  'locales/context/widget.json': {
    'pay.again': { description: 'Warning', critical: true },
    'pay.exactly': { description: 'Line above the amount', example: { amount: '€10' } },
    'pay.title': { description: 'Title' },
  },
  'locales/context/server.json': { 'method.card': { description: 'Title of a method' } },
  'locales/context/sandbox.json': { 'step.open': { description: 'A step' } },
};

let root: string;
const write = (path: string, value: unknown) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), typeof value === 'string' ? value : JSON.stringify(value));
};
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const update = (isCheck = false) => updateStates(root, readSources(root), { isCheck });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'locales-'));
  mkdirSync(join(root, 'locales/state'), { recursive: true });
  for (const [path, value] of Object.entries(files)) write(path, value);
  write('docs/languages.md', 'Before\n<!-- states -->\n<!-- /states -->\nAfter\n');
  update();
});
afterEach(() => rmSync(root, { recursive: true }));

describe('[UI-1] the states of translations', () => {
  test('are up to date after an update, and stand in the table', () => {
    expect(update(true)).toEqual({ problems: [], notes: [] });
    expect(readFileSync(join(root, 'docs/languages.md'), 'utf8')).toContain(
      '| de | German | 5 | 5 | 0 | 0 | 0 | not yet |',
    );
  });

  test('a changed English text makes its translation stale; it fails only if money depends on it', () => {
    write('locales/en.json', { ...files['locales/en.json'], 'pay.title': 'Your payment' });
    update();
    expect(update(true)).toEqual({
      problems: [],
      notes: ['de: "pay.title" (widget) was translated from another English text.'],
    });
    write('locales/en.json', { ...files['locales/en.json'], 'pay.again': 'Do not pay twice.' });
    update();
    expect(update(true).problems).toEqual(['de: "pay.again" (widget) was translated from another English text.']);
  });

  test('a new translation is a draft, made from the English of now', () => {
    markTexts(root, 'de', [], 'native');
    write('locales/en.json', { ...files['locales/en.json'], 'pay.title': 'Your payment' });
    write('locales/de.json', { ...files['locales/de.json'], 'pay.title': 'Ihre Zahlung' });
    expect(update(true).problems).toContain('locales/state/de.json is not up to date: run node scripts/locales.mjs.');
    update();
    expect(update(true)).toEqual({ problems: [], notes: [] });
    expect(readStates(root, 'de')['widget']?.['pay.title']).toMatch(/ draft$/);
    expect(readStates(root, 'de')['widget']?.['pay.again']).toMatch(/ native$/);
  });

  test('a translation that is still right is accepted, and keeps its state', () => {
    markTexts(root, 'de', ['pay.title'], 'read');
    write('locales/en.json', { ...files['locales/en.json'], 'pay.title': 'Your payment' });
    markTexts(root, 'de', ['pay.title'], undefined);
    update();
    expect(update(true).notes).toEqual([]);
    expect(readStates(root, 'de')['widget']?.['pay.title']).toMatch(/ read$/);
  });

  test('a key of two sources means both texts, and the answer says so', () => {
    write(`${server}/en.json`, { 'method.card': 'Bank card', 'pay.title': 'Pay' });
    write(`${server}/de.json`, { 'method.card': 'Bankkarte', 'pay.title': 'Zahlen' });
    update();
    expect(markTexts(root, 'de', ['pay.title', 'pay.again'], 'read')).toBe('de: 3 texts (widget 2, server 1).');
    expect(readStates(root, 'de')['server']?.['pay.title']).toMatch(/ read$/);
    expect(markTexts(root, 'de', ['step.open'], undefined)).toBe('de: 1 texts (sandbox 1).');
  });

  test('a language, a state or a key that is unknown is refused', () => {
    expect(() => markTexts(root, 'xx', [], 'read')).toThrow('xx is not a language');
    expect(() => markTexts(root, 'de', [], 'perfect')).toThrow('A state is one of');
    expect(() => markTexts(root, 'de', ['no.text'], 'read')).toThrow('no text no.text');
  });

  test('each text has a description, and each value an example', () => {
    write('locales/en.json', {
      ...files['locales/en.json'],
      'pay.exactly': 'Pay {amount} to {name}',
      'pay.new': 'New',
    });
    const [widget] = readSources(root);
    expect(widget && contextProblems(widget)).toEqual([
      'locales/context/widget.json: "pay.exactly" has no example of {name}.',
      'locales/context/widget.json: "pay.new" has no description.',
    ]);
  });
});

describe('[UI-1] an exchange with a translation platform', () => {
  const file = () => join(root, 'de.xlf');
  const edit = (from: string, to: string) => {
    const text = readFileSync(file(), 'utf8');
    expect(text).toContain(from);
    writeFileSync(file(), text.replace(from, to));
  };

  test('takes new texts and states, and leaves the others', () => {
    exportLanguage(root, 'de', file());
    edit(
      '<target state="translated" xml:space="preserve">Zahlung',
      '<target state="final" xml:space="preserve">Ihre Zahlung',
    );
    edit(
      '<target state="translated" xml:space="preserve">Bankkarte',
      '<target state="signed-off" xml:space="preserve">Bankkarte',
    );
    expect(importFile(root, file())).toEqual({
      done: 'de: 1 texts changed, 0 refused; states: 2 up, 0 down.',
      refused: [],
    });
    expect(read('locales/de.json')).toEqual({ ...files['locales/de.json'], 'pay.title': 'Ihre Zahlung' });
    expect(readStates(root, 'de')['widget']?.['pay.title']).toMatch(/ native$/);
    expect(readStates(root, 'de')['server']?.['method.card']).toMatch(/ read$/);
    update();
    expect(update(true)).toEqual({ problems: [], notes: [] });
  });

  test('refuses a text that has lost a value, and takes the rest', () => {
    exportLanguage(root, 'de', file());
    edit('Genau {amount} zahlen', 'Genau zahlen');
    edit('>Zahlung<', '>Ihre Zahlung<');
    const { refused } = importFile(root, file());
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatch(/^widget "pay\.exactly" .*amount/);
    expect(read('locales/de.json')).toMatchObject({
      'pay.exactly': 'Genau {amount} zahlen',
      'pay.title': 'Ihre Zahlung',
    });
  });

  test('a text that was translated from an older English stays stale', () => {
    exportLanguage(root, 'de', file());
    write('locales/en.json', { ...files['locales/en.json'], 'pay.title': 'Your payment' });
    importFile(root, file());
    update();
    expect(update(true).notes).toEqual(['de: "pay.title" (widget) was translated from another English text.']);
  });

  test('a changed text that still needs work stays stale', () => {
    const changed = { ...files['locales/en.json'], 'pay.title': 'Your payment' };
    const stale = ['de: "pay.title" (widget) was translated from another English text.'];
    write('locales/en.json', changed);
    update();
    exportLanguage(root, 'de', file());
    edit('>Zahlung<', '>Die Zahlung<');
    importFile(root, file());
    update();
    expect(read('locales/de.json')).toMatchObject({ 'pay.title': 'Die Zahlung' });
    expect(update(true).notes).toEqual(stale);

    markTexts(root, 'de', ['pay.title'], 'read');
    exportLanguage(root, 'de', file());
    write('locales/en.json', { ...changed, 'pay.title': 'Pay here' });
    edit('"signed-off" xml:space="preserve">Die Zahlung<', '"needs-translation" xml:space="preserve">Ihre Zahlung<');
    importFile(root, file());
    update();
    expect(update(true).notes).toEqual(stale);
  });

  test('a text that was right and now needs work is a draft', () => {
    markTexts(root, 'de', [], 'native');
    exportLanguage(root, 'de', file());
    edit('approved="yes">\n        <source xml:space="preserve">Payment<', '><source>Payment<');
    edit('"final" xml:space="preserve">Zahlung<', '"needs-review-translation" xml:space="preserve">Zahlung<');
    expect(importFile(root, file()).done).toBe('de: 0 texts changed, 0 refused; states: 0 up, 1 down.');
    expect(readStates(root, 'de')['widget']?.['pay.title']).toMatch(/ draft$/);
  });

  test('a text that was accepted after the export is not stale again', () => {
    exportLanguage(root, 'de', file());
    write('locales/en.json', { ...files['locales/en.json'], 'pay.title': 'Your payment' });
    markTexts(root, 'de', ['pay.title'], 'read');
    importFile(root, file());
    update();
    expect(update(true).notes).toEqual([]);
    expect(readStates(root, 'de')['widget']?.['pay.title']).toMatch(/ read$/);
  });

  test.each([
    ['no state', ''],
    ['a state that is not known', 'state="x-edited"'],
    ['one that every text has', 'state="translated"'],
    ['the name of a function', 'state="constructor"'],
  ])('an unchanged text keeps its state if the file has %s', (_what, state) => {
    markTexts(root, 'de', [], 'native');
    markTexts(root, 'de', ['pay.again'], 'read');
    exportLanguage(root, 'de', file());
    const before = readStates(root, 'de');
    const xml = readFileSync(file(), 'utf8').replaceAll(/state="[\w-]+"/g, state);
    write('de.xlf', xml.replaceAll(' approved="yes"', ''));
    expect(importFile(root, file()).done).toBe('de: 0 texts changed, 0 refused; states: 0 up, 0 down.');
    expect(readStates(root, 'de')).toEqual(before);
    edit('>Zahlung<', '>Ihre Zahlung<');
    expect(importFile(root, file()).done).toBe('de: 1 texts changed, 0 refused; states: 0 up, 1 down.');
    expect(readStates(root, 'de')['widget']?.['pay.title']).toMatch(/ draft$/);
  });

  test('a variant’s text that is now that of its language is taken away', () => {
    const spanish = { 'pay.again': 'No pague otra vez.', 'pay.exactly': 'Pague {amount}', 'pay.title': 'Pago' };
    write('locales/es.json', spanish);
    write('locales/es-MX.json', { 'pay.again': 'No vuelva a pagar.', 'pay.title': 'Su pago' });
    for (const [folder, texts] of [
      [server, { 'method.card': 'Tarjeta bancaria' }],
      [sandbox, { 'step.open': 'Abra su banco' }],
    ] as const) {
      write(`${folder}/es.json`, texts);
      write(`${folder}/es-MX.json`, {});
    }
    update();
    exportLanguage(root, 'es-MX', file());
    edit('>Su pago<', '>Pago<');
    const { done, refused } = importFile(root, file());
    expect(refused).toEqual([]);
    expect(done).toBe('es-MX: 0 texts changed, 1 now those of es, 0 refused; states: 0 up, 0 down.');
    expect(read('locales/es-MX.json')).toEqual({ 'pay.again': 'No vuelva a pagar.' });
    expect(Object.keys(readStates(root, 'es-MX')['widget'] ?? {})).toEqual(['pay.again']);
    expect(update(true).problems.filter((one) => one.includes('state/es-MX'))).toEqual([]);
  });

  test('any text comes back as it went', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((one) => /^[^\p{Cc}\p{Cs}\p{Cn}]+$/u.test(one));
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(text, text, text), { selector: ([key]) => key, minLength: 1, maxLength: 5 }),
        (all) => {
          const units = all.map(([key, english, own]) => ({
            ...{ key, english, own, description: english, example: { name: own }, screen: undefined },
            ...({ state: 'read', isStale: false, isCritical: true } as const),
          }));
          const back = readXliff(writeXliff('ur', { widget: units })).units;
          expect(back.map(({ key, english, own, state }) => [key, english, own, state])).toEqual(
            all.map((one) => [...one, 'read']),
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  test('a proposal of the platform is no translation', () => {
    exportLanguage(root, 'de', file());
    const proposal = '<alt-trans><source>Old</source><target state="final">Bezahlung</target></alt-trans>';
    edit('<target state="translated" xml:space="preserve">Zahlung</target>', proposal);
    edit('<source xml:space="preserve">Bank card</source>', `${proposal}<source>Bank card</source>`);
    const { units } = readXliff(readFileSync(file(), 'utf8'));
    expect(units.find(({ key }) => key === 'pay.title')).toBeUndefined();
    expect(units.find(({ key }) => key === 'method.card')).toMatchObject({ english: 'Bank card', own: 'Bankkarte' });
  });

  test('a text has its picture, or that of a similar text', () => {
    const screens = { 'complete.late.text': 'screens/complete/late', 'pay.title': 'screens/pay/ready' };
    expect(pictureOf('pay.title', screens)).toBe('screens/pay/ready');
    expect(pictureOf('purchase.complete.late.text', screens)).toBe('screens/complete/late');
    expect(pictureOf('complete.late.title', screens)).toBe('screens/complete/late, a similar text');
    expect(pictureOf('captcha.title', screens)).toBe('flows/redirect/creating, where it stands or opens');
    expect(pictureOf('page.gone.title', screens)).toBeUndefined();
  });

  test('another file is refused', () => {
    expect(() => readXliff('<html/>')).toThrow('no XLIFF file');
  });
});
