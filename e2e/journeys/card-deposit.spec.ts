import { withDatabase } from '../stack/ledger.ts';
import { Stack } from '../stack/stack.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

interface Balanced {
  currency: string;
  total: string;
}

for (const transport of ['socket', 'http'] as const) {
  test(`[DEP-1] [DEP-2] [DEP-4] [SRV-2] a card deposit of 25.00 goes from the tap to the ledger, over ${transport}`, async ({
    page,
  }) => {
    // The start creates a new database first, which takes a while on a slow machine.
    test.setTimeout(300_000);
    const stack = await Stack.start({ isEmbedded: true });
    try {
      const demo = new DemoPage(page);
      await demo.open(stack, { currency: 'USD', country: 'IN', transport });
      const before = await demo.balanceAmount();
      await demo.openCashier();
      await demo.choose('Bank card');
      const popup = await demo.deposit('25.00');
      await expect(popup.getByText('25.00').first()).toBeVisible();
      await popup.getByRole('button', { name: 'Approve', exact: true }).click();
      await expect(demo.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
      await expect.poll(() => demo.balanceAmount()).toBe(before + 2500n);
      await expect.poll(() => popup.isClosed()).toBe(true);

      await withDatabase(stack, async (ask) => {
        const [deposit] = await ask<{ state: string }>('select state from deposit');
        expect(deposit?.state).toBe('credited');
        const unbalanced = await ask(
          'select journal_id from posting group by journal_id, asset having sum(amount) <> 0',
        );
        expect(unbalanced).toEqual([]);
        const [sum] = await ask<Balanced>(
          'select asset as currency, sum(amount)::text as total from posting group by asset',
        );
        expect(sum).toEqual({ currency: 'USD', total: '0' });
        const [credit] = await ask<{ n: string }>(
          "select count(*)::text as n from journal where kind = 'deposit_credit'",
        );
        expect(credit?.n).toBe('1');
      });
    } finally {
      await stack.stop();
    }
  });
}

test('[DEP-1] [DEP-2] a press before the engine’s file is there opens the window within the tap and creates one deposit', async ({
  page,
  stack,
}) => {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let asked = 0;
  await page.route(/\/assets\/payment-[^/]+\.js$/, async (route) => {
    asked += 1;
    await held;
    await route.continue();
  });
  const creates: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/deposit-create')) creates.push(request.url());
  });
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'USD', country: 'IN', transport: 'http' });
  await demo.openCashier();
  await demo.choose('Bank card');
  await demo.widget.getByRole('textbox', { name: 'Amount' }).fill('25.00');
  const opening = page.waitForEvent('popup');
  const button = demo.widget.getByRole('button', { name: /^Deposit/ });
  await button.click();
  const popup = await opening;
  expect(asked).toBe(1);
  expect(creates).toEqual([]);
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await button.click({ force: true });
  release();
  await expect(popup.getByText('25.00').first()).toBeVisible();
  expect(creates).toHaveLength(1);
});

test('[DEP-7] [DEP-15] a declined payment says so, offers the way back, and moves no money', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'USD', country: 'IN' });
  const before = await demo.balanceAmount();
  await demo.openCashier();
  await demo.choose('Bank card');
  const popup = await demo.deposit('30.00');
  await popup.getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(demo.widget.getByRole('heading', { name: /declined|did not go through|not completed/i })).toBeVisible();
  expect(await demo.balanceAmount()).toBe(before);
  await demo.widget.getByRole('button', { name: 'Back to payment' }).click();
  await expect(demo.widget.getByRole('textbox', { name: 'Amount' })).toBeVisible();
});

test('[DEP-16] [SRV-3] [SRV-6] a server that dies after create and comes back still credits once', async ({ page }) => {
  // Three programs start one after the other, which takes a while on a slow machine.
  test.setTimeout(300_000);
  const stack = await Stack.start({ isEmbedded: true });
  try {
    const demo = new DemoPage(page);
    await demo.open(stack, { currency: 'USD', country: 'IN' });
    const before = await demo.balanceAmount();
    await demo.openCashier();
    await demo.choose('Bank card');
    const popup = await demo.deposit('25.00');
    await expect(popup.getByRole('button', { name: 'Approve', exact: true })).toBeVisible();
    await stack.killCashier();
    await stack.startCashier();
    await popup.getByRole('button', { name: 'Approve', exact: true }).click();
    await expect.poll(() => demo.balanceAmount(), { timeout: 30_000 }).toBe(before + 2500n);
    await expect(demo.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible({ timeout: 30_000 });
    await withDatabase(stack, async (ask) => {
      const [credit] = await ask<{ n: string }>(
        "select count(*)::text as n from journal where kind = 'deposit_credit'",
      );
      expect(credit?.n).toBe('1');
    });
  } finally {
    await stack.stop();
  }
});
