import { captchaFramePath, parseCaptchaFrameMessage, sandboxCaptchaId } from '@opencashier/contract/host';
import type { Page } from '@playwright/test';
import { StaticSite } from '../stack/static-site.ts';
import { expect, test } from '../stack/test.ts';

declare global {
  interface Window {
    captchaSaid: { data: unknown; origin: string; isFrame: boolean }[];
  }
}

/** A page of the cashier's own origin with the captcha frame in it, as the widget frames it. */
async function frameIn(page: Page, url: string, query = ''): Promise<void> {
  // The page has the cashier's origin and no policy, so the frame has to bring its own policy.
  await page.route(`${url}/blank`, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(`${url}/blank`);
  await page.evaluate((source) => {
    window.captchaSaid = [];
    const frame = document.createElement('iframe');
    window.addEventListener('message', ({ data, origin, source: from }) => {
      window.captchaSaid.push({ data, origin, isFrame: from === frame.contentWindow });
    });
    frame.title = 'captcha';
    frame.width = '400';
    frame.height = '420';
    frame.src = source;
    document.body.append(frame);
  }, `${captchaFramePath}${query}`);
}

const start = (page: Page, captchaId: string, language = 'en') =>
  page.evaluate((message) => document.querySelector('iframe')?.contentWindow?.postMessage(message, '*'), {
    messageType: 'captcha:start',
    captchaId,
    language,
  });

/** The messages of the frame. */
const said = async (page: Page) =>
  (await page.evaluate(() => window.captchaSaid.filter(({ isFrame }) => isFrame).map(({ data }) => data))).map(
    parseCaptchaFrameMessage,
  );
const types = async (page: Page) =>
  (await said(page)).map((message) =>
    message?.messageType === 'captcha:error' ? `captcha:error ${message.kind}` : message?.messageType,
  );

test.describe('the captcha frame', () => {
  test('has an origin of its own, and hands out what the server verifies', async ({ page, stack }) => {
    await frameIn(page, stack.cashierUrl);
    await expect.poll(() => types(page)).toEqual(['captcha:ready']);
    await start(page, sandboxCaptchaId, 'ar');
    const frame = page.frameLocator('iframe');
    await expect(frame.getByRole('dialog', { name: 'Sandbox captcha' })).toBeVisible();
    await expect(frame.getByRole('button', { name: 'I am a person' })).toBeFocused();
    const child = page.frames()[1];
    expect(await child?.evaluate(() => [self.origin, document.documentElement.dir])).toEqual(['null', 'rtl']);
    expect(
      await child?.evaluate(() => {
        try {
          return String(window.parent.document.cookie);
        } catch (error) {
          return (error as Error).name;
        }
      }),
    ).toBe('SecurityError');
    for (const button of await frame.getByRole('button').all()) {
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
    await frame.getByRole('button', { name: 'I am a person' }).press('Enter');
    await expect.poll(() => types(page)).toEqual(['captcha:ready', 'captcha:shown', 'captcha:success']);
    expect((await said(page)).at(-1)).toMatchObject({ lotNumber: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(await page.evaluate(() => new Set(window.captchaSaid.map(({ origin }) => origin)).size)).toBe(1);
  });

  test('says why there is no result, and starts again when asked', async ({ page, stack }) => {
    await frameIn(page, stack.cashierUrl);
    await expect.poll(() => types(page)).toEqual(['captcha:ready']);
    const heard = ['captcha:ready'];
    for (const [scenario, kind] of [
      ['script-missing', 'script'],
      ['environment', 'environment'],
      ['network', 'network'],
      ['unknown', 'unknown'],
    ] as const) {
      await start(page, `${sandboxCaptchaId}:${scenario}`);
      heard.push(`captcha:error ${kind}`);
      await expect.poll(() => types(page)).toEqual(heard);
    }
    const frame = page.frameLocator('iframe');
    for (const [scenario, button, end] of [
      ['empty', 'I am a person', 'captcha:error empty'],
      ['', 'Expire', 'captcha:error expired'],
      ['', 'Close', 'captcha:closed'],
      ['', 'Fail', 'captcha:success'],
    ] as const) {
      await start(page, `${sandboxCaptchaId}:${scenario}`);
      heard.push('captcha:shown');
      await frame.getByRole('button', { name: button }).click();
      heard.push(end);
      await expect.poll(() => types(page)).toEqual(heard);
    }
  });

  test('a script that is no captcha is a script that is missing', async ({ page, stack }) => {
    await frameIn(page, stack.cashierUrl, '?scenario=script-broken');
    await expect.poll(() => types(page)).toEqual(['captcha:ready']);
    await start(page, sandboxCaptchaId);
    await expect.poll(() => types(page)).toEqual(['captcha:ready', 'captcha:error script']);
  });

  test('stands in no page of a stranger', async ({ page, stack }) => {
    const stranger = await StaticSite.start('127.0.0.1');
    try {
      const address = stranger.page(
        '/',
        `<script>
          window.captchaSaid = [];
          addEventListener('message', ({ data, origin }) => window.captchaSaid.push({ data, origin, isFrame: true }));
        </script>
        <iframe src="${stack.cashierUrl}${captchaFramePath}?partner=demo"></iframe>`,
      );
      const refused = page.waitForEvent('console', (message) => /frame-ancestors/i.test(message.text()));
      await page.goto(address);
      await refused;
      expect(await types(page)).toEqual([]);
    } finally {
      await stranger.stop();
    }
  });
});
