import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { HostPage } from '../stack/host-page.ts';
import { withDatabase } from '../stack/ledger.ts';
import { atProvider, setRates } from '../stack/sandbox-control.ts';
import type { Stack } from '../stack/stack.ts';
import type { StaticSite } from '../stack/static-site.ts';
import { expect, test } from '../stack/test.ts';

let site: StaticSite;
let stack: Stack;
let people = 0;

test.beforeAll(({ stack: cashier, site: hosts }) => {
  [stack, site] = [cashier, hosts];
});

/** A user with an account in dollars and a balance in crypto. */
class Holder {
  readonly host: HostPage;
  readonly userId: string;

  private constructor(page: Page, userId: string) {
    this.host = new HostPage(page, stack, site);
    this.userId = userId;
  }

  static async at(page: Page, path: string, currency = 'USD'): Promise<Holder> {
    people += 1;
    const holder = new Holder(page, `holder-${people}`);
    await page.setViewportSize({ width: 390, height: 800 });
    await holder.host.open(path, {
      userId: holder.userId,
      currency,
      payload: { widgetViewType: 'cryptobalance' },
    });
    return holder;
  }

  get panel() {
    return this.host.widget.getByRole('tabpanel');
  }

  tab(name: string) {
    return this.host.widget.getByRole('tab', { name });
  }

  /** The balances in the ledger, read by SQL without the cashier's code. */
  async inBooks(): Promise<Record<string, string>> {
    const rows = await withDatabase(stack, (ask) =>
      ask<{ name: string; balance: string }>(
        `select asset || ' ' || kind as name, balance::text as balance from account
         where owner = '${this.userId}' and balance <> 0`,
      ),
    );
    await stack.startCashier();
    return Object.fromEntries(rows.map(({ name, balance }) => [name, balance]));
  }
}

/** Credits crypto to the user, as an operator's backend does. */
async function fund(userId: string, amount: string, currency: string): Promise<void> {
  const answer = await fetch(`${stack.cashierUrl}/operator/v1/users/${userId}/transfers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ transferId: randomUUID(), amount, currency, from: 'operator', to: 'main' }),
  });
  expect(answer.status).toBe(200);
}

test('[CRY-3] [CRY-1] [NAV-7] tethers come to a balance of their own, worth what the rate says while it is one', async ({
  page,
}) => {
  const holder = await Holder.at(page, '/');
  const { widget } = holder.host;
  await expect(holder.panel.getByText('$0.00')).toBeVisible();
  await expect.poll(() => holder.host.path()).toBe('/cryptobalance/deposit/fiat');
  await holder.tab('Fiat').press('ArrowRight');
  await expect(holder.tab('Crypto')).toBeFocused();
  await expect.poll(() => holder.host.path()).toBe('/cryptobalance/deposit/crypto');
  await expect(holder.panel.getByText('0.00 USDT')).toBeVisible();
  await holder.panel.getByRole('button', { name: 'Tether', exact: true }).click();

  const code = widget.getByRole('img', { name: 'QR code for this payment' });
  await expect(code).toBeVisible();
  await expect.poll(async () => Math.round((await code.boundingBox())?.width ?? 0)).toBe(100);
  await expect(widget.locator('bdi[dir=ltr]').first()).toHaveText(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
  const depositId = new URL(holder.host.frame().url()).searchParams.get('depositId') ?? '';
  await atProvider(stack, depositId, 'pay-more', { amount: '61.00000007' });
  await expect(widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();

  await holder.host.show('/cryptobalance');
  await holder.tab('Crypto').click();
  await expect(holder.panel.getByText('61.00000007 USDT')).toBeVisible();
  await expect(holder.panel.getByText(/about .*\$61\.00/)).toBeVisible();

  // The choice and the balance survive a reload. The source of rates decides how they look.
  await setRates(stack, 'stopped', { ageSeconds: 86_400 });
  await holder.host.reload();
  await expect(holder.tab('Crypto')).toHaveAttribute('aria-selected', 'true');
  await expect(holder.panel.getByText('61.00000007 USDT')).toBeVisible();
  await expect(holder.panel.getByText(/^Rate as of .*, may be out of date$/)).toBeVisible();
  await setRates(stack, 'down');
  await holder.host.frame().evaluate(() => void window.dispatchEvent(new Event('focus')));
  await expect(holder.panel.getByText('No exchange rate right now')).toBeVisible();
  await setRates(stack, 'fresh');
  await holder.host.frame().evaluate(() => void window.dispatchEvent(new Event('focus')));
  await expect(holder.panel.getByText(/about .*\$61\.00/)).toBeVisible();
  await expect(holder.panel.getByText(/out of date/)).toHaveCount(0);

  await holder.panel.getByRole('button', { name: 'Currency: USDT' }).click();
  const sheet = widget.getByRole('dialog', { name: 'Choose a currency' });
  await sheet.getByRole('combobox').fill('bitc');
  await expect(sheet.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(holder.panel.getByText('0.00 BTC')).toBeVisible();
  await expect(holder.panel.getByRole('button', { name: 'Bitcoin', exact: true })).toBeVisible();
  await expect(holder.panel.getByRole('button', { name: 'Tether', exact: true })).toHaveCount(0);
  expect(await holder.inBooks()).toEqual({ 'USDT user': '6100000007' });
});

test('[CRY-4] a currency in which nothing can be paid in says so, and crypto is one step away', async ({ page }) => {
  const holder = await Holder.at(page, '/cryptobalance', 'BIF');
  await expect(holder.panel.getByText('Deposit in BIF is currently unavailable')).toBeVisible();
  await expect(holder.panel.getByText('Use crypto or choose another currency')).toBeVisible();
  await holder.panel.getByRole('button', { name: 'Use crypto' }).click();
  await expect(holder.panel.getByRole('button', { name: 'Tether', exact: true })).toBeVisible();
});

test('[CRY-3] [WD-2] coins leave from the coins’ account to the last unit, and never to another network', async ({
  page,
}) => {
  const holder = await Holder.at(page, '/cryptobalance/withdrawal');
  const { widget } = holder.host;
  await fund(holder.userId, '61.00000007', 'USDT');
  await holder.tab('Crypto').click();
  await expect(holder.panel.getByText('61.00000007 USDT')).toBeVisible();
  await holder.panel.getByRole('button', { name: 'Tether TRC-20', exact: true }).click();
  await widget.getByRole('textbox', { name: 'Amount' }).fill('50.00000006');
  const wallet = widget.getByRole('textbox', { name: 'Wallet address' });
  await wallet.fill('0x52908400098527886E0F7030069857D2E4169EE7');
  await wallet.blur();
  await expect(widget.getByText(/This address belongs to Ethereum/)).toBeVisible();
  await wallet.fill('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8');
  await widget.getByRole('button', { name: /^Withdraw/ }).click();
  await widget.getByRole('button', { name: 'Confirm withdrawal' }).click();
  await expect(widget.getByRole('heading', { name: 'Paid out' })).toBeVisible({ timeout: 30_000 });
  await holder.host.show('/cryptobalance/withdrawal');
  await expect(holder.panel.getByText('11.00000001 USDT')).toBeVisible();
  expect(await holder.inBooks()).toEqual({ 'USDT user': '1100000001' });
});
