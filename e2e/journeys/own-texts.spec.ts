/** An operator replaces texts of the cashier while it runs, and a page shows them after a reload: drawn by the server, too. */
import type { Page } from '@playwright/test';
import { holdScripts } from '../stack/held-scripts.ts';
import { HostPage } from '../stack/host-page.ts';
import type { Stack } from '../stack/stack.ts';
import { expect, test } from '../stack/test.ts';

const payer = { country: 'IN', currency: 'INR' };
const english = '/deposit?locale=en&country=IN&currency=INR';

async function ask(stack: Stack, path: string, body?: object): Promise<{ version: number; locales: object }> {
  const answer = await fetch(`${stack.cashierUrl}/operator/v1/texts${path}`, {
    method: body === undefined ? 'GET' : 'PUT',
    headers: { authorization: `Bearer ${stack.operatorKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`texts answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { version: number; locales: object };
}

async function replaceTexts(stack: Stack, locale: string, texts: Record<string, string>): Promise<void> {
  const { version } = await ask(stack, '');
  await ask(stack, `/${locale}`, { version, staff: 'maria', texts });
}

/** The files of texts that the page asks for from now on, below the server. */
function textFilesOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/cashier\/(?:texts|static\/locales)\//.test(pathname)) asked.push(pathname);
  });
  return asked;
}

test.afterEach(async ({ stack }) => {
  for (const locale of Object.keys((await ask(stack, '')).locales)) await replaceTexts(stack, locale, {});
});

test('[UI-1] [LIST-1] an own text is in the page after a reload: in the drawing, in the code, and in one request', async ({
  page,
  stack,
  site,
}) => {
  const host = new HostPage(page, stack, site);
  const asked = textFilesOf(page);
  await host.open(english, payer);
  const title = host.widget.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Deposit method');
  expect(new Set(asked)).toEqual(
    new Set([expect.stringMatching(/^\/cashier\/static\/locales\/en\.[0-9a-f]{8}\.json$/)]),
  );

  await replaceTexts(stack, 'en', { 'title.depositMethod': 'How would you like to pay?' });
  asked.length = 0;
  await host.show(`${english}&again`);
  await expect(title).toHaveText('How would you like to pay?');
  await expect(host.widget.getByText('₹0.00')).toBeVisible();
  await expect(title).toHaveText('How would you like to pay?');
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatch(/^\/cashier\/texts\/demo\/\d+-[0-9a-f]{8}\/en\.[0-9a-f]{8}\.json$/);

  const html = await (await fetch(host.address(english))).text();
  expect(html).toContain('data-drawn');
  expect(html).toContain('How would you like to pay?');
  expect(html).not.toContain('Deposit method');
});

test('[UI-1] [LIST-1] the code continues from a drawing with own texts, and does not draw it again', async ({
  page,
  stack,
  site,
}) => {
  await replaceTexts(stack, 'en', { 'title.depositMethod': 'How would you like to pay?' });
  const scripts = await holdScripts(page);
  const host = new HostPage(page, stack, site);
  const opened = host.open(english, payer);
  await expect(host.widget.getByRole('heading', { level: 1 })).toHaveText('How would you like to pay?');
  await host.frame().evaluate(() => document.querySelector('main')?.setAttribute('data-drawn-once', ''));
  scripts.let();
  await opened;
  await expect(host.widget.getByText('₹0.00')).toBeVisible();
  await expect(host.widget.locator('main[data-drawn-once]')).toHaveCount(1);
});

test('[UI-1] an Arabic own text is shown, and its other texts are as built', async ({ page, stack, site }) => {
  const hint = 'شغّل VPN واختر بلدًا آخر';
  await replaceTexts(stack, 'ar', { 'empty.hint': hint });
  const host = new HostPage(page, stack, site);
  await host.open('/empty?locale=ar', { payload: { locale: 'ar' } });
  await expect(host.widget.getByText(hint)).toBeVisible();
  await expect(host.widget.getByText('لا توجد طرق دفع متاحة لهذه المنطقة')).toBeVisible();
  await expect(host.widget.locator('html')).toHaveAttribute('dir', 'rtl');
});

test('[UI-1] [ERR-6] without the file of own texts the built texts are shown, and the host hears of it', async ({
  page,
  stack,
  site,
}) => {
  await replaceTexts(stack, 'en', { 'title.depositMethod': 'How would you like to pay?' });
  await page.route(/\/cashier\/texts\//, (route) => route.abort());
  const host = new HostPage(page, stack, site);
  await host.open(english, payer);
  await expect(host.widget.getByText('₹0.00')).toBeVisible();
  await expect(host.widget.getByRole('heading', { level: 1 })).toHaveText('Deposit method');
  const errors = await page.evaluate(() => window.said.filter(({ messageType }) => messageType === 'onLocaleError'));
  expect(errors).toEqual([{ messageType: 'onLocaleError', payload: { message: 'Own texts receiving error en' } }]);
});
