import { DemoPage, expect, test } from '../stack/test.ts';

test('the page of the demo fits a narrow phone', async ({ page, stack }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'INR', country: 'IN' });
  await expect(demo.balance).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});
