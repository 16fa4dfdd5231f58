import { expect, test } from '@playwright/test';
import { Stack } from '../stack/stack.ts';
import { StaticSite } from '../stack/static-site.ts';

interface Heard {
  type: string;
  origin: string;
}

/** The messages that a page got from other windows. Each page below first installs a listener that keeps them. */
declare global {
  interface Window {
    heard: Heard[];
    answerLoaded(token: string): void;
    attack(token: string): void;
  }
}

const listener = `<script>
  window.heard = [];
  addEventListener('message', (event) => {
    window.heard.push({ type: String(event.data?.messageType), origin: event.origin });
  });
</script>`;

test.describe('a page with a hostile frame beside the cashier', () => {
  let host: StaticSite;
  let attacker: StaticSite;
  let stack: Stack;

  test.beforeAll(async () => {
    host = await StaticSite.start('localhost');
    attacker = await StaticSite.start('127.0.0.1');
    stack = await Stack.start({ origins: [host.origin] });
  });

  test.afterAll(async () => {
    await Promise.all([stack.stop(), host.stop(), attacker.stop()]);
  });

  function hostPage(): string {
    const evil = attacker.page(
      '/frame',
      `${listener}<script>
        window.attack = (token) => {
          const widget = parent.frames[0];
          for (let i = 0; i < 200; i++) {
            widget.postMessage({ messageType: 'loaded', payload: { token, userId: 'mallory' } }, '*');
            widget.postMessage({ messageType: 'close' }, '*');
            widget.postMessage({ messageType: 'bonus-list-updated', payload: { bonusList: [] } }, '*');
          }
        };
      </script>`,
    );
    return host.page(
      '/',
      `<!doctype html><title>Host</title>${listener}
      <iframe title="Cashier" width="390" height="800" src="${stack.cashierUrl}/cashier/deposit?partner=demo&locale=en"></iframe>
      <iframe title="Evil" src="${evil}"></iframe>
      <script>
        window.answerLoaded = (token) =>
          frames[0].postMessage(
            { messageType: 'loaded', payload: { token, userId: 'alice', currency: 'USD', paymentGeo: 'IN', locale: 'en' } },
            '${stack.cashierUrl}',
          );
      </script>`,
    );
  }

  test('[HOST-7] its loaded and close messages are ignored, it gets no message, and the real host still works', async ({
    page,
  }) => {
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith(`${stack.cashierUrl}/api/`)) calls.push(request.url());
    });
    page.on('websocket', (socket) => calls.push(socket.url()));
    await page.goto(hostPage());
    await expect.poll(() => page.evaluate(() => window.heard.map((message) => message.type))).toContain('Loaded');

    const evilFrame = page.frames().find((frame) => frame.url().startsWith(attacker.origin));
    if (!evilFrame) throw new Error('the hostile frame did not load');
    const stolen = await stack.mintToken({ userId: 'mallory', currency: 'USD' });
    await evilFrame.evaluate((token) => window.attack(token), stolen);

    const heardBefore = await page.evaluate(() => window.heard);
    expect(heardBefore.map((message) => message.type)).not.toContain('init');
    expect(calls).toEqual([]);

    const token = await stack.mintToken({ userId: 'alice', currency: 'USD', country: 'IN' });
    await page.evaluate((value) => window.answerLoaded(value), token);
    const widget = page.frameLocator('iframe[title=Cashier]');
    await expect(widget.getByRole('heading', { name: 'Deposit method' })).toBeVisible();
    await expect.poll(() => page.evaluate(() => window.heard.map((message) => message.type))).toContain('init');

    await evilFrame.evaluate((value) => window.attack(value), stolen);
    await expect(widget.getByRole('heading', { name: 'Deposit method' })).toBeVisible();
    const heard = await page.evaluate(() => window.heard);
    expect(heard.filter((message) => message.origin === stack.cashierUrl).map((message) => message.type)).not.toContain(
      'close',
    );
    expect(await evilFrame.evaluate(() => window.heard)).toEqual([]);
  });

  test('[SRV-9] a page of an origin that the operator has not registered cannot show the cashier', async ({ page }) => {
    const url = attacker.page(
      '/',
      `<!doctype html><title>Evil</title>${listener}<iframe title="Cashier" src="${stack.cashierUrl}/cashier/deposit?partner=demo"></iframe>`,
    );
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.goto(url);
    await refused;
    expect(await page.evaluate(() => window.heard)).toEqual([]);
  });

  test('[SRV-9] the headers name exactly the origins of the partner in the address', async ({ request }) => {
    const known = await request.get(`${stack.cashierUrl}/cashier/deposit?partner=demo`);
    const policy = known.headers()['content-security-policy'] ?? '';
    expect(policy).toContain(`frame-ancestors ${stack.demoUrl} ${host.origin}`);
    expect(policy).not.toContain('unsafe-inline');
    const unknown = await request.get(`${stack.cashierUrl}/cashier/deposit?partner=nobody`);
    expect(unknown.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
  });
});
