/** Scripts of the widget that do not arrive yet, as on a slow network. */
import type { Page } from '@playwright/test';

/** Holds back every script of the widget until `let` is called. */
export async function holdScripts(page: Page): Promise<{ let(): void }> {
  let go = (): void => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.unrouteAll();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  return { let: () => go() };
}
