import { expectNoViolation } from '../stack/accessible.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

test.use({ viewport: { width: 390, height: 800 } });

test('[BON-1] [BON-2] [BON-3] a bonus of the operator is seen, read, chosen and goes with the deposit', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'INR', country: 'IN', transport: 'http' });
  const created: Record<string, unknown>[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/deposit-create')) created.push(request.postDataJSON() as Record<string, unknown>);
  });
  await demo.openCashier();
  const section = demo.widget.getByRole('region', { name: 'Bonuses' });
  const banner = section.getByRole('button', { name: 'Welcome bonus' });
  await expect(banner).toBeVisible();
  await expect(banner).toContainText(/\d\d:\d\d:\d\d/);
  await expectNoViolation(demo.widget, 'the banner');

  await banner.press('Enter');
  await expect(demo.widget.getByRole('heading', { name: 'Welcome bonus' })).toBeVisible();
  await expect(demo.widget.getByText('Maximum withdrawal')).toBeVisible();
  await expectNoViolation(demo.widget, 'the bonus');
  await demo.widget.getByRole('button', { name: 'Quick bonus' }).click();
  await demo.widget.getByRole('button', { name: 'Use this bonus' }).click();
  await demo.widget.getByRole('button', { name: 'Choose a payment method' }).click();

  await demo.choose('Bank card');
  await demo.widget.getByRole('textbox', { name: 'Amount' }).fill('1500');
  await expect(demo.widget.getByText(/^Bonus \+.*₹750\.?/)).toBeVisible();
  await expectNoViolation(demo.widget, 'the form with a bonus');
  const details = demo.widget.getByRole('button', { name: 'Details' });
  const pressed = await details.evaluate((button) => {
    const { left, top, width, height } = button.getBoundingClientRect();
    const at = (y: number) => document.elementFromPoint(left + width / 2, y) === button;
    return [at(top + height / 2 - 21), at(top + height / 2 + 21)];
  });
  expect(pressed, 'a target of 44 px').toEqual([true, true]);
  const toggle = demo.widget.getByRole('switch', { name: /Quick bonus/ });
  await toggle.press('Space');
  await expect(toggle).not.toBeChecked();
  await toggle.press('Space');
  const popup = page.waitForEvent('popup');
  await demo.widget.getByRole('button', { name: /^Deposit/ }).click();
  await (await popup).getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(demo.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  expect(created).toMatchObject([{ isActivatedBonus: true, bonusId: expect.stringMatching(/^boost_inr/) }]);
});

test('[UI-5] the banner takes a place that is kept for it: nothing moves when it comes', async ({ page, stack }) => {
  const demo = new DemoPage(page);
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await demo.open(stack, { currency: 'INR', country: 'IN' });
  await demo.openCashier();
  await expect(demo.widget.getByRole('button', { name: 'Welcome bonus' })).toBeVisible();
  const shifts = await demo.widget.locator('html').evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.001);
});
