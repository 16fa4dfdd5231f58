import type { Page } from '@playwright/test';
import { findWholeChromium } from '../../scripts/machine/chromium.mjs';
import { fakeCameraArgs } from '../stack/fake-camera.ts';
import { HostPage } from '../stack/host-page.ts';
import { DemoPage, expect, test as journey } from '../stack/test.ts';
import { fund, fundedUser } from '../stack/withdrawing.ts';

const wallet = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';

const browser = findWholeChromium();

/** A Chromium whose camera shows a payment link with the address in it. */
const test = journey.extend({
  launchOptions: [
    async ({ launchOptions }, use) =>
      use({
        ...launchOptions,
        ...(browser !== undefined && { executablePath: browser }),
        args: [...(launchOptions.args ?? []), ...fakeCameraArgs(`tron:${wallet}?amount=5`)],
      }),
    { scope: 'worker' },
  ],
});

/** The demo operator's page with the form that asks for a wallet address, in the frame of the SDK. */
async function openForm(page: Page, stack: Parameters<DemoPage['open']>[0]): Promise<DemoPage> {
  // As on iPhones, without the built-in code reader that only some Chromiums have.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'BarcodeDetector'));
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'USD', country: 'DE' });
  await fund(stack, demo.userId, 'USD', '500.00');
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await demo.widget.getByRole('button', { name: /^Crypto/ }).click();
  await demo.choose('Tether TRC-20');
  return demo;
}
const address = ({ widget }: DemoPage | HostPage) => widget.getByRole('textbox', { name: 'Wallet address' });
const scan = ({ widget }: DemoPage | HostPage) => widget.getByRole('button', { name: 'Scan', exact: true });

test('[FORM-4] [WD-2] the camera reads the address of a code and fills the field, and its picture goes nowhere', async ({
  page,
  context,
  stack,
}) => {
  await context.grantPermissions(['camera']);
  const demo = await openForm(page, stack);
  await demo.widget.getByRole('textbox', { name: 'Amount' }).fill('50.00');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.method()} ${request.resourceType()}`));
  await scan(demo).click();
  await expect(address(demo)).toHaveValue(wallet);
  await expect(demo.widget.getByRole('dialog')).toHaveCount(0);
  await expect(demo.widget.getByText(/^Only the address was filled in/)).toBeVisible();
  // Only scripts and styles of the sheet are fetched.
  expect(sent.filter((request) => !/^GET (?:script|stylesheet)$/.test(request))).toEqual([]);
  await demo.widget.getByRole('button', { name: /^Withdraw/ }).click();
  await expect(demo.widget.getByText('TJRa bPrw bZy4 5sba vfcj inPJ C18k jpRT v8')).toBeVisible();
});

test('[FORM-4] a camera that the person denies says what to do, and the address is pasted instead', async ({
  page,
  stack,
}) => {
  const demo = await openForm(page, stack);
  await scan(demo).click();
  const sheet = demo.widget.getByRole('dialog');
  await expect(sheet.getByRole('alert')).toContainText('Camera access is blocked.');
  await sheet.getByRole('button', { name: 'Close' }).click();
  await address(demo).fill(wallet);
  await expect(address(demo)).toHaveValue(wallet);
});

test('[FORM-4] [HOST-1] in a frame that may not use the camera nothing is offered', async ({ page, stack, site }) => {
  const host = new HostPage(page, stack, site);
  const userId = await fundedUser(stack, 'USD', '500.00');
  await host.open('/withdrawal/redirect/usdt_trc20_withdrawal', { userId, country: 'DE' });
  await expect(address(host)).toBeVisible();
  await expect(scan(host)).toHaveCount(0);
});
