/**
 * Tests every platform's channel with the real cashier: the test injects the app's objects and lists the messages that the app would
 * get. Hosts that a browser can show are the real reference hosts.
 */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { watchConsole } from '../stack/console-watch.ts';
import { atProvider } from '../stack/sandbox-control.ts';
import type { Stack } from '../stack/stack.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

test.describe.configure({ mode: 'default' });
test.use({ viewport: { width: 390, height: 800 }, stackOptions: [{ isProviderElsewhere: true }, { scope: 'worker' }] });

interface Said {
  readonly messageType: string;
  readonly payload: Record<string, unknown>;
}

const shell = readFileSync(new URL('../../apps/demo/hosts/webview/cashier-host.js', import.meta.url), 'utf8');

/** The objects that each app injects before the page's own scripts. `take` gets JSON text. */
const channels = {
  ios: `window.webkit = { messageHandlers: { cashier: { postMessage: take } } };`,
  android: `window.cashierBridge = { postMessage: take };`,
  'React Native': `window.ReactNativeWebView = { postMessage: take };
    window.cashierBridge = (json) => window.ReactNativeWebView.postMessage(json);`,
  Flutter: `window.cashierBridge = { postMessage: (json) => take(json) };`,
} as const;
type Channel = keyof typeof channels;

let guests = 0;
function guestName(): string {
  guests += 1;
  return `guest-${process.pid}x${guests}`;
}

/** An app around a page: answers `Loaded` with the property, as the reference hosts do. */
class App {
  readonly said: Said[] = [];
  readonly userId = guestName();
  readonly page: Page;
  token = '';
  readonly #stack: Stack;

  private constructor(page: Page, stack: Stack) {
    this.page = page;
    this.#stack = stack;
  }

  static async start(page: Page, stack: Stack, channel: Channel, more: Record<string, unknown> = {}): Promise<App> {
    const app = new App(page, stack);
    const payload = { ...(await app.payload()), platform: channel === 'ios' ? 'ios' : 'android', ...more };
    await page.exposeFunction('appHears', (json: string) => {
      const said = JSON.parse(json) as Said;
      app.said.push(said);
    });
    await page.addInitScript(`if (location.origin === ${JSON.stringify(stack.cashierUrl)}) {
      const take = (json) => {
        if (JSON.parse(json).messageType === 'Loaded') window.cashierPayload = ${JSON.stringify(payload)};
        void window.appHears(json);
      };
      ${channels[channel]}
    }`);
    return app;
  }

  async payload(): Promise<Record<string, unknown>> {
    this.token = await this.#stack.mintToken({ userId: this.userId, currency: 'INR', country: 'IN' });
    return {
      token: this.token,
      userId: this.userId,
      currency: 'INR',
      paymentGeo: 'IN',
      locale: 'en',
      isMobileApp: true,
    };
  }

  async open(path = '/deposit'): Promise<void> {
    await this.page.goto(`${this.#stack.cashierUrl}/cashier${path}?partner=demo`);
  }

  types(): string[] {
    return this.said.map(({ messageType }) => messageType);
  }

  tell(message: object): Promise<void> {
    return this.page.evaluate((value) => window.postMessage(value, location.origin), message);
  }
}

for (const channel of ['ios', 'android'] as const) {
  test(`[HOST-5] [HOST-6] [HOST-13] ${channel}: starts dark, pays in its own view, is told, goes back and closes`, async ({
    page,
    stack,
  }) => {
    const app = await App.start(page, stack, channel);
    await app.open();
    await expectStarted(app);
    await page.getByRole('searchbox').fill('IMPS');
    const method = page.getByRole('link', { name: /^IMPS/ }).or(page.getByRole('button', { name: /^IMPS/ }));
    await method.first().click();
    await expect(page.getByRole('textbox', { name: 'Amount' })).toBeVisible();
    // The app forwards the device's back button.
    await page.goBack();
    await expect(page.getByRole('searchbox')).toBeVisible();
    await page.goForward();
    await page.getByRole('textbox', { name: 'Amount' }).fill('1500');
    await page.getByRole('button', { name: /^Deposit/ }).click();

    // The provider's page replaces the cashier, without the bridge.
    const approve = page.getByRole('button', { name: 'Approve', exact: true });
    await expect(approve).toBeVisible();
    expect(new URL(page.url()).origin).toBe(stack.providerUrl);
    expect(await page.evaluate(() => 'cashierBridge' in window || 'webkit' in window)).toBe(false);
    await approve.click();
    await expect(page.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
    await expect
      .poll(() => app.said.filter(({ messageType }) => messageType === 'transaction').map(({ payload }) => payload))
      .toContainEqual({ event: 'success', depositId: new URL(page.url()).searchParams.get('depositId') });
    expect(JSON.stringify(app.said)).not.toContain(app.token);

    await app.tell({ messageType: 'close', payload: {} });
    await expect.poll(() => app.types()).toContain('close');
  });
}

for (const channel of ['React Native', 'Flutter'] as const) {
  test(`[HOST-4] [HOST-5] [HOST-6] ${channel}: starts dark, is told, and closes by either side`, async ({
    page,
    stack,
  }) => {
    const app = await App.start(page, stack, channel);
    await app.open();
    await expectStarted(app);
    const closings = () => app.types().filter((type) => type === 'close').length;
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(closings).toBe(1);
    await app.tell({ messageType: 'close', payload: {} });
    await expect.poll(closings).toBe(2);
  });
}

async function expectStarted({ page, said }: App): Promise<void> {
  await expect(page.getByRole('searchbox')).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await page.evaluate(() => 'cashierPayload' in window)).toBe(false);
  await expect.poll(() => said.map(({ messageType }) => messageType)).toContain('init');
  expect(said[0]?.messageType).toBe('Loaded');
  expect(said).toContainEqual({ messageType: 'init', payload: { success: true } });
}

test('[HOST-13] [CRY-1] an app copies and shares for the cashier, and its links ask for a window of their own', async ({
  page,
  context,
  stack,
}) => {
  await context.route('https://tronscan.org/**', (route) => route.fulfill({ body: 'outside' }));
  const app = await App.start(page, stack, 'android', { nativeActions: ['copy', 'share'], currency: 'USD' });
  await app.open();
  await page.getByRole('button', { name: 'Crypto', exact: true }).click();
  await page.getByRole('button', { name: 'Tether', exact: true }).click();
  const address = page.locator('bdi[dir=ltr]').first();
  await expect(address).toHaveText(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
  const text = (await address.textContent()) ?? '';
  await page.getByRole('button', { name: /^Copy address/ }).click();
  await expect(page.getByText('Copied')).toBeVisible();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect
    .poll(() => app.said.filter(({ messageType }) => messageType === 'copy' || messageType === 'share'))
    .toEqual([
      { messageType: 'copy', payload: { text } },
      { messageType: 'share', payload: { title: 'Tether', text } },
    ]);

  await atProvider(stack, new URL(page.url()).searchParams.get('depositId') ?? '', 'confirm', { blocks: '7' });
  const link = page.getByRole('link', { name: /^Transaction/ });
  await expect(link).toBeVisible();
  const [outside] = await Promise.all([context.waitForEvent('page'), link.click()]);
  await expect.poll(() => outside.url()).toMatch(/^https:\/\/tronscan\.org\//);
  expect(await outside.evaluate(() => window.opener)).toBeNull();
  expect(new URL(page.url()).origin).toBe(stack.cashierUrl);
});

test.describe('a web view of any kind', () => {
  /** Stops the clock of the page, so that only this test moves it. */
  async function openWithoutPayload(page: Page, stack: Stack): Promise<Said[]> {
    const said: Said[] = [];
    await page.exposeFunction('appHears', (json: string) => void said.push(JSON.parse(json) as Said));
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.addInitScript('window.cashierBridge = (json) => void window.appHears(json);');
    await page.goto(`${stack.cashierUrl}/cashier/deposit?partner=demo`);
    await expect.poll(() => said.length).toBeGreaterThan(0);
    await page.clock.runFor(4900);
    expect(new Set(said.map(({ messageType }) => messageType))).toEqual(new Set(['Loaded']));
    return said;
  }

  test('[HOST-5] [HOST-13] a property that comes late is found, and the page is light', async ({ page, stack }) => {
    const said = await openWithoutPayload(page, stack);
    const token = await stack.mintToken({ userId: `view-${process.pid}`, currency: 'INR', country: 'IN' });
    const payload = { token, currency: 'INR', paymentGeo: 'IN', locale: 'en', platform: 'webview' };
    await page.evaluate(
      `${shell}; hostCashier(${JSON.stringify(stack.cashierUrl)}, ${JSON.stringify(payload)}, window.appHears, () => {});`,
    );
    await page.clock.runFor(50);
    await page.clock.resume();
    await expect(page.getByRole('searchbox')).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    await expect.poll(() => said).toContainEqual({ messageType: 'init', payload: { success: true } });
    expect(await page.evaluate(() => 'cashierPayload' in window)).toBe(false);
  });

  test('[HOST-5] [HOST-12] one that never comes ends after five seconds, in words', async ({ page, stack }) => {
    const said = await openWithoutPayload(page, stack);
    await page.clock.runFor(200);
    await page.clock.resume();
    await expect(page.getByText("Can't find a property in window")).toBeVisible();
    await expect
      .poll(() => said.at(-1))
      .toEqual({ messageType: 'init', payload: { success: false, error: "Can't find a property in window" } });
  });
});

test.describe('the reference hosts of the demonstration', () => {
  let complaints: string[];
  test.beforeEach(({ page }) => {
    complaints = watchConsole(page);
  });
  test.afterEach(() => {
    expect(complaints).toEqual([]);
  });
  const guestAt = (stack: Stack, path: string) => `${stack.demoUrl}${path}?user=${guestName()}`;
  const noted = (page: Page, words: RegExp) => page.getByRole('listitem').filter({ hasText: words });

  test('[HOST-6] an iframe', async ({ page, stack }) => {
    await page.goto(guestAt(stack, '/hosts/iframe.html'));
    const widget = page.frameLocator('iframe');
    await expect(widget.getByRole('heading', { name: 'Deposit method' })).toBeVisible();
    await expect(noted(page, /^init/)).toHaveText('init {"success":true}');
    await widget.getByRole('button', { name: 'Close' }).click();
    await expect(noted(page, /^close/)).toBeVisible();
    await expect(page.locator('iframe')).toHaveCount(0);
  });

  test('[HOST-6] [HOST-7] a window of its own, by the drawer of the demonstration', async ({ page, stack }) => {
    await new DemoPage(page).open(stack);
    await page.getByRole('button', { name: 'Developer' }).click();
    await page.getByRole('navigation', { name: 'Reference hosts' }).getByRole('link', { name: 'Pop-up' }).click();
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Open the cashier' }).click();
    const popup = await opened;
    await expect(popup.getByRole('heading', { name: 'Deposit method' })).toBeVisible();
    await expect(noted(page, /^init/)).toHaveText('init {"success":true}');
    await popup.getByRole('button', { name: 'Close' }).click();
    await expect(noted(page, /^close/)).toBeVisible();
    await expect.poll(() => popup.isClosed()).toBe(true);
  });

  test('[HOST-6] an installed app, whose worker keeps neither calls nor the cashier', async ({ page, stack }) => {
    const address = guestAt(stack, '/hosts/pwa/');
    await page.goto(address);
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    // From now on every request of the page goes through the worker.
    await page.goto(address);
    await page.getByRole('button', { name: 'Open the cashier' }).click();
    await expect(page.frameLocator('iframe').getByRole('heading', { name: 'Deposit method' })).toBeVisible();
    const kept = await page.evaluate(async () => {
      const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)));
      return (await Promise.all(caches.map((cache) => cache.keys()))).flat().map(({ url }) => url);
    });
    expect(kept).toContain(`${stack.demoUrl}/hosts/pwa/`);
    expect(kept.filter((url) => !url.startsWith(stack.demoUrl) || url.includes('/api/') || url.includes('?'))).toEqual(
      [],
    );
  });
});
