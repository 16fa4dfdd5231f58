import type { Page } from '@playwright/test';
import { expectNoSidewaysScroll } from '../stack/accessible.ts';
import { HostPage } from '../stack/host-page.ts';
import { DemoPage, expect, test } from '../stack/test.ts';
import { expectAccessibleInEachLook, markTexts } from './every-look.ts';

test('[UI-3] a wrong amount and a result have no violation in both themes, English, Arabic and Hindi', async ({
  page,
  stack,
  site,
}) => {
  await markTexts(page);
  await page.setViewportSize({ width: 390, height: 800 });
  const host = new HostPage(page, stack, site);
  const { widget } = host;
  await host.open('/deposit/redirect/card');
  const amount = widget.getByRole('textbox').first();
  await amount.fill('1');
  await amount.blur();
  await expect(amount).toHaveAttribute('aria-invalid', 'true');
  await expectAccessibleInEachLook(host, 'payment with an error');
  await amount.fill('25');
  const popup = page.waitForEvent('popup');
  await widget.locator('button[type=submit]').click();
  await (await popup).getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(widget.getByRole('heading', { name: /complete\.added/ })).toBeVisible();
  await expectAccessibleInEachLook(host, 'result');
});

test('[UI-4] no screen of a deposit scrolls sideways at 320 pixels', async ({ page, stack }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'INR', country: 'IN' });
  await demo.openCashier();
  await expect(demo.widget.getByRole('button', { name: /^Bank card/ }).first()).toBeVisible();
  await expectNoSidewaysScroll(demo.widget, 'list');
  await demo.choose('Bank card');
  await demo.widget.getByRole('textbox', { name: 'Amount' }).fill('100000');
  await expectNoSidewaysScroll(demo.widget, 'payment');
});

test('[UI-3] a deposit can be made with the keyboard alone', async ({ page, stack }) => {
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'USD', country: 'IN' });
  await page.getByRole('button', { name: 'Deposit', exact: true }).press('Enter');
  await expect(demo.widget.getByRole('button', { name: /^Bank card/ }).first()).toBeVisible();
  await tabTo(page, demo, /^Bank card/);
  await page.keyboard.press('Enter');
  await expect(demo.widget.getByRole('textbox', { name: 'Amount' })).toBeVisible();
  await tabTo(page, demo, /^Amount/);
  await page.keyboard.type('25');
  const popup = page.waitForEvent('popup');
  await page.keyboard.press('Enter');
  const pay = await popup;
  await pay.getByRole('button', { name: 'Approve', exact: true }).press('Enter');
  await expect(demo.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  await expect.poll(() => demo.balanceAmount()).toBe(2500n);
});

test('[UI-5] nothing moves when the list lands', async ({ page, stack }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'INR', country: 'IN' });
  await demo.openCashier();
  await expect(demo.widget.getByRole('button', { name: /^Bank card/ }).first()).toBeVisible();
  const shifts = await demo.widget.locator('html').evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts).toEqual([]);
});

/** Presses Tab until the element with this name has the focus in the widget. */
async function tabTo(page: Page, demo: DemoPage, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    const focused = await demo.widget.locator(':focus').count();
    if (focused === 0) continue;
    const match = demo.widget.getByRole('button', { name }).or(demo.widget.getByRole('textbox', { name }));
    for (const candidate of await match.all()) {
      if (await candidate.evaluate((element) => element === document.activeElement)) return;
    }
  }
  throw new Error(`Tab never reached ${name}`);
}
