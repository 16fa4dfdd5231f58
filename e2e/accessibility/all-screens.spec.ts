import type { Frame } from '@playwright/test';
import { HostPage } from '../stack/host-page.ts';
import { expect, test } from '../stack/test.ts';
import { fundedUser } from '../stack/withdrawing.ts';
import { expectAccessibleInEachLook, markTexts, spoken } from './every-look.ts';
import { type ScreenAddress, walks } from './screens.ts';

test.describe.configure({ timeout: 120_000 });
test.use({ viewport: { width: 390, height: 844 } });

const anything = 'main :is(h2, button, a, input)';
/** A bonus of the sandbox's operator, as its site hands it to the cashier. */
const bonus = {
  id: 'welcome_inr',
  type: 'deposit',
  currency: 'INR',
  content: { title: 'Welcome bonus', subtitle: 'On your first deposit' },
  depositBonusData: { minDeposit: '500', percent: 100, payoutMultiplier: 10, wagerMultiplier: 30 },
};

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
      payload: { widgetViewType: walk.view, transport: 'http', bonusList: [bonus] },
    });
    await expect(host.widget.locator('main button').first()).toBeVisible();
    if (walk.view === 'sweep') await chooseBox(host);
    for (const [index, screen] of walk.screens.entries()) {
      await goTo(host, screen);
      const languages = screen.isCopy ? spoken.slice(index % 3, (index % 3) + 1) : spoken;
      await expectAccessibleInEachLook(host, screen.path, languages);
    }
  });
}

/** Goes there as a link of the cashier would: nothing is loaded again, and the new page is named to who listens. */
async function goTo(host: HostPage, { path, ready = anything }: ScreenAddress): Promise<void> {
  const frame = host.frame();
  await frame.evaluate((address) => {
    document.querySelector('main')?.firstElementChild?.setAttribute('data-left', '');
    history.pushState(null, '', `/cashier${address}`);
  }, path);
  const isSheet = path.endsWith('/region');
  await untilShown(frame, path, isSheet ? ready : `main:not(:has([data-left])) ${ready.replace(/^main /, '')}`);
  expect(host.path(), `${path} is shown at its own address`).toBe(path.split('?')[0]);
  const named = await frame.evaluate(() => {
    const heading = document.querySelector('h1');
    const hasFocus = document.activeElement === heading || document.activeElement?.closest('dialog') != null;
    return { hasFocus, isTitled: document.title.includes('⟦title.') };
  });
  expect(named, path).toEqual({ hasFocus: true, isTitled: true });
}

async function untilShown(frame: Frame, path: string, ready: string): Promise<void> {
  await expect(frame.locator(ready).first(), path).toBeVisible();
}

async function chooseBox(host: HostPage): Promise<void> {
  const box = host.widget.getByRole('button', { name: /25,000\sGC/ });
  await box.click();
  await expect.poll(() => host.path()).toBe('/deposit/select-method');
  // The address comes before the screen, whose file may still be on its way.
  await expect(box).toHaveCount(0);
}
