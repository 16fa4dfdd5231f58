import type { Frame } from '@playwright/test';
import { HostPage } from '../stack/host-page.ts';
import { expect, test } from '../stack/test.ts';

test.describe.configure({ mode: 'default' });
// As with real providers: the pages have another origin, and refuse every frame.
test.use({ viewport: { width: 390, height: 844 }, stackOptions: [{ isProviderElsewhere: true }, { scope: 'worker' }] });

/** The methods whose provider's page replaces the cashier when the cashier is not in a frame. */
const methods = [
  { name: 'paypal', currency: 'EUR', country: 'DE', amount: '25.00' },
  { name: 'mercado_wallet', currency: 'BRL', country: 'BR', amount: '50.00' },
  // This method never opens a window before the answer. A link leads to the provider.
  { name: 'sbp', currency: 'RUB', country: 'RU', amount: '1000.00', isByLink: true },
  { name: 'yamoney_rub', currency: 'RUB', country: 'RU', amount: '1000.00' },
  { name: 'webmoney_usd', currency: 'USD', country: 'KZ', amount: '25.00' },
];
const waiting = { name: 'Waiting for your payment' };

for (const { name, currency, country, amount, isByLink } of methods) {
  test(`[DEP-2] [DEP-3] ${name} in a host’s frame: the provider’s page has a window, and the cashier stays`, async ({
    page,
    stack,
    site,
  }) => {
    const host = new HostPage(page, stack, site);
    const framed: string[] = [];
    page.on('framenavigated', (frame: Frame) => {
      if (frame.parentFrame() !== null) framed.push(new URL(frame.url(), 'about:blank').origin);
    });
    await host.open(`/deposit/redirect/${name}`, { currency, country });
    const pay = async (press: () => Promise<void>) => {
      const follow = () => host.widget.getByRole('link', { name: 'Open payment page' }).click();
      if (isByLink) await press();
      const [popup] = await Promise.all([page.waitForEvent('popup'), isByLink ? follow() : press()]);
      await expect(popup.getByRole('button', { name: 'Approve', exact: true })).toBeVisible();
      expect(new URL(popup.url()).origin).toBe(stack.providerUrl);
      return popup;
    };
    await host.widget.getByRole('textbox', { name: 'Amount' }).fill(amount);
    const first = await pay(() => host.widget.getByRole('button', { name: /^Deposit/ }).click());
    await expect(host.widget.getByRole('heading', waiting)).toBeVisible();
    // The user closes the window by accident. The same link opens it again.
    await first.close();
    const again = await pay(() => host.widget.getByRole('button', { name: 'Reopen payment page' }).click());
    await again.getByRole('button', { name: 'Approve', exact: true }).click();
    await expect(host.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
    await expect.poll(() => again.isClosed()).toBe(true);
    expect(new Set(framed)).toEqual(new Set([stack.cashierUrl]));
  });
}

test('[DEP-2] a blocked window in a host’s frame: a link leads to the provider, and the cashier stays', async ({
  page,
  stack,
  site,
}) => {
  await page.addInitScript(() => {
    window.open = () => null;
  });
  const host = new HostPage(page, stack, site);
  await host.open('/deposit/redirect/paypal', { currency: 'EUR', country: 'DE' });
  await host.widget.getByRole('textbox', { name: 'Amount' }).fill('25.00');
  await host.widget.getByRole('button', { name: /^Deposit/ }).click();
  const link = host.widget.getByRole('link', { name: 'Open payment page' });
  const [popup] = await Promise.all([page.waitForEvent('popup'), link.click()]);
  await popup.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(host.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
});

test('[DEP-2] [DEP-3] the same method on a page of its own: the provider’s page takes its place and leads back', async ({
  page,
  stack,
}) => {
  const userId = `alone-${process.pid}`;
  const token = await stack.mintToken({ userId, currency: 'EUR', country: 'DE' });
  await page.addInitScript((payload) => Object.assign(window, { cashierPayload: payload }), {
    token,
    userId,
    currency: 'EUR',
    paymentGeo: 'DE',
    locale: 'en',
  });
  await page.goto(`${stack.cashierUrl}/cashier/deposit/redirect/paypal?partner=demo`);
  await page.getByRole('textbox', { name: 'Amount' }).fill('25.00');
  await page.getByRole('button', { name: /^Deposit/ }).click();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
});

test('[DEP-3] in a frame the page that posts to a provider waits for its button, which opens a window', async ({
  page,
  stack,
  site,
}) => {
  const token = await stack.mintToken({ userId: `bounced-${process.pid}`, currency: 'INR', country: 'IN' });
  const made = await fetch(`${stack.cashierUrl}/api/BANKING/deposit-create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      depositId: crypto.randomUUID(),
      amount: '1500.00',
      currency: 'INR',
      fields: {},
      isActivatedBonus: false,
      paymentType: 'bank_transfer_in',
    }),
  });
  const { apiResponse } = (await made.json()) as { apiResponse: { source: string } };
  expect(apiResponse.source).toContain('/bounce/');
  await page.goto(
    site.page('/bounced', `<!doctype html><title>Host</title><iframe src="${apiResponse.source}"></iframe>`),
  );
  const go = page.frameLocator('iframe').getByRole('button', { name: 'Continue to payment' });
  const [popup] = await Promise.all([page.waitForEvent('popup'), go.click()]);
  await expect(popup.getByRole('button', { name: 'Approve', exact: true })).toBeVisible();
});
