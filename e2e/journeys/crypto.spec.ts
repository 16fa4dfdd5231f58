import { expectAccessible, frameOf } from '../stack/hand-payment.ts';
import { readQr } from '../stack/qr-reader.ts';
import { atProvider } from '../stack/sandbox-control.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

test('[CRY-1] [CRY-2] [CRY-5] [NAV-7] coins: network, address and code, blocks counted by the server, credited', async ({
  page,
  stack,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const demo = new DemoPage(page);
  const { widget } = demo;
  await demo.open(stack, { currency: 'USD', country: 'IN' });
  const before = await demo.balanceAmount();
  await demo.openCashier();
  await widget.getByRole('button', { name: 'Crypto', exact: true }).click();
  await widget.getByRole('button', { name: 'Tether', exact: true }).click();

  const code = widget.getByRole('img', { name: 'QR code for this payment' });
  const address = widget.locator('bdi[dir=ltr]').first();
  await expect(widget.getByRole('radio', { name: 'TRC-20' })).toBeChecked();
  await expect(address).toHaveText(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
  const tron = (await address.textContent()) ?? '';
  await expect.poll(() => readQr(code)).toBe(tron);
  const addressOfDeposit = () => new URL(frameOf(demo, stack).url()).searchParams.get('depositId') ?? '';
  const first = addressOfDeposit();

  await widget.getByRole('radio', { name: 'ERC-20' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(widget.getByRole('radio', { name: 'BEP-20' })).toBeChecked();
  await page.keyboard.press('ArrowLeft');
  await expect(address).toHaveText(/^0x[0-9a-f]{40}$/);
  const ether = (await address.textContent()) ?? '';
  await expect
    .poll(() => readQr(code))
    .toMatch(new RegExp(`^ethereum:0x[0-9a-f]{40}@\\d+/transfer\\?address=${ether}`));
  await widget.getByRole('button', { name: 'Show address-only code' }).click();
  await expect.poll(() => readQr(code)).toBe(ether);

  await widget.getByRole('radio', { name: 'TRC-20' }).press('Space');
  await expect(address).toHaveText(tron);
  expect(addressOfDeposit()).toBe(first);
  await expect(widget.getByText(/Smaller amounts, and transfers on other networks, are not credited/)).toBeVisible();
  await expectAccessible(demo);

  await demo.reload();
  await expect(address).toHaveText(tron);
  expect(addressOfDeposit()).toBe(first);

  await atProvider(stack, first, 'confirm', { blocks: '7' });
  const bar = widget.getByRole('progressbar', { name: 'Confirmations' });
  await expect(bar).toHaveAttribute('aria-valuetext', /(?:7|about \d+) of 20/);
  await expect(widget.getByRole('link', { name: /^Transaction/ })).toHaveAttribute(
    'href',
    /^https:\/\/tronscan\.org\//,
  );
  await atProvider(stack, first, 'pay');
  await expect(widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  await expect.poll(() => demo.balanceAmount()).toBeGreaterThan(before);

  // A second transfer to the same address is credited, too, as a payment of its own.
  const once = await demo.balanceAmount();
  await atProvider(stack, first, 'pay-again', { amount: '30' });
  await expect.poll(() => demo.balanceAmount()).toBe(once + 3000n);
});
