/** Methods with instructions before the payment, and a method inside a group. */
import { expectAccessible, frameOf, openHandPayment } from '../stack/hand-payment.ts';
import { atProvider } from '../stack/sandbox-control.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

for (const method of ['YooMoney transfer', 'QIWI transfer']) {
  test(`[DEP-10] ${method} says above its details to read the steps first`, async ({ page, stack }) => {
    const demo = new DemoPage(page);
    await openHandPayment(demo, stack, {
      flow: 'host-to-host',
      page: '',
      method,
      currency: 'RUB',
      country: 'RU',
      amount: '5000',
    });
    const notice = demo.widget.getByText('Read the steps first. Then pay from your own wallet in one transfer.');
    await expect(notice).toBeVisible();
    const steps = demo.widget.getByRole('list', { name: 'How to pay' });
    await expect(steps.getByRole('listitem').first()).toBeVisible();
    const placeOf = async (what: typeof notice) => (await what.boundingBox())?.y ?? Number.NaN;
    expect(await placeOf(notice)).toBeLessThan(await placeOf(demo.widget.getByRole('term').first()));
    await expectAccessible(demo);
  });
}

test('[DEP-11] [DEP-13] how a transfer to a person goes is read before one begins, and leads back to the amount', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await demo.open(stack, { currency: 'INR', country: 'IN' });
  await demo.openCashier();
  await demo.choose('Transfer to a bank account');
  await demo.widget.getByRole('textbox', { name: 'Amount' }).fill('1500');
  await demo.widget.getByRole('button', { name: 'How it works' }).click();
  await expect(demo.widget.getByRole('list', { name: 'How to pay' }).getByRole('listitem')).toHaveCount(4);
  expect(new URL(frameOf(demo, stack).url()).pathname).toMatch(/\/deposit\/peer-to-peer\/[a-z0-9_]+\/instruction$/);
  await expectAccessible(demo);
  await demo.widget.getByRole('button', { name: 'Back to payment' }).click();
  await expect(demo.widget.getByRole('textbox', { name: 'Amount' })).toHaveValue('1,500');
});

test('[DEP-4] [DEP-12] a method inside a group: its own redirect page, its details, paid and credited', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await demo.open(stack, { currency: 'KGS', country: 'KG' });
  const before = await demo.balanceAmount();
  await demo.openCashier();
  await demo.widget.getByRole('button', { name: /^Local bank cards/ }).click();
  await demo.choose('MBank card');
  const addressOf = () => new URL(frameOf(demo, stack).url());
  expect(addressOf().pathname).toMatch(/\/deposit\/group\/cards_kyrgyzstan\/redirect\/card_p2p_kg_mbank$/);
  await demo.widget.getByRole('textbox', { name: 'Amount' }).fill('1500');
  await demo.widget.getByRole('button', { name: /^Deposit/ }).click();
  await expect(demo.widget.getByRole('timer', { name: 'Time left' })).toBeVisible();
  await atProvider(stack, addressOf().searchParams.get('depositId') ?? '', 'pay');
  await expect(demo.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  await expect.poll(() => demo.balanceAmount()).toBe(before + 150_000n);
});
