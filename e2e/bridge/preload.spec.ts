/** `cashier.preload()`: what is loaded beforehand costs the page nothing but traffic, and is shown without another load. */
import type { Frame, Page } from '@playwright/test';
import { openSdkPage } from '../stack/sdk-page.ts';
import type { Stack } from '../stack/stack.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

declare global {
  interface Window {
    /** Set in a document of the widget, to know it again. */
    mark?: string;
  }
}

const widgetOf = (page: Page) => page.frameLocator('iframe[title=Cashier]');
const listIn = (page: Page) => widgetOf(page).getByRole('heading', { name: 'Deposit method' });
const frameOf = (page: Page, { cashierUrl }: Stack): Frame | undefined =>
  page.frames().find((frame) => frame.url().startsWith(cashierUrl));

/** Waits until the widget has said `Loaded`: it takes `preload` out of its address just before. Marks its document. */
async function untilWaiting(page: Page, stack: Stack): Promise<void> {
  await expect.poll(() => frameOf(page, stack)?.url()).toMatch(/partner=demo(?!.*preload)/);
  await frameOf(page, stack)?.evaluate(() => {
    window.mark = 'preloaded';
  });
}

/** Counts the requests of a page by their path, documents of the widget among them. */
function countRequests(page: Page) {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  return (path: string) => paths.filter((one) => one === path).length;
}

/** What a user of the page could notice. */
const traces = (page: Page) =>
  page.evaluate(() => ({
    scroll: [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
    focus: document.activeElement?.id,
    history: history.length,
    open: document.querySelectorAll('dialog[open]').length,
  }));

test('[HOST-1] the pointer over Deposit loads the cashier without a trace or a token, and the press shows that frame', async ({
  page,
  stack,
}) => {
  const requests = countRequests(page);
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'USD', country: 'IN' });
  const before = await traces(page);
  const deposit = page.getByRole('button', { name: 'Deposit', exact: true });
  await deposit.hover();
  await untilWaiting(page, stack);
  await expect(page.locator('iframe[title=Cashier]')).toBeHidden();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await traces(page)).toEqual(before);
  expect(requests('/api/cashier-token')).toBe(0);
  const documents = requests('/cashier/deposit');
  expect(documents).toBeGreaterThan(0);

  await deposit.click();
  await expect(listIn(page)).toBeVisible();
  expect(await frameOf(page, stack)?.evaluate(() => window.mark)).toBe('preloaded');
  expect(requests('/cashier/deposit')).toBe(documents);
  expect(requests('/api/cashier-token')).toBe(1);
});

test('[HOST-12] a preloaded cashier waits for minutes, out of reach of the keyboard, and is one load', async ({
  page,
  stack,
  site,
}) => {
  const requests = countRequests(page);
  await page.clock.install();
  await openSdkPage(page, stack, site, { after: `document.body.append(document.createElement('button'))` });
  await page.evaluate(() => window.handle.preload());
  await untilWaiting(page, stack);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('IFRAME');
  // It is laid out already, at the size that it will have.
  const size = () => frameOf(page, stack)?.evaluate(() => [innerWidth, innerHeight]);
  const sizeBefore = await size();
  await page.clock.fastForward(9 * 60_000);
  expect(await page.evaluate(() => window.handle.isOpen)).toBe(false);
  await page.evaluate(() => window.handle.open());
  await expect(listIn(page)).toBeVisible();
  expect(await page.evaluate(() => [window.problems, window.errors])).toEqual([[], []]);
  expect(sizeBefore?.every((side) => side > 0)).toBe(true);
  expect(await size()).toEqual(sizeBefore);
  expect(await frameOf(page, stack)?.evaluate(() => window.mark)).toBe('preloaded');
  expect(requests('/cashier/deposit')).toBe(1);
});

test('[HOST-11] a token that fails at the opening is asked for again by the usual widget, and Back stays on the page', async ({
  page,
  stack,
  site,
}) => {
  const requests = countRequests(page);
  await openSdkPage(page, stack, site, {
    atToken: `outcomes.tokens = (outcomes.tokens ?? 0) + 1; if (outcomes.tokens === 1) throw new Error('503');`,
  });
  const before = await traces(page);
  await page.evaluate(() => window.handle.preload());
  await untilWaiting(page, stack);
  await page.evaluate(() => window.handle.open());
  await expect(listIn(page)).toBeVisible();
  expect(await page.evaluate(() => window.outcomes['tokens'])).toBe(2);
  expect(await frameOf(page, stack)?.evaluate(() => window.mark)).toBeUndefined();
  expect(requests('/cashier/deposit')).toBe(2);
  expect((await traces(page)).history).toBe(before.history);
});

test('[HOST-1] an inline cashier that was closed is preloaded and shown in its place', async ({
  page,
  stack,
  site,
}) => {
  const requests = countRequests(page);
  await openSdkPage(page, stack, site, { options: { mode: 'inline', container: '#cashier' } });
  await expect(listIn(page)).toBeVisible();
  await page.evaluate(() => window.handle.close());
  await expect(page.locator('iframe')).toHaveCount(0);
  const before = await traces(page);
  await page.evaluate(() => window.handle.preload());
  await untilWaiting(page, stack);
  await expect(page.locator('iframe')).toBeHidden();
  expect(await traces(page)).toEqual(before);
  await page.evaluate(() => window.handle.open());
  await expect(listIn(page)).toBeVisible();
  expect(await frameOf(page, stack)?.evaluate(() => window.mark)).toBe('preloaded');
  expect(requests('/cashier/deposit')).toBe(2);
});
