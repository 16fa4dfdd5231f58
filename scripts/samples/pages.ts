/** Executes the samples for a page in Chromium, and looks for what their documents promise. */
import type { Browser, Page } from '@playwright/test';
import { chromium } from '@playwright/test';
import { ensureChromium } from '../machine/chromium.mjs';
import type { Sample } from './build.ts';
import type { Given } from './server.ts';

// Generous, because the machine may be busy. A wait ends as soon as what it waits for is there.
const patienceMs = 60_000;

/** What belongs to the reader's own page, by the names that samples use. */
function readersOwn({ cashierUrl }: { cashierUrl: string }): void {
  const outcomes: unknown[] = [];
  const getToken = async () => (await fetch('/api/cashier-token', { method: 'POST' })).text();
  const own = {
    user: { id: 'u-1042' },
    isOpen: true,
    popup: undefined,
    payload: { currency: 'EUR', paymentGeo: 'DE' },
    account: { cashierUrl, partner: 'demo', user: { id: 'u-1042', currency: 'EUR', country: 'DE' } },
    problems: [],
    outcomes,
    getToken,
    refreshBalance: () => outcomes.push('refreshed'),
    setOpen: () => undefined,
    showThanks: (id: string) => outcomes.push(`thanks ${id}`),
    showWaiting: () => outcomes.push('waiting'),
    report: (problem: unknown) => outcomes.push(problem),
  };
  Object.assign(globalThis, own);
  for (const name of ['button', 'depositButton']) {
    Object.defineProperty(globalThis, name, { get: () => document.querySelector('#deposit') });
  }
}

const openList = async (page: Page) => {
  const frame = page.frameLocator('iframe');
  const entry = (role: 'link' | 'button') => frame.getByRole(role, { name: /^Bank card/ });
  await entry('link').or(entry('button')).first().waitFor();
};
const press = (page: Page) => page.locator('#deposit').click();

/** What each sample must do, once its page is loaded. */
const plays: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  create: async (page) => {
    await press(page);
    await openList(page);
  },
  preload: async (page) => {
    await page.locator('#deposit').hover();
    await page.locator('iframe').waitFor({ state: 'attached' });
    await page.frameLocator('iframe').locator('body').waitFor({ state: 'attached' });
  },
  outcome: async (page) => {
    const frame = page.frameLocator('iframe');
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      frame.getByRole('button', { name: /^Deposit.*25/ }).click(),
    ]);
    await popup.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.waitForFunction(() =>
      String((globalThis as never as { outcomes: unknown[] }).outcomes[0]).startsWith('thanks '),
    );
  },
  looks: async (page) => {
    await page.evaluate(() => (globalThis as never as { made: { open(): void } }).made.open());
    await page.locator('iframe').waitFor();
  },
  appearance: async (page) => {
    await openList(page);
  },
  react: openList,
  'guide-account': async (page) => {
    await page.getByText('Balance: 25.05 EUR').waitFor();
    await page.locator('#place').getByRole('button', { name: 'Deposit' }).click();
    await openList(page);
  },
  'pop-up': async (page) => {
    const [popup] = await Promise.all([page.waitForEvent('popup'), press(page)]);
    const entry = (role: 'link' | 'button') => popup.getByRole(role, { name: /^Bank card/ });
    await entry('link').or(entry('button')).first().waitFor();
  },
  element: async (page) => {
    await press(page);
    await openList(page);
  },
  'bare-element': async (page) => {
    await page.waitForFunction(() => document.querySelector('open-cashier')?.matches(':defined'));
  },
};

async function playInCashier(browser: Browser, { text }: Sample, { cashierUrl, pageUrl }: Given): Promise<void> {
  const token = await (await fetch(`${pageUrl}/api/cashier-token`, { method: 'POST' })).text();
  const page = await browser.newPage();
  page.setDefaultTimeout(patienceMs);
  await page.addInitScript(`{ const token = ${JSON.stringify(token)}, currency = 'EUR', paymentGeo = 'DE';\n${text} }`);
  await page.goto(`${cashierUrl}/cashier/deposit?partner=demo`);
  const entry = (role: 'link' | 'button') => page.getByRole(role, { name: /^Bank card/ });
  await entry('link').or(entry('button')).first().waitFor();
  await page.close();
}

async function playPage(browser: Browser, sample: Sample, given: Given): Promise<void> {
  if (sample.in === 'cashier') return playInCashier(browser, sample, given);
  const play = plays[sample.id];
  if (play === undefined) throw new Error('nothing executes this sample');
  const page = await browser.newPage();
  page.setDefaultTimeout(patienceMs);
  const errors: string[] = [];
  // A page that is broken is not waited for.
  const broken = new Promise<never>((_done, fail) => {
    page.on('pageerror', (error) => {
      errors.push(error.message);
      fail(error);
    });
  });
  broken.catch(() => undefined);
  // tsx names functions by this call, which a page does not know.
  await page.addInitScript('globalThis.__name = (named) => named;');
  await page.addInitScript(readersOwn, { cashierUrl: given.cashierUrl });
  try {
    await page.goto(`${given.pageUrl}/${sample.name}.html`);
    await Promise.race([play(page), broken]);
    if (errors.length > 0) throw new Error(errors.join('\n'));
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new Error(
      [
        words,
        ...errors,
        JSON.stringify(await page.evaluate(() => (globalThis as { problems?: unknown }).problems)),
      ].join('\n'),
    );
  } finally {
    await page.close();
  }
}

/** @returns what is wrong, one line each */
export async function playPages(all: readonly Sample[], given: Given): Promise<string[]> {
  const browser = await chromium.launch({ executablePath: await ensureChromium() });
  const problems: string[] = [];
  try {
    for (const sample of all.filter((one) => one.in !== 'server')) {
      try {
        await playPage(browser, sample, given);
      } catch (error) {
        problems.push(`${sample.place} (${sample.id}): ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    await browser.close();
  }
  return problems;
}
