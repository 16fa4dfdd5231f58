/** Tests the pay page in a real browser: what people see, and what assistive technology reads. */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { AxeBuilder } from '@axe-core/playwright';
import { systemClock } from '@opencashier/core/time/clock';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, silentLogger, type TestDatabase } from '../../../database/testing/test-database.ts';
import { createSandboxProvider, type Sandbox } from '../sandbox.ts';
import { textsOf } from '../words/texts.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
/** A folder for screenshots of the pages. */
const PICTURES = process.env['SANDBOX_PICTURES'];

/** Each layout, theme and direction once, and long words on the narrow screen. Few runs, because a browser costs seconds. */
const looks = [
  { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'light', language: 'en' },
  { name: 'narrow-dark', viewport: { width: 320, height: 568 }, colorScheme: 'dark', language: 'el' },
  { name: 'desktop', viewport: { width: 1280, height: 800 }, colorScheme: 'light', language: 'ar' },
] as const;

let opened: TestDatabase;
let app: FastifyInstance;
let merchant: FastifyInstance;
let sandbox: Sandbox;
let browser: Browser;
let returnUrl: string;

async function listen(server: FastifyInstance): Promise<string> {
  await server.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  opened = await openTestDatabase();
  // In production the cashier and the page that opened the pop-up have different origins.
  merchant = Fastify();
  merchant.get('/return', (_request, reply) =>
    reply.type('text/html').send('<!doctype html><title>Back</title><h1>Back at the cashier</h1>'),
  );
  merchant.post('/callbacks', (_request, reply) => reply.code(204).send());
  const merchantUrl = await listen(merchant);
  returnUrl = `${merchantUrl}/return`;

  app = Fastify();
  // The sandbox needs its address before the server listens.
  const port = await freePort();
  sandbox = createSandboxProvider({
    isAllowed: true,
    publicUrl: `http://localhost:${port}`,
    callbackUrl: `${merchantUrl}/callbacks`,
    secret: SECRET,
    merchantName: 'Harbour Games',
    database: opened.database,
    clock: systemClock,
    log: silentLogger,
  });
  await app.register(sandbox.pages);
  await app.listen({ port, host: 'localhost' });
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
  await merchant?.close();
  await opened?.drop();
});

async function freePort(): Promise<number> {
  const probe = Fastify();
  await listen(probe);
  const { port } = probe.server.address() as AddressInfo;
  await probe.close();
  return port;
}

async function payAddress(amountMinor = 150_000n, currency = 'INR', language = 'en'): Promise<string> {
  const result = await sandbox.provider.create({
    depositId: randomUUID(),
    operatorId: 'op',
    paymentMethod: 'card',
    amountMinor,
    currency,
    country: 'IN',
    fields: {},
    providerOptions: {},
    returnUrl,
    language,
    signal: new AbortController().signal,
  });
  if (result.kind !== 'created' || typeof result.source !== 'string') throw new Error('Expected an address');
  return result.source;
}

async function within(context: BrowserContext, work: (page: Page) => Promise<void>): Promise<void> {
  try {
    await work(await context.newPage());
  } finally {
    await context.close();
  }
}

async function expectGoodPage(page: Page, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}.png` });
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  const targets = await page.locator('button:visible, a:visible, summary:visible, input[type=text]:visible').all();
  for (const target of targets) expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
}

describe('the pay page in a browser', () => {
  test.each(looks)('[UI-1] [UI-3] [UI-4] is accessible and fits: $name', async (look) => {
    const { name, viewport, colorScheme, language } = look;
    const { say } = textsOf(language);
    const address = () => payAddress(150_000n, 'INR', language);
    await within(await browser.newContext({ viewport, colorScheme }), async (page) => {
      await page.goto(await address());
      await expectGoodPage(page, `${name}-pay`);
      const approve = page.getByRole('button', { name: say('page.approve') }).first();
      const box = await approve.boundingBox();
      // Nobody should have to scroll to the button that most people want.
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
      await page.getByText(say('page.others')).click();
      await expectGoodPage(page, `${name}-outcomes`);
      await page.getByLabel(say('page.less.amount', { currency: 'INR' })).fill('2000');
      await page.getByRole('button', { name: say('page.less'), exact: true }).click();
      await page.getByText(say('page.less.between', { least: '0', most: '1500.00 INR' })).waitFor();
      await expectGoodPage(page, `${name}-refused`);
      const paid = await address();
      await page.goto(paid);
      await page.getByRole('button', { name: say('page.approve'), exact: true }).click();
      await page.waitForURL(returnUrl);
      await page.goto(paid);
      await page.getByRole('heading', { name: say('result.paid') }).waitFor();
      await expectGoodPage(page, `${name}-approved`);
      await page.goto(paid.replace(/sbx_\w/, 'sbx_x'));
      await expectGoodPage(page, `${name}-missing`);
    });
  });

  test('shows the result of every choice', async () => {
    await within(await browser.newContext({ viewport: looks[0].viewport }), async (page) => {
      for (const [button, heading] of [
        ['Decline', 'Payment declined'],
        ['Approve later', 'Payment on its way'],
        ['Pay less', 'Payment approved'],
        ['Leave without paying', 'You left without paying'],
      ] as const) {
        const address = await payAddress();
        await page.goto(address);
        if (button !== 'Decline') await page.getByText('Other outcomes').click();
        await page.getByRole('button', { name: button }).click();
        // After “abandon” the address stays the same, so only the heading shows that the form was sent.
        if (button === 'Leave without paying') await page.getByRole('heading', { name: heading }).waitFor();
        else await page.waitForURL(returnUrl);
        await page.goto(address);
        await page.getByRole('heading', { name: heading }).waitFor();
        await expectGoodPage(page, `result-${button.toLowerCase().replace(' ', '-')}`);
      }
      await page.goto(await payAddress(150_010n));
      await expectGoodPage(page, 'declined-after-page');
      await page.goto(await payAddress(123_456_789_012_345_600n, 'BTC'));
      await expectGoodPage(page, 'long-amount');
    });
  });

  test('works without script and by keyboard alone', async () => {
    await within(await browser.newContext({ javaScriptEnabled: false }), async (page) => {
      await page.goto(await payAddress());
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL(returnUrl);
    });
  });

  test('[SRV-9] cannot be framed by another site', async () => {
    await within(await browser.newContext(), async (page) => {
      await page.goto(returnUrl);
      const address = await payAddress();
      await page.evaluate((source) => {
        const frame = document.createElement('iframe');
        frame.src = source;
        document.body.append(frame);
      }, address);
      await expect.poll(() => page.frames().at(-1)?.url()).toContain('chrome-error');
    });
  });

  test('keeps its opener, so that the widget sees the pop-up return', async () => {
    await within(await browser.newContext(), async (page) => {
      await page.goto(returnUrl);
      const address = await payAddress();
      const [popup] = await Promise.all([
        page.waitForEvent('popup'),
        page.evaluate((source) => void window.open(source, 'pay'), address),
      ]);
      await popup.getByRole('button', { name: 'Approve' }).click();
      await popup.waitForURL(returnUrl);
      expect(await popup.evaluate(() => window.opener !== null)).toBe(true);
      await popup.evaluate(() => window.close());
      await expect.poll(() => page.context().pages().length).toBe(1);
    });
  });
});
