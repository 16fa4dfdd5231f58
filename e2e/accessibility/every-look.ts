/** Each screen in both themes and in English, Arabic and Hindi, without opening it again for any of them (UI-3). */
import type { Page } from '@playwright/test';
import { collectMarks, measureLanguages } from '../languages/find-overflow.ts';
import { allLanguages, marked } from '../languages/marked-texts.ts';
import { expectNoViolation } from '../stack/accessible.ts';
import type { HostPage } from '../stack/host-page.ts';

export const spoken = ['en', 'ar', 'hi'] as const;
const languages = allLanguages().filter(({ name }) => spoken.some((one) => one === name));
const themes = ['light', 'dark'] as const;

/** From now on the cashier's English is marks, which are filled in place. Things are then found by what they are, not by name. */
export async function markTexts(page: Page): Promise<void> {
  await page.route('**/static/locales/en.*.json', (route) => route.fulfill({ json: marked }));
}

let looks = 0;

/**
 * Looks three times: a language each, the theme changing between them and from screen to screen, so that the first theme of a
 * language is not always the same.
 */
export async function expectAccessibleInEachLook(
  host: HostPage,
  where: string,
  only: readonly string[] = spoken,
): Promise<void> {
  const frame = host.frame();
  const keys = new Set(await frame.evaluate(collectMarks));
  looks += 1;
  for (const [index, { texts, ...language }] of languages.filter(({ name }) => only.includes(name)).entries()) {
    const theme = themes[(looks + index) % 2] ?? 'light';
    const here = Object.fromEntries(Object.entries(texts).filter(([key]) => keys.has(key)));
    await frame.evaluate(measureLanguages, [{ ...language, texts: here }]);
    await expectNoViolation(frame, `${where}, ${language.name}, ${theme}`, [theme]);
  }
}
