import type { CatalogueSettings } from '@opencashier/contract/operator';
import { expect, test } from 'vitest';
import { bundledFiles } from './bundled-files.ts';
import { createCatalogue } from './json-catalogue.ts';
import { readShippedCatalogue } from './shipped-catalogue.ts';

test('[LIST-1] an operator shows its list in the page unless its settings say no', () => {
  const own: Readonly<Record<string, CatalogueSettings>> = {
    hidden: { methods: {}, groups: {}, listInPage: false },
    shown: { methods: {}, groups: {} },
  };
  const catalogue = createCatalogue(readShippedCatalogue(bundledFiles), {
    of: (operatorId) => own[operatorId],
    version: () => 1,
    all: () => Object.values(own),
    follow: () => Promise.resolve(),
    stop: () => undefined,
  });
  expect(['hidden', 'shown', 'untouched'].map((id) => catalogue.isListInPage(id))).toEqual([false, true, true]);
});
