/** Faults of a host, in a browser: the SDK and the doctor's page report each fault in one sentence with its remedy. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { openSdkPage, type SdkPage } from '../stack/sdk-page.ts';
import type { Stack } from '../stack/stack.ts';
import { StaticSite } from '../stack/static-site.ts';
import { expect, test } from '../stack/test.ts';

/** Any font will do. Playwright has one. */
const fonts = join(
  dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')),
  'lib/vite/recorder/assets',
);
const someFont = () => readFileSync(join(fonts, readdirSync(fonts).find((name) => name.endsWith('.ttf')) ?? 'no font'));
const problems = (page: Page) => page.evaluate(() => window.problems);
/** What is wrong, then what to do: after a colon or in a second sentence. */
const sentence = expect.stringMatching(/^.+[.:] .+\.$/s);
const widgetOf = (page: Page) => page.frameLocator('iframe[title=Cashier]');

/** Moves the clock until the SDK gives up waiting for the widget. */
async function outwait(page: Page): Promise<void> {
  await expect(page.locator('iframe[title=Cashier]')).toBeAttached();
  await page.clock.fastForward(15_000);
}

const faults: readonly (readonly [string, string, (stack: Stack) => SdkPage, isSilent: boolean])[] = [
  [
    'a policy that forbids the frame',
    'frame-policy',
    ({ cashierUrl }) => ({
      policy: `default-src 'self'; script-src 'self'; frame-src 'self'; connect-src 'self' ${cashierUrl}`,
    }),
    true,
  ],
  [
    'a policy that forbids the frame and every question',
    'frame-policy',
    () => ({ policy: "default-src 'self'" }),
    true,
  ],
  ['a partner that nobody knows', 'partner-unknown', () => ({ options: { partner: 'nobody' } }), true],
  ['a token that the cashier did not make', 'token-refused', () => ({ token: 'not-a-token' }), false],
  ['no token', 'token-missing', () => ({ token: '' }), false],
  ['the secret key in place of a token', 'token-is-secret-key', ({ operatorKey }) => ({ token: operatorKey }), false],
  [
    'another user than that of the token',
    'user-differs',
    () => ({ options: { payload: { userId: 'mallory', currency: 'USD', paymentGeo: 'IN' } } }),
    false,
  ],
];

for (const [fault, code, wanted, isSilent] of faults) {
  test(`[HOST-7] [HOST-11] the SDK names ${fault}`, async ({ page, stack, site }) => {
    if (isSilent) await page.clock.install();
    await openSdkPage(page, stack, site, wanted(stack));
    await page.evaluate(() => window.handle.open());
    if (isSilent) await outwait(page);
    await expect.poll(() => problems(page)).toContainEqual({ code, message: sentence });
  });
}

test('[HOST-7] the SDK and the page of the doctor name an origin that is not on the list', async ({ page, stack }) => {
  const stranger = await StaticSite.start('127.0.0.1');
  try {
    await page.clock.install();
    await openSdkPage(page, stack, stranger);
    await page.evaluate(() => window.handle.open());
    await outwait(page);
    await expect.poll(() => problems(page)).toEqual([{ code: 'origin-not-listed', message: sentence }]);
    await page.goto(`${stack.cashierUrl}/doctor?${new URLSearchParams({ partner: 'demo', origin: stranger.origin })}`);
    await expect(page.getByRole('status')).toHaveText('1 problem keeps the cashier from working.');
    await expect(page.getByText(`opencashier add-origin demo ${stranger.origin}`)).toBeVisible();
  } finally {
    await stranger.stop();
  }
});

test('[HOST-11] the form of the doctor takes token, user and policy, and names each fault', async ({
  page,
  stack,
  site,
}) => {
  await page.goto(`${stack.cashierUrl}/doctor?partner=demo`);
  const token = await stack.mintToken({ userId: 'u-1', currency: 'USD', country: 'IN' });
  await page.getByLabel('Origin of your page').fill(site.origin);
  await page.getByLabel('userId of the payload').fill('u-2');
  await page.getByLabel('User token').fill(token);
  await page.getByLabel('Content-Security-Policy header').fill("default-src 'self'");
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(page.getByRole('status')).toHaveText('2 problems keep the cashier from working.');
  await expect(page.getByText('`userId` and the token name different users')).toBeVisible();
  await expect(page.getByText(`Add \`frame-src ${stack.cashierUrl}\``)).toBeVisible();
  expect(page.url()).not.toContain(token);
});

test.describe('[HOST-11] the page of the doctor compares the headers that a proxy passed on', () => {
  const faults: readonly (readonly [string, (policy: string) => Record<string, string>, RegExp, string])[] = [
    ['nothing', () => ({}), /arrives with the frame rules/, 'No problem was found.'],
    [
      'X-Frame-Options beside the policy',
      () => ({ 'x-frame-options': 'DENY' }),
      /X-Frame-Options: DENY.*Remove it in the proxy/,
      'No problem was found.',
    ],
    [
      'other frame-ancestors',
      (policy) => ({ 'content-security-policy': policy.replace(/frame-ancestors [^;]+/, "frame-ancestors 'self'") }),
      /arrived with `frame-ancestors 'self'`.*unchanged/,
      '1 problem keeps the cashier from working.',
    ],
  ];
  for (const [change, changed, message, summary] of faults) {
    test(`changed: ${change}`, async ({ page, stack }) => {
      await page.route('**/cashier/deposit?*', async (route) => {
        const response = await route.fetch();
        const headers = response.headers();
        await route.fulfill({
          response,
          headers: { ...headers, ...changed(headers['content-security-policy'] ?? '') },
        });
      });
      await page.goto(`${stack.cashierUrl}/doctor?partner=demo`);
      await expect(page.getByRole('listitem').filter({ hasText: 'Headers of the cashier’s page' })).toContainText(
        message,
      );
      await expect(page.getByRole('status')).toHaveText(summary);
    });
  }
});

test.describe('fonts and a logo of the operator', () => {
  let foreign: StaticSite;
  test.beforeAll(async () => {
    foreign = await StaticSite.start('127.0.0.1');
  });
  test.afterAll(() => foreign.stop());

  test('[UI-9] [SRV-9] load from an origin of the list; others are refused, and the host hears it', async ({
    page,
    stack,
    site,
  }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const picture =
      '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="28"><rect width="90" height="28"/></svg>';
    const open = { 'access-control-allow-origin': '*' };
    const logoAt = (place: StaticSite) =>
      place.file('/logo.svg', picture, { 'content-type': 'image/svg+xml', ...open });
    const fontAt = (place: StaticSite) => place.file('/own.ttf', someFont(), { 'content-type': 'font/ttf', ...open });
    const look = (place: StaticSite) => ({
      variables: { font: "'Own', system-ui" },
      logo: { src: logoAt(place), name: 'Own' },
      fonts: [{ family: 'Own', src: fontAt(place) }],
    });
    const show = async (place: StaticSite) => {
      const payload = { currency: 'USD', paymentGeo: 'IN', appearance: look(place) };
      await openSdkPage(page, stack, site, { options: { payload } });
      await page.evaluate(() => window.handle.open());
      await expect(widgetOf(page).getByRole('heading', { name: 'Deposit method' })).toBeVisible();
    };
    const messages = async () => (await page.evaluate(() => window.errors)).map(({ message }) => message).sort();
    const isFontLoaded = () =>
      widgetOf(page)
        .locator('html')
        .evaluate(() => document.fonts.check("16px 'Own'", 'a'));

    await show(site);
    await expect
      .poll(() => asked.filter((url) => url.startsWith(site.origin)).map((url) => new URL(url).pathname))
      .toEqual(expect.arrayContaining(['/logo.svg', '/own.ttf']));
    await expect.poll(isFontLoaded).toBe(true);
    expect(await messages()).toEqual([]);

    await show(foreign);
    await expect
      .poll(messages)
      .toEqual([
        expect.stringMatching(/^The font Own could not be loaded/),
        expect.stringMatching(/^The logo could not be loaded/),
      ]);
  });
});
