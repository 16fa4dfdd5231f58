/** How a payment by hand ends when it is not paid in time, and what is said about money that comes all the same. */
import { openHandPayment } from '../stack/hand-payment.ts';
import { atProvider } from '../stack/sandbox-control.ts';
import { SocketLine } from '../stack/socket-line.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

const transfer = {
  flow: 'peer-to-peer',
  page: 'invoice',
  method: 'Transfer to an account',
  currency: 'INR',
  country: 'IN',
  amount: '1500',
} as const;

for (const [action, title] of [
  ['auto-cancel', 'This deposit is closed'],
  ['expire', 'The time is over'],
] as const) {
  test(`[DEP-11] a transfer to a person that the company ends (${action}) is no success, and late money is said to be late`, async ({
    page,
    stack,
  }) => {
    const demo = new DemoPage(page);
    const depositId = await openHandPayment(demo, stack, transfer);
    const before = await demo.balanceAmount();
    await atProvider(stack, depositId, action);
    await expect(demo.widget.getByRole('heading', { name: title })).toBeVisible();
    await expect(demo.widget.getByText('If you have already paid, do not pay again.')).toBeVisible();
    await expect(demo.widget.getByText(/^000000\d+/)).toHaveCount(0);
    await atProvider(stack, depositId, 'pay');
    await expect(demo.widget.getByRole('heading', { name: 'The payment came late' })).toBeVisible();
    expect(await demo.balanceAmount()).toBe(before);
  });
}

const timed = [
  {
    id: '[DEP-5]',
    wish: { page: 'unified-form', method: 'Halyk bank transfer', currency: 'KZT', country: 'KZ', amount: '5000' },
  },
  {
    id: '[DEP-12]',
    wish: { flow: 'host-to-host', page: '', method: 'Elcart card', currency: 'KGS', country: 'KG', amount: '1500' },
  },
] as const;

for (const { id, wish } of timed) {
  test(`${id} the time runs out on ${wish.method}: nothing is left to pay by, and the end is the company’s`, async ({
    page,
    stack,
  }) => {
    await page.clock.install();
    const line = await SocketLine.watch(page, 'deposit-create');
    const demo = new DemoPage(page);
    const depositId = await openHandPayment(demo, stack, wish);
    const { widget } = demo;
    await expect(widget.getByRole('button', { name: 'I have paid' })).toBeVisible();
    // The device alone counts from here: whatever the server says, it says it later.
    line.hold();
    await page.clock.fastForward('31:00');
    await expect(widget.getByRole('timer')).toHaveText('00:00');
    await expect(widget.getByRole('button', { name: 'I have paid' })).toHaveCount(0);
    await expect(widget.getByRole('button', { name: 'Cancel deposit' })).toHaveCount(0);
    await expect(widget.getByRole('button', { name: 'See the status' })).toBeVisible();
    await expect(widget.getByText(/^The time is over\. Do not pay now\./)).toBeVisible();
    await atProvider(stack, depositId, 'expire');
    line.release();
    await expect(widget.getByRole('heading', { name: 'The time to pay has run out' })).toBeVisible({ timeout: 60_000 });
    await atProvider(stack, depositId, 'pay');
    await expect(widget.getByRole('heading', { name: 'The payment came late' })).toBeVisible({ timeout: 60_000 });
  });
}
