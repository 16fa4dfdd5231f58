/** The catalogue with what the server really knows of its providers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnCatalogue } from '@opencashier/contract/operator';
import { expect, test } from 'vitest';
import { catalogueFacts } from '../../assembly/catalogue-facts.ts';
import { bundledFiles } from '../bundled-files.ts';
import { checkSettings } from '../check-settings.ts';
import { noSettings } from '../own-settings.ts';
import { readShippedCatalogue } from '../shipped-catalogue.ts';
import { catalogueDifferences } from './catalogue-differences.ts';
import { readOwnFile, writeOwnFile } from './own-file.ts';
import { wholeCatalogue } from './own-view.ts';

const facts = catalogueFacts({
  isSandbox: true,
  stripe: undefined,
  cryptoFile: undefined,
  masterKeys: [],
  widgetDir: '/no/build',
});
const shipped = readShippedCatalogue(bundledFiles, (provider) => provider === 'sandbox', facts);

function read(text: string): OwnCatalogue {
  const file = readOwnFile(text);
  if (file.kind === 'faults') throw new Error(JSON.stringify(file.faults));
  return file.catalogue;
}

const page = readFileSync(join(import.meta.dirname, '../../../../../docs/catalogue.md'), 'utf8');
const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];

test.each([
  ['the shipped catalogue', noSettings],
  ['the example of docs/catalogue.md', read(example)],
])('[LIST-7] %s keeps within the limits of its providers, and its full export changes nothing', (_name, settings) => {
  const whole = wholeCatalogue(shipped, settings);
  const again = read(writeOwnFile(whole, 0, 'Full'));
  expect(checkSettings(shipped, again)).toEqual([]);
  expect(catalogueDifferences(whole, wholeCatalogue(shipped, again))).toEqual([]);
});
