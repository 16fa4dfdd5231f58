import { writesAlike } from '@opencashier/core/locale/writes-alike';
import { expect, test } from 'vitest';
import { languages, languagesWithoutBrowser } from '../../../scripts/locales/languages.mjs';
import { platformNames } from './platform-names.ts';

test('[UI-1] languages that browsers cannot write have names of countries and currencies in their files', () => {
  expect(languagesWithoutBrowser).toEqual(languages.filter((locale) => writesAlike(locale) !== undefined));
  expect(platformNames('kk')).toMatchObject({ 'region.NG': 'Нигерия', 'currency.INR': 'Үндістан рупиясы' });
  expect(platformNames('de')).toEqual({});
});
