/** The SDK as one script in a page without a bundler: its further parts load, also under a strict policy of the page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchConsole } from '../stack/console-watch.ts';
import { openSdkPage, serveSdk } from '../stack/sdk-page.ts';
import { StaticSite } from '../stack/static-site.ts';
import { expect, test } from '../stack/test.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/integrate.md'), 'utf8');

test('[HOST-1] the page of the guide works as it stands there', async ({ page, stack, site }) => {
  const complaints = watchConsole(page);
  const [, snippet = ''] = /```html\n(<script src="\/cashier\.global\.js">[\s\S]*?)```/.exec(guide) ?? [];
  serveSdk(site);
  const parts: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(`${site.origin}/`)) parts.push(new URL(request.url()).pathname);
  });
  const token = await stack.mintToken({ userId: 'guide-reader', currency: 'EUR', country: 'DE' });
  await page.route(`${site.origin}/api/cashier-token`, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ body: token }) : route.fulfill({ status: 405 }),
  );
  const written = snippet
    .replaceAll('https://pay.example.com', stack.cashierUrl)
    .replaceAll('partner="acme"', 'partner="demo"')
    .replace('src="/cashier.global.js"', 'src="/sdk/cashier.global.js"');
  expect(written).toContain('<open-cashier');
  await page.goto(
    site.page('/guide', `<!doctype html><title>Guide</title><button id="deposit">Pay</button>${written}`),
  );
  await page.getByRole('button', { name: 'Pay' }).click();
  const widget = page.frameLocator('iframe[title=Cashier]');
  await expect(widget.getByRole('heading', { name: 'Deposit method' })).toBeVisible();
  await widget.getByRole('button', { name: 'Close' }).click();
  await expect(page.locator('open-cashier dialog, dialog.open-cashier')).toHaveCount(0);
  expect(parts).toContain('/sdk/element-class.js');
  expect(complaints).toEqual([]);
});

test.describe('a page whose policy allows only itself, the place of the script and the cashier', () => {
  let assets: StaticSite;
  test.beforeAll(async () => {
    assets = await StaticSite.start('127.0.0.1');
  });
  test.afterAll(() => assets.stop());

  test('[HOST-1] [HOST-7] every part comes, from another origin, too', async ({ page, stack, site }) => {
    const complaints = watchConsole(page);
    const sdk = serveSdk(assets, { 'access-control-allow-origin': '*' });
    await openSdkPage(page, stack, site, {
      // Without the attribute a browser does not reveal the script's address, and the SDK could not find its parts.
      sdk: `<script crossorigin src="${sdk}"></script>`,
      policy: `default-src 'none'; script-src 'self' ${assets.origin}; frame-src ${stack.cashierUrl}; connect-src ${stack.cashierUrl}; style-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    });
    await expect.poll(() => page.evaluate(() => customElements.get('open-cashier') !== undefined)).toBe(true);
    await page.evaluate(() => {
      window.handle.deposit({ amount: '25.00', method: 'card' }).then((outcome) => {
        window.outcomes['deposit'] = outcome;
      });
    });
    const widget = page.frameLocator('iframe[title=Cashier]');
    await expect(widget.getByRole('textbox', { name: 'Amount' })).toHaveValue('25.00');
    // The dialog has its width, although the policy forbids inline styles.
    expect(await page.locator('dialog').evaluate((dialog) => getComputedStyle(dialog).borderRadius)).not.toBe('0px');
    await page.evaluate(() => window.handle.destroy());
    await expect.poll(() => page.evaluate(() => window.outcomes)).toEqual({ deposit: { status: 'closed' } });
    expect(complaints).toEqual([]);
  });

  test('[HOST-1] parts that cannot be fetched are said, and the cashier still opens', async ({ page, stack, site }) => {
    const complaints = watchConsole(page);
    const sdk = serveSdk(assets, {});
    await openSdkPage(page, stack, site, { sdk: `<script src="${sdk}"></script>` });
    const refused = await page.evaluate(() => window.handle.deposit().catch((error: Error) => error.message));
    expect(refused).toContain('payments.js');
    await expect(page.locator('iframe')).toHaveCount(0);
    await page.evaluate(() => window.handle.open());
    const widget = page.frameLocator('iframe[title=Cashier]');
    await expect(widget.getByRole('heading', { name: 'Deposit method' })).toBeVisible();
    expect(complaints.join()).toContain('element-class.js');
  });
});
