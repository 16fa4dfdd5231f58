/** Makes a deposit in a built example of a whole site, in a real browser, and waits until its page shows the new balance. */
import { join } from 'node:path';
import { ensureChromium } from '../machine/chromium.mjs';
import { freePort } from '../machine/ports.mjs';
import { startService, waitUntilHealthy } from '../machine/service.mjs';
import { besideSandbox } from './against-sandbox.mjs';

// Generous, because the machine may be busy. A wait ends as soon as what it waits for is there.
const patienceMs = 120_000;

/**
 * How each site starts after its build. A site with `webhooks` takes them itself; the others have the example of a backend beside them.
 *
 * @type {Record<string, { args: (port: string) => string[], webhooks?: string }>}
 */
export const sites = {
  next: { args: (port) => ['node_modules/next/dist/bin/next', 'start', '--port', port] },
  remix: {
    args: () => ['node_modules/@react-router/serve/bin.js', 'build/server/index.js'],
    webhooks: '/webhooks/cashier',
  },
  astro: { args: () => ['dist/server/entry.mjs'], webhooks: '/webhooks/cashier' },
};

/**
 * @param {string} name of the site
 * @param {string} folder the example with its packages, built
 * @returns {Promise<string>} what is wrong; empty: nothing
 */
export async function siteDeposit(name, folder) {
  // Only here: npm test reads this file before it installs packages.
  const { chromium } = await import('@playwright/test');
  const { args, webhooks } = sites[name];
  const port = String(await freePort());
  const pageUrl = `http://localhost:${port}`;
  return besideSandbox({ pageUrl, ...(webhooks && { webhookUrl: pageUrl + webhooks }) }, async (sandbox) => {
    // First: a browser that does not start must not leave a server behind.
    const browser = await chromium.launch({ executablePath: await ensureChromium() });
    const site = startService({
      name,
      args: args(port),
      cwd: folder,
      env: {
        NODE_ENV: 'production',
        NEXT_TELEMETRY_DISABLED: '1',
        HOST: 'localhost',
        PORT: port,
        BACKEND_URL: sandbox.backendUrl,
        CASHIER_URL: sandbox.cashierUrl,
        PARTNER: 'demo',
        OPERATOR_KEY: sandbox.operatorKey,
        WEBHOOK_SECRET: sandbox.webhookSecret,
        BOOK_FILE: join(sandbox.folder, 'book.jsonl'),
      },
    });
    try {
      await waitUntilHealthy(site, pageUrl, ['/'], patienceMs);
      return await deposit(await browser.newPage(), pageUrl);
    } catch (error) {
      return `The deposit was not credited: ${error.message}\n${site.recent.join('\n')}`;
    } finally {
      await browser.close();
      await site.stop(5000);
    }
  });
}

async function deposit(page, pageUrl) {
  page.setDefaultTimeout(patienceMs);
  const errors = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto(pageUrl);
  await page.getByText('Balance: 0.00 EUR').waitFor();
  await page.getByRole('button', { name: 'Deposit', exact: true }).click();
  const cashier = page.frameLocator('iframe');
  const [link, button] = ['link', 'button'].map((role) => cashier.getByRole(role, { name: /^Bank card/ }));
  await link.or(button).first().click();
  await cashier.getByRole('textbox', { name: 'Amount' }).fill('25.00');
  const [paymentPage] = await Promise.all([
    page.waitForEvent('popup'),
    cashier.getByRole('button', { name: /^Deposit/ }).click(),
  ]);
  await paymentPage.getByRole('button', { name: 'Approve', exact: true }).click();
  await cashier.getByRole('heading', { name: 'added to your balance' }).waitFor();
  await cashier.getByRole('button', { name: 'Close' }).first().click();
  // The page asks for the balance when the cashier has closed. The site has booked it by the webhook.
  await page.getByText('Balance: 25.00 EUR').waitFor();
  return errors.join('\n');
}
