/** The first list of methods comes with the page, before the code, and the code continues from it. */
import type { Page } from '@playwright/test';
import { HostPage } from '../stack/host-page.ts';
import { expect, test } from '../stack/test.ts';

const india = 'locale=en&country=IN&currency=INR';
const payer = { country: 'IN', currency: 'INR' };

/** Holds back every script of the widget until `let` is called. */
async function holdScripts(page: Page): Promise<{ let(): void }> {
  let go = (): void => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  return { let: () => go() };
}

/** Opens the host's page without waiting for the widget, whose scripts are held back. */
function openSoon(host: HostPage, path: string, options: Parameters<HostPage['open']>[1]): Promise<void> {
  return host.open(path, options);
}

const shiftOf = (host: HostPage): Promise<number> =>
  host.frame().evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((entries) => {
          const shifts = entries.getEntries() as (PerformanceEntry & { value: number })[];
          resolve(shifts.reduce((sum, { value }) => sum + value, 0));
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(0), 500);
      }),
  );

for (const direction of ['deposit', 'withdrawal'] as const) {
  test(`[LIST-1] [LIST-2] [UI-5] the list of a ${direction} is there before any script, and is taken over without moving`, async ({
    page,
    stack,
    site,
  }) => {
    const scripts = await holdScripts(page);
    const host = new HostPage(page, stack, site);
    const opened = openSoon(host, `/${direction}?${india}`, payer);
    const first = host.widget.getByRole('main').getByRole('listitem').first();
    await expect(first).toBeVisible();
    await expect(host.widget.getByRole('heading', { level: 1 })).toBeVisible();
    await host.frame().evaluate(() => {
      document.querySelector('main')?.setAttribute('data-drawn-once', '');
    });
    scripts.let();
    await opened;
    // The user's own answer, which brings the balance.
    await expect(host.widget.getByText('₹0.00')).toBeVisible();
    await expect(host.widget.locator('main[data-drawn-once]')).toHaveCount(1);
    expect(await shiftOf(host)).toBe(0);
  });
}

test('[LIST-4] a tap before the code is shown at once, and carried out once when the code is there', async ({
  page,
  stack,
  site,
}) => {
  const scripts = await holdScripts(page);
  const host = new HostPage(page, stack, site);
  const opened = openSoon(host, `/deposit?${india}`, payer);
  const card = host.widget.getByRole('button', { name: 'Bank card' });
  const voucher = host.widget.getByRole('button', { name: 'Gift voucher' });
  await voucher.click();
  await card.click();
  // The last tap counts.
  await expect(card).toHaveAttribute('data-pressed', '');
  await expect(voucher).not.toHaveAttribute('data-pressed');
  scripts.let();
  await opened;
  await expect(host.widget.getByRole('textbox', { name: 'Amount' })).toBeVisible();
  expect(host.path()).toMatch(/^\/deposit\/redirect\/card/);
  await expect(host.widget.getByRole('heading', { level: 1 })).toBeFocused();
  await host.widget.getByRole('button', { name: 'Back' }).click();
  await expect(card).toBeVisible();
  expect(host.path()).toBe('/deposit');
});

test('[LIST-3] [HOST-2] the payload wins over the address: another country, and the tap finds its method there', async ({
  page,
  stack,
  site,
}) => {
  const scripts = await holdScripts(page);
  const host = new HostPage(page, stack, site);
  const opened = openSoon(host, `/deposit?locale=en&country=DE&currency=EUR`, payer);
  const card = host.widget.getByRole('button', { name: 'Bank card' });
  await card.click();
  scripts.let();
  await opened;
  await expect(host.widget.getByRole('textbox', { name: 'Amount' })).toBeVisible();
  await expect(host.widget.getByText('INR')).toBeVisible();
});

test('[UI-2] [HOST-8] an Arabic list is drawn from the right, in its own words, and is taken over', async ({
  page,
  stack,
  site,
}) => {
  const host = new HostPage(page, stack, site);
  const options = { ...payer, payload: { locale: 'ar-EG' } };
  const response = page.waitForResponse((answer) => answer.url().includes('/cashier/deposit'));
  await host.open('/deposit?locale=ar-EG&country=IN&currency=INR&theme=dark', options);
  const html = await (await response).text();
  expect(html).toMatch(/<html lang="ar" dir="rtl" data-theme="dark">/);
  expect(html).toContain('طريقة الإيداع');
  await expect(host.widget.locator('html')).toHaveAttribute('dir', 'rtl');
  expect(await shiftOf(host)).toBe(0);
});

for (const [what, query] of [
  ['an unknown country', 'locale=en&country=XX&currency=INR'],
  ['an unknown currency', 'locale=en&country=IN&currency=ZZZ'],
  ['markup', `locale=en&country=${encodeURIComponent('"><script>alert(1)</script>')}&currency=INR`],
  ['thousands of characters', `locale=en&country=IN&currency=INR&country=${'x'.repeat(6000)}`],
] as const) {
  test(`[LIST-1] ${what} in the address gives the page without a list, and the list comes later`, async ({
    page,
    stack,
    site,
  }) => {
    const host = new HostPage(page, stack, site);
    const html = await (await page.request.get(host.address(`/deposit?${query}`))).text();
    expect(html).not.toContain('id="first-list"');
    expect(html).not.toContain('alert(1)');
    await host.open(`/deposit?${query}`, payer);
    await expect(host.widget.getByRole('button', { name: 'Bank card' })).toBeVisible();
  });
}
