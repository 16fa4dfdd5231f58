/** Each screen in both themes and in English, Arabic and Hindi, without opening it again for any of them (UI-3). */
import type { Page } from '@playwright/test';
import { collectMarks, measureLanguages } from '../languages/find-overflow.ts';
import { allLanguages, marked } from '../languages/marked-texts.ts';
import { bothThemes, expectNoViolation } from '../stack/accessible.ts';
import type { HostPage } from '../stack/host-page.ts';

const spoken = ['en', 'ar', 'hi'];
const languages = allLanguages().filter(({ name }) => spoken.includes(name));

/**
 * From now on the cashier's texts are marks, which are replaced in place by the texts of a language. Elements must then be found by
 * role, not by name.
 */
export async function markTexts(page: Page, locale = 'en'): Promise<void> {
  await page.route(`**/static/locales/${locale}.*.json`, (route) => route.fulfill({ json: marked }));
}

let screens = 0;

/** Checks six looks: each language in each theme. The first theme is checked by more rules, so it alternates between screens. */
export async function expectAccessibleInEachLook(host: HostPage, where: string): Promise<void> {
  const frame = host.frame();
  const keys = new Set(await frame.evaluate(collectMarks));
  screens += 1;
  const themes = screens % 2 === 0 ? bothThemes : bothThemes.toReversed();
  for (const { texts, ...language } of languages) {
    const here = Object.fromEntries(Object.entries(texts).filter(([key]) => keys.has(key)));
    await frame.evaluate(measureLanguages, [{ ...language, texts: here }]);
    await expectNoViolation(frame, `${where}, ${language.name}`, themes);
  }
}
