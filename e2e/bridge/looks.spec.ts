/** A host changes the height of a frame, and its colours while it is open. */
import type { Page } from '@playwright/test';
import { holdScripts } from '../stack/held-scripts.ts';
import { HostPage } from '../stack/host-page.ts';
import { expect, test } from '../stack/test.ts';

const told = (page: Page): Promise<number[]> =>
  page.evaluate(() =>
    window.said.filter(({ messageType }) => messageType === 'resize').map(({ payload }) => Number(payload['height'])),
  );

test('[UI-4] a frame that follows the height of its screen stops growing at any height that the host gives it', async ({
  page,
  stack,
  site,
}) => {
  const host = new HostPage(page, stack, site);
  await host.open('/deposit?autoHeight=true', { country: 'IN' });
  await host.widget.getByRole('button', { name: 'Bank card' }).first().waitFor();
  // The host follows the height, beginning with the height that was reported already.
  await page.evaluate(() => {
    const frame = document.querySelector('iframe');
    const follow = () => {
      const last = window.said.findLast(({ messageType }) => messageType === 'resize');
      if (frame && last) frame.style.height = `${last.payload['height']}px`;
    };
    addEventListener('message', follow);
    follow();
  });
  // The last reported height counts: a frame that is too high shows its screen as well.
  const fits = async () => {
    const last = (await told(page)).at(-1) ?? 0;
    return host.frame().evaluate((height) => {
      const { scrollHeight } = document.documentElement;
      return scrollHeight === innerHeight && Math.abs(innerHeight - height) < 1;
    }, last);
  };
  await expect.poll(fits).toBe(true);

  const before = await told(page);
  for (const height of ['300px', '2400px', '731.5px']) {
    await page.evaluate((next) => document.querySelector('iframe')?.style.setProperty('height', next), height);
    // More drawn frames than the widget would need to answer its new height.
    await host.frame().evaluate(async () => {
      for (let drawn = 0; drawn < 5; drawn += 1) await new Promise(requestAnimationFrame);
    });
  }
  expect(await told(page)).toEqual(before);
  await page.evaluate(
    (height) => document.querySelector('iframe')?.style.setProperty('height', `${height}px`),
    before.at(-1),
  );

  // A sheet opens beside its button, and not at the end of a frame that is longer than the window.
  await host.widget.getByRole('button', { name: 'India' }).click();
  const sheet = host.widget.getByRole('dialog');
  await expect.poll(() => sheet.evaluate((dialog) => dialog.getBoundingClientRect().top)).toBeLessThan(60);
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);

  await host.widget.getByRole('button', { name: 'Bank card' }).first().click();
  await host.widget.getByRole('textbox', { name: 'Amount' }).waitFor();
  await expect.poll(async () => (await told(page)).at(-1)).not.toBe(before.at(-1));
  await expect.poll(fits).toBe(true);
});

test('[UI-9] a look comes with the first screen, and another while it is open; what cannot be read is moved', async ({
  page,
  stack,
  site,
}) => {
  const host = new HostPage(page, stack, site);
  const appearance = { theme: 'light', variables: { surface: '#fffdf8', muted: 'silver', 'radius-l': '4px' } };
  await host.open('/deposit', { payload: { appearance } });
  const card = host.widget.getByRole('button', { name: 'Bank card' }).first();
  await expect(card).toHaveCSS('border-radius', '4px');
  await expect(card).toHaveCSS('background-color', 'rgb(255, 253, 248)');
  const errors = () =>
    page.evaluate(() =>
      window.said.filter(({ messageType }) => messageType === 'error').map(({ payload }) => payload['code']),
    );
  await expect.poll(errors).toEqual(['contrast-corrected']);

  await page.evaluate(() =>
    window.tellCashier({
      messageType: 'appearance-updated',
      payload: { theme: 'dark', variables: {}, darkVariables: { surface: '#221430', position: 'fixed' } },
    }),
  );
  await expect(card).toHaveCSS('background-color', 'rgb(34, 20, 48)');
  await expect(card).toHaveCSS('border-radius', '16px');
  await expect.poll(errors).toEqual(['contrast-corrected', 'host-field-defaulted']);

  // With reduced motion nothing moves.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await host.widget.getByRole('button', { name: 'India' }).click();
  await expect(host.widget.getByRole('dialog')).toHaveCSS('animation-duration', '0.001s');
});

test('[UI-9] [LIST-1] the drawn list appears with the host’s look, and React continues it', async ({
  page,
  stack,
  site,
}) => {
  const scripts = await holdScripts(page);
  const host = new HostPage(page, stack, site);
  const appearance = { variables: { surface: '#fff4d6', 'radius-l': '4px' } };
  const opened = host.open('/deposit?locale=en&country=IN&currency=INR&look=1', {
    country: 'IN',
    currency: 'INR',
    payload: { appearance },
  });
  const card = host.widget.getByRole('button', { name: 'Bank card' });
  const shape = host.widget.getByRole('status', { name: 'Cashier' });
  await expect(shape).toBeVisible();
  await expect(card).toBeHidden();
  await expect(host.widget.locator('#root button[data-opens="method card"]')).toHaveCount(1);
  await host.frame().evaluate(() => document.querySelector('main')?.setAttribute('data-drawn-once', ''));
  scripts.let();
  await opened;
  await expect(card).toBeVisible();
  await expect(shape).toBeHidden();
  await expect(card).toHaveCSS('background-color', 'rgb(255, 244, 214)');
  await expect(host.widget.locator('main[data-drawn-once]')).toHaveCount(1);
  await card.click();
  await expect(host.widget.getByRole('textbox', { name: 'Amount' })).toBeVisible();
});
