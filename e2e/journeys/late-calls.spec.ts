import { HostPage } from '../stack/host-page.ts';
import { LateCalls } from '../stack/late-calls.ts';
import { withDatabase } from '../stack/ledger.ts';
import { expect, test } from '../stack/test.ts';
import { fundedUser } from '../stack/withdrawing.ts';

const transports = ['http', 'socket'] as const;
let people = 0;

/** Pages that create a deposit, each by its own flow. */
const flows = [
  { method: 'redirect/card', call: 'deposit-create', currency: 'USD', country: 'IN', first: '25.05', second: '30.05' },
  {
    method: 'peer-to-peer/p2p_bank_in/base?bank=hdfc',
    call: 'deposit-create-p2p',
    currency: 'INR',
    country: 'IN',
    first: '1500.05',
    second: '1600.05',
  },
  {
    method: 'redirect/pix',
    call: 'deposit-create',
    currency: 'BRL',
    country: 'BR',
    field: { name: 'CPF', value: '529.982.247-25' },
    first: '100.05',
    second: '110.05',
  },
];

for (const transport of transports) {
  for (const { method, call, currency, country, first, second, field } of flows) {
    test(`[DEP-16] [ERR-2] ${method} over ${transport}: a create that arrives after "nothing was sent" makes no payment`, async ({
      page,
      stack,
      site,
    }) => {
      people += 1;
      const userId = `late-${process.pid}x${people}`;
      const calls = await LateCalls.watch(page, call);
      const host = new HostPage(page, stack, site);
      await host.open(`/deposit/${method}`, { userId, currency, country, payload: { transport } });
      const amount = host.widget.getByRole('textbox', { name: 'Amount' });
      await amount.fill(first);
      if (field) await host.widget.getByRole('textbox', { name: field.name }).fill(field.value);
      await host.widget.getByRole('button', { name: /^Deposit/ }).click();
      await expect(host.widget.getByRole('alert').getByText('Your request was not sent', { exact: false })).toBeVisible(
        {
          timeout: 60_000,
        },
      );
      expect(calls.waiting).toBeGreaterThan(0);
      calls.carryOn();
      await amount.fill(second);
      await host.widget.getByRole('button', { name: /^Deposit/ }).click();
      await expect(host.widget.getByRole('button', { name: /^Deposit/ })).toHaveCount(0);
      await calls.deliver();
      const amounts = await withDatabase(stack, (ask) =>
        ask<{ amount: string }>(`select amount::text from deposit where user_id = '${userId}'`),
      );
      await stack.startCashier();
      expect(amounts).toEqual([{ amount: second.replace('.', '') }]);
    });
  }

  test(`[WD-2] [ERR-2] a withdrawal over ${transport}: a create that arrives after the error holds nothing`, async ({
    page,
    stack,
    site,
  }) => {
    const userId = await fundedUser(stack, 'USD', '250.00');
    const calls = await LateCalls.watch(page, 'withdrawal-create');
    const host = new HostPage(page, stack, site);
    await host.open('/withdrawal/redirect/card_withdrawal', { userId, payload: { transport } });
    const amount = host.widget.getByRole('textbox', { name: 'Amount' });
    await amount.fill('40.05');
    await host.widget.getByRole('textbox', { name: 'Card number' }).fill('4242424242424242');
    await host.widget.getByRole('button', { name: /^Withdraw/ }).click();
    await expect(host.widget.getByRole('alert').getByText('No connection', { exact: false })).toBeVisible({
      timeout: 60_000,
    });
    calls.carryOn();
    await amount.fill('50.05');
    await host.widget.getByRole('button', { name: /^Withdraw/ }).click();
    await expect(host.widget.getByRole('button', { name: 'Confirm withdrawal' })).toBeVisible();
    await calls.deliver();
    const held = await withDatabase(stack, (ask) =>
      ask<{ amount: string }>(`select amount::text from withdrawal where user_id = '${userId}'`),
    );
    await stack.startCashier();
    expect(held).toEqual([{ amount: '5005' }]);
  });
}
