/** `cashier.ready`, `deposit()` and `withdraw()` to each of their ends, with the real cashier. */
import type { Page } from '@playwright/test';
import type { PaymentRequest } from '../../packages/embed/src/index.ts';
import { openSdkPage } from '../stack/sdk-page.ts';
import { StaticSite } from '../stack/static-site.ts';
import { expect, test } from '../stack/test.ts';
import { fundedUser } from '../stack/withdrawing.ts';

const card = { amount: '25.00', method: 'card' };
const id = expect.stringMatching(/^[\da-f-]{36}$/);
const widgetOf = (page: Page) => page.frameLocator('iframe[title=Cashier]');
const amountIn = (page: Page) => widgetOf(page).getByRole('textbox', { name: 'Amount' });
const outcome = (page: Page, name = 'deposit') => page.evaluate((key) => window.outcomes[key], name);
const tellHost = (page: Page, action: 'close' | 'destroy') => page.evaluate((name) => window.handle[name](), action);

/** Starts a payment and keeps its outcome under the name. */
function ask(page: Page, request: PaymentRequest, name = 'deposit', way: 'deposit' | 'withdraw' = 'deposit') {
  return page.evaluate(
    ([key, call, wanted]) => {
      window.handle[call](wanted).then(
        (result) => {
          window.outcomes[key] = result;
        },
        (error: Error) => {
          window.outcomes[key] = error.name;
        },
      );
    },
    [name, way, request] as const,
  );
}

/** Presses Deposit in the form that the SDK has opened. @returns the provider's page */
async function pressDeposit(page: Page, amount: string): Promise<Page> {
  await expect(amountIn(page)).toHaveValue(amount);
  const popup = page.waitForEvent('popup');
  await widgetOf(page)
    .getByRole('button', { name: /^Deposit/ })
    .click();
  return popup;
}

test('[HOST-15] processed: the promise knows it while the receipt still stands there', async ({
  page,
  stack,
  site,
}) => {
  await openSdkPage(page, stack, site);
  await ask(page, card);
  const popup = await pressDeposit(page, '25.00');
  await popup.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect.poll(() => outcome(page)).toEqual({ status: 'processed', depositId: id });
  await expect(page.locator('dialog iframe')).toBeVisible();
});

test('[HOST-15] declined, but only once the person has left: another try may come', async ({ page, stack, site }) => {
  await openSdkPage(page, stack, site);
  await ask(page, card);
  const popup = await pressDeposit(page, '25.00');
  await popup.getByRole('button', { name: 'Decline', exact: true }).click();
  const back = widgetOf(page).getByRole('button', { name: 'Back to payment' });
  await back.waitFor();
  expect(await outcome(page)).toBeUndefined();
  await tellHost(page, 'close');
  await expect.poll(() => outcome(page)).toEqual({ status: 'declined', depositId: id });
});

for (const [way, leave] of [
  ['closed', 'close'],
  ['destroyed', 'destroy'],
] as const) {
  test(`[HOST-15] pending, where it is ${way} while the provider's page is open`, async ({ page, stack, site }) => {
    await openSdkPage(page, stack, site);
    await ask(page, card);
    await pressDeposit(page, '25.00');
    await expect(widgetOf(page).getByText('Waiting')).toBeVisible();
    await tellHost(page, leave);
    await expect.poll(() => outcome(page)).toEqual({ status: 'pending', depositId: id });
    await expect(page.locator('iframe')).toHaveCount(0);
  });
}

test('[HOST-15] [DEP-16] an outcome that nobody knows is pending, and neither failed nor closed', async ({
  page,
  stack,
  site,
}) => {
  await openSdkPage(page, stack, site);
  await ask(page, { amount: '25.04', method: 'card' });
  await expect(amountIn(page)).toHaveValue('25.04');
  await widgetOf(page)
    .getByRole('button', { name: /^Deposit/ })
    .click();
  await expect(
    widgetOf(page)
      .getByText(/being checked/i)
      .first(),
  ).toBeVisible();
  await tellHost(page, 'close');
  await expect.poll(() => outcome(page)).toEqual({ status: 'pending', depositId: id });
});

test('[HOST-12] of two calls at once the second opens the cashier, and the first is closed', async ({
  page,
  stack,
  site,
}) => {
  await openSdkPage(page, stack, site);
  await Promise.all([ask(page, { amount: '1.00' }, 'first'), ask(page, card, 'second')]);
  await expect(amountIn(page)).toHaveValue('25.00');
  expect(await outcome(page, 'first')).toEqual({ status: 'closed' });
  expect(await outcome(page, 'second')).toBeUndefined();
  await expect(page.locator('iframe')).toHaveCount(1);
  // A third payment replaces one that is in progress. The replaced one ends as pending.
  await pressDeposit(page, '25.00');
  await expect(widgetOf(page).getByText('Waiting')).toBeVisible();
  await ask(page, {}, 'third');
  await expect.poll(() => outcome(page, 'second')).toEqual({ status: 'pending', depositId: id });
  await expect(widgetOf(page).getByRole('heading', { name: 'Deposit method' })).toBeVisible();
  await tellHost(page, 'destroy');
  await expect.poll(() => outcome(page, 'third')).toEqual({ status: 'closed' });
});

test('[HOST-12] a call before the inline cashier is ready opens it again, and “ready” belongs to the last opening', async ({
  page,
  stack,
  site,
}) => {
  await openSdkPage(page, stack, site, {
    options: { mode: 'inline', container: '#cashier' },
    after: `
      handle.ready.then(() => (outcomes.first = 'ready'), (error) => (outcomes.first = error.message));
      handle.deposit({ amount: '25.00', method: 'card' }).then((end) => (outcomes.deposit = end));
      // The part of the SDK that settles the promise is loaded, and the cashier has started again.
      setTimeout(async () => {
        while (outcomes.first === undefined) await new Promise(requestAnimationFrame);
        await handle.ready;
        outcomes.second = 'ready';
      });`,
  });
  await expect.poll(() => outcome(page, 'second')).toBe('ready');
  expect(await outcome(page, 'first')).toBe('closed');
  await expect(amountIn(page)).toHaveValue('25.00');
  await tellHost(page, 'close');
  await expect.poll(() => outcome(page)).toEqual({ status: 'closed' });
});

test('[HOST-7] on a page that is on no list it fails with the remedy, and nothing is left of it', async ({
  page,
  stack,
}) => {
  const stranger = await StaticSite.start('127.0.0.1');
  try {
    await page.clock.install();
    await openSdkPage(page, stack, stranger);
    await ask(page, card);
    await expect(page.locator('dialog iframe')).toBeVisible();
    await page.evaluate(() => {
      window.handle.ready.catch((error: Error) => {
        window.outcomes['ready'] = error.message;
      });
    });
    await page.clock.fastForward(15_000);
    await expect.poll(() => outcome(page)).toMatchObject({ status: 'failed', problem: { code: 'origin-not-listed' } });
    expect(await outcome(page, 'ready')).toBe('timeout');
    await expect(page.locator('dialog')).toHaveCount(0);
  } finally {
    await stranger.stop();
  }
});

test('[HOST-2] impossible requests are refused, and a method that is not offered leaves the list', async ({
  page,
  stack,
  site,
}) => {
  await openSdkPage(page, stack, site);
  await ask(page, { amount: '12,50' });
  await expect.poll(() => outcome(page)).toBe('TypeError');
  await expect(page.locator('iframe')).toHaveCount(0);
  await ask(page, { method: 'carrier-pigeon' }, 'pigeon');
  await expect(widgetOf(page).getByRole('heading', { name: 'Deposit method' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.errors)).toMatchObject([{ code: 'not-chosen' }]);
  await widgetOf(page).getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => outcome(page, 'pigeon')).toEqual({ status: 'closed' });
});

test('[HOST-2] [WD-2] a withdrawal is paid out, and its amount stands in no deposit', async ({ page, stack, site }) => {
  const userId = await fundedUser(stack, 'USD', '250.00');
  await openSdkPage(page, stack, site, { userId });
  await ask(page, { amount: '100.05', method: 'card_withdrawal' }, 'withdrawal', 'withdraw');
  await expect(amountIn(page)).toHaveValue('100.05');
  // A link of the cashier leads there.
  const frame = page.frames().find((candidate) => candidate.url().startsWith(stack.cashierUrl));
  await frame?.evaluate(() => history.pushState(null, '', '/cashier/deposit/redirect/card'));
  await expect(amountIn(page)).toHaveValue('');
  await frame?.evaluate(() => history.back());
  await expect(amountIn(page)).toHaveValue('100.05');

  const widget = widgetOf(page);
  await widget.getByRole('textbox', { name: 'Card number' }).fill('4242424242424242');
  await widget.getByRole('button', { name: /^Withdraw/ }).click();
  await widget.getByRole('button', { name: 'Confirm withdrawal' }).click();
  await expect.poll(() => outcome(page, 'withdrawal')).toEqual({ status: 'processed', withdrawalId: id });
  await expect(widget.getByRole('heading', { name: 'Paid out' })).toBeVisible();
});
