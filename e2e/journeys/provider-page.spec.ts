import { expectNoViolation } from '../stack/accessible.ts';
import { atProvider } from '../stack/sandbox-control.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

test.describe.configure({ mode: 'default' });
test.use({ viewport: { width: 390, height: 800 }, stackOptions: [{ isProviderElsewhere: true }, { scope: 'worker' }] });

const bounced = /\/cashier\/bounce\/[\w-]{43}$/;

test('[DEP-3] [DEP-4] a form is posted to a provider of another origin, and the way back ends on the complete screen', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'INR', country: 'IN' });
  await demo.openCashier();
  await demo.widget.getByRole('searchbox').fill('IMPS');
  await demo.choose('IMPS bank transfer');
  const visited: string[] = [];
  const posts: { url: string; body: string | null; referer: string | undefined }[] = [];
  const refused: string[] = [];
  page.context().on('request', (request) => {
    if (!request.isNavigationRequest()) return;
    visited.push(request.url());
    if (request.method() === 'POST')
      posts.push({ url: request.url(), body: request.postData(), referer: request.headers()['referer'] });
  });
  page.context().on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) refused.push(message.text());
  });
  const popup = await demo.deposit('1500');
  await expect(popup.getByRole('button', { name: 'Approve', exact: true })).toBeVisible();
  expect(new URL(popup.url()).origin).toBe(stack.providerUrl);

  // A page of the cashier posts the form. Its address holds only a token. The provider gets the fields by POST and no referrer.
  const bounces = visited.filter((url) => url.includes('/bounce/'));
  expect(bounces).toEqual([expect.stringMatching(bounced)]);
  expect(posts).toHaveLength(1);
  expect(posts[0]?.url.startsWith(`${stack.providerUrl}/`)).toBe(true);
  expect(posts[0]?.body).toBeTruthy();
  expect(posts[0]?.referer).toBeUndefined();
  // The address works once.
  expect((await page.request.get(bounces[0] ?? '')).status()).toBe(410);

  await expect(demo.widget.getByRole('heading', { name: 'Waiting for your payment' })).toBeVisible();
  await popup.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(demo.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  await expect.poll(() => popup.isClosed()).toBe(true);
  expect(refused).toEqual([]);
});

test('[DEP-15] [DEP-16] [NAV-7] a payment page closed by accident is opened again, also after a reload and from the list', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'INR', country: 'IN' });
  const before = await demo.balanceAmount();
  await demo.openCashier();
  await demo.widget.getByRole('searchbox').fill('IMPS');
  await demo.choose('IMPS bank transfer');
  const first = await demo.deposit('1500');
  await expect(first.getByRole('button', { name: 'Approve', exact: true })).toBeVisible();
  const address = first.url();
  await first.close();

  await demo.widget.getByRole('button', { name: 'See payment methods' }).click();
  const unfinished = demo.widget.getByRole('button', { name: /^Unfinished deposit, (?:09:\d\d|10:00) left$/ });
  await expect(unfinished).toBeVisible();
  await expectNoViolation(demo.widget, 'the unfinished deposit');
  await unfinished.press('Enter');
  await expect(demo.widget.getByRole('heading', { name: 'Waiting for your payment' })).toBeVisible();
  await demo.reload();

  const reopen = demo.widget.getByRole('button', { name: 'Reopen payment page' });
  await expect(reopen).toBeEnabled();
  const again = page.waitForEvent('popup');
  await reopen.click();
  const second = await again;
  await expect(second.getByRole('button', { name: 'Approve', exact: true })).toBeVisible();
  // It is the same payment at the provider, no new one.
  expect(second.url()).toBe(address);
  await second.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(demo.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  await expect.poll(() => demo.balanceAmount()).toBe(before + 150_000n);
  await demo.widget.getByRole('button', { name: 'See payment methods' }).click();
  await expect(demo.widget.getByRole('searchbox')).toBeVisible();
  await expect(unfinished).toHaveCount(0);
});

test('[DEP-2] [DEP-3] [DEP-4] in an app the provider’s page replaces the cashier, and the way back shows the status of the payment', async ({
  page,
  stack,
}) => {
  const token = await stack.mintToken({ userId: `app-${process.pid}`, currency: 'INR', country: 'IN' });
  await page.addInitScript((payload) => Object.assign(window, { cashierPayload: payload }), {
    token,
    userId: `app-${process.pid}`,
    currency: 'INR',
    paymentGeo: 'IN',
    locale: 'en',
    platform: 'android',
  });
  await page.goto(`${stack.cashierUrl}/cashier/deposit/redirect/bank_transfer_in?partner=demo`);
  await page.getByRole('textbox', { name: 'Amount' }).fill('1500');
  await page.getByRole('button', { name: /^Deposit/ }).click();
  const approve = page.getByRole('button', { name: 'Approve', exact: true });
  await expect(approve).toBeVisible();
  expect(new URL(page.url()).origin).toBe(stack.providerUrl);
  await approve.click();
  await expect(page.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  const back = new URL(page.url());
  expect(back.origin).toBe(stack.cashierUrl);
  expect(back.pathname).toBe('/cashier/deposit/complete');
  expect(back.searchParams.get('partner')).toBe('demo');
});

test('[DEP-4] the page after the provider’s speaks Arabic, from right to left, in the dark', async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.cashierUrl}/cashier/returned?locale=ar&theme=dark`);
  await expect(page.getByRole('heading', { name: 'يمكنك إغلاق هذه النافذة' })).toBeVisible();
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(13, 17, 23)');
  await expectNoViolation(page.mainFrame(), 'the page after');
});

test('[DEP-14] a seller of coins is gone on to through the same page, and an offer that is over leads back', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  const { widget } = demo;
  await demo.open(stack, { currency: 'EUR', country: 'DE' });
  const before = await demo.balanceAmount();
  await demo.openCashier();
  const ask = async () => {
    await demo.choose('Buy crypto with a card');
    await widget.getByRole('textbox', { name: 'Amount' }).fill('100');
    await widget.getByRole('button', { name: /^Deposit/ }).click();
    await expect(widget.getByRole('radio').first()).toBeChecked();
    const frame = page.frames().find((candidate) => candidate.url().startsWith(stack.cashierUrl));
    return new URL(frame?.url() ?? '').searchParams.get('depositId') ?? '';
  };
  const visited: string[] = [];
  page.context().on('request', (request) => {
    if (request.isNavigationRequest()) visited.push(request.url());
  });

  await ask();
  const popup = page.waitForEvent('popup');
  await widget.getByRole('button', { name: /^Continue with/ }).click();
  const approve = (await popup).getByRole('button', { name: 'Approve', exact: true });
  await expect(approve).toBeVisible();
  expect(new URL((await popup).url()).origin).toBe(stack.providerUrl);
  expect(visited.filter((url) => url.includes('/bounce/'))).toEqual([expect.stringMatching(bounced)]);
  await approve.click();
  await expect(widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  await expect.poll(() => demo.balanceAmount()).toBe(before + 10_000n);

  await widget.getByRole('button', { name: 'Back' }).click();
  const over = await ask();
  // The answer to this tap has the state, before any push.
  await atProvider(stack, over, 'expire');
  await widget.getByRole('button', { name: /^Continue with/ }).click();
  await expect(widget.getByRole('heading', { name: /run out|did not go through/ })).toBeVisible();
  await widget.getByRole('button', { name: 'Back to payment' }).click();
  await expect(widget.getByRole('textbox', { name: 'Amount' })).toBeVisible();
  expect(await demo.balanceAmount()).toBe(before + 10_000n);
});
