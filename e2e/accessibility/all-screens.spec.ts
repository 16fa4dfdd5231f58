import type { Frame } from '@playwright/test';
import { HostPage } from '../stack/host-page.ts';
import { expect, test } from '../stack/test.ts';
import { welcomeBonus } from '../stack/welcome-bonus.ts';
import { fundedUser } from '../stack/withdrawing.ts';
import { expectAccessibleInEachLook, markTexts } from './every-look.ts';
import { type ScreenAddress, walks } from './screens.ts';

test.describe.configure({ timeout: 300_000 });
test.use({ viewport: { width: 390, height: 844 } });

const anything = 'main :is(h2, button, a, input)';

for (const walk of walks) {
  test(`[UI-3] ${walk.name}: every screen in both themes, in English, Arabic and Hindi, the focus on its heading`, async ({
    page,
    stack,
    site,
  }) => {
    await markTexts(page);
    const host = new HostPage(page, stack, site);
    const userId = walk.currency === 'NGN' ? { userId: await fundedUser(stack, 'NGN', '250000.00') } : {};
    await host.open(walk.view === 'sweep' ? '/deposit' : '/error', {
      ...userId,
      currency: walk.currency,
      country: walk.country,
      payload: { widgetViewType: walk.view, transport: 'http', bonusList: [welcomeBonus] },
    });
    await expect(host.widget.locator('main button').first()).toBeVisible();
    if (walk.view === 'sweep') await chooseBox(host);
    for (const screen of walk.screens) {
      await goTo(host, screen);
      await expectAccessibleInEachLook(host, screen.path);
    }
  });
}

/** Follows a link, and checks that a screen reader gets the name of the new page. */
async function goTo(host: HostPage, { path, ready = anything }: ScreenAddress): Promise<void> {
  const frame = host.frame();
  await untilShown(frame, path, await host.follow(path, ready));
  expect(host.path(), `${path} is shown at its own address`).toBe(path.split('?')[0]);
  // The page is drawn first. Its focus and its title are set a moment later.
  await expect
    .poll(
      () =>
        frame.evaluate(() => {
          const heading = document.querySelector('h1');
          const hasFocus = document.activeElement === heading || document.activeElement?.closest('dialog') != null;
          return { hasFocus, isTitled: document.title.includes('⟦title.') };
        }),
      { message: path, intervals: [0, 50] },
    )
    .toEqual({ hasFocus: true, isTitled: true });
}

/** Checks every drawn frame. Playwright's own waiting would pause for half a second after a third of a second. */
async function untilShown(frame: Frame, path: string, ready: string): Promise<void> {
  const isShown = await frame.evaluate(async (selector) => {
    const end = performance.now() + 60_000;
    while (performance.now() < end) {
      const element = document.querySelector(selector);
      if (element?.checkVisibility({ visibilityProperty: true })) return true;
      await new Promise(requestAnimationFrame);
    }
    return false;
  }, ready);
  expect(isShown, `${path} shows ${ready}`).toBe(true);
}

async function chooseBox(host: HostPage): Promise<void> {
  const box = host.widget.getByRole('button', { name: /25,000\sGC/ });
  await box.click();
  await expect.poll(() => host.path()).toBe('/deposit/select-method');
  // The address changes before the screen, whose file may still be loading.
  await expect(box).toHaveCount(0);
}
