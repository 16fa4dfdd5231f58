import type { Page } from '@playwright/test';
import { HostPage } from '../stack/host-page.ts';
import { withDatabase } from '../stack/ledger.ts';
import { type Mischief, SocketLine } from '../stack/socket-line.ts';
import type { Stack } from '../stack/stack.ts';
import type { StaticSite } from '../stack/static-site.ts';
import { openTabsApart, pressAtOnce } from '../stack/tabs-apart.ts';
import { expect, test } from '../stack/test.ts';

let site: StaticSite;
let stack: Stack;
let people = 0;

test.beforeAll(({ stack: cashier, site: hosts }) => {
  [stack, site] = [cashier, hosts];
});

class Payer {
  readonly host: HostPage;
  readonly userId: string;

  private constructor(page: Page, userId: string) {
    this.host = new HostPage(page, stack, site);
    this.userId = userId;
  }

  static async at(page: Page, userId?: string): Promise<Payer> {
    people += 1;
    const payer = new Payer(page, userId ?? `payer-${people}`);
    await payer.host.open('/deposit/redirect/card', { userId: payer.userId });
    await payer.amount.fill('25.00');
    return payer;
  }

  get amount() {
    return this.host.widget.getByRole('textbox', { name: 'Amount' });
  }

  get button() {
    return this.host.widget.getByRole('button', { name: /^Deposit/ });
  }

  /** Continues the payment in the provider's window, or by the link to it. */
  async untilPaying(): Promise<void> {
    const link = this.host.widget.getByRole('link', { name: 'Open payment page' });
    await expect(link.or(this.host.widget.getByText('Waiting for your payment'))).toBeVisible({ timeout: 30_000 });
  }

  /** The number of deposits, read by SQL without the cashier's code. */
  async deposits(): Promise<number> {
    const [row] = await withDatabase(stack, (ask) =>
      ask<{ n: string }>(`select count(*)::text as n from deposit where user_id = '${this.userId}'`),
    );
    await stack.startCashier();
    return Number(row?.n);
  }

  /** The deposits with their amounts in cents and their states, the oldest first. */
  async states(): Promise<string[]> {
    const rows = await withDatabase(stack, (ask) =>
      ask<{ told: string }>(
        `select amount || ' ' || state as told from deposit where user_id = '${this.userId}' order by created_at`,
      ),
    );
    await stack.startCashier();
    return rows.map(({ told }) => told);
  }
}

const presses: Record<string, (payer: Payer) => Promise<void>> = {
  'a double click': (payer) => payer.button.dblclick(),
  'fifty fast clicks': (payer) =>
    payer.button.evaluate((button: HTMLElement) => {
      for (let click = 0; click < 50; click += 1) button.click();
    }),
  'Enter and a click': async (payer) => {
    await payer.amount.press('Enter', { noWaitAfter: true });
    await payer.button.click({ timeout: 1000, force: true }).catch(() => undefined);
  },
};
for (const [name, press] of Object.entries(presses)) {
  test(`[DEP-16] ${name}: one deposit`, async ({ page }) => {
    const line = await SocketLine.watch(page, 'deposit-create');
    const payer = await Payer.at(page);
    line.hold();
    await press(payer);
    await expect.poll(() => line.sent).toBe(1);
    line.release();
    await payer.untilPaying();
    expect(line.sent).toBe(1);
    expect(await payer.deposits()).toBe(1);
  });
}

test('[DEP-16] Back during the creation and the same intent again: one deposit', async ({ page }) => {
  const line = await SocketLine.watch(page, 'deposit-create');
  const payer = await Payer.at(page);
  line.hold();
  await payer.button.click();
  await expect.poll(() => line.sent).toBe(1);
  await payer.host.widget.getByRole('button', { name: 'Back', exact: true }).click();
  await payer.host.widget.getByRole('button', { name: /^Bank card/ }).click();
  await expect(payer.amount).toHaveValue('25.00');
  line.release();
  await payer.button.click();
  await payer.untilPaying();
  expect(await payer.deposits()).toBe(1);
});

test('[DEP-16] [ERR-2] Back during the creation and another amount: the first deposit is cancelled before the second is sent', async ({
  page,
}) => {
  const line = await SocketLine.watch(page, 'deposit-create');
  const payer = await Payer.at(page);
  line.hold();
  await payer.button.click();
  await expect.poll(() => line.sent).toBe(1);
  await payer.host.widget.getByRole('button', { name: 'Back', exact: true }).click();
  await payer.host.widget.getByRole('button', { name: /^Bank card/ }).click();
  line.release();
  await payer.amount.fill('30.00');
  await payer.button.click();
  await payer.untilPaying();
  expect(await payer.states()).toEqual(['2500 cancelled', '3000 awaiting_payment']);
});

test('[DEP-16] [ERR-2] Back during a creation that was charged: the next press sends nothing and shows the first deposit', async ({
  page,
}) => {
  const line = await SocketLine.watch(page, 'deposit-create');
  const payer = await Payer.at(page);
  await payer.amount.fill('25.05');
  line.hold();
  await payer.button.click();
  await expect.poll(() => line.sent).toBe(1);
  await payer.host.widget.getByRole('button', { name: 'Back', exact: true }).click();
  await payer.host.widget.getByRole('button', { name: /^Bank card/ }).click();
  line.release();
  await payer.amount.fill('30.05');
  await payer.button.click();
  await expect(payer.host.widget.getByText(/25\.05.* added to your balance/)).toBeVisible({ timeout: 30_000 });
  expect(await payer.states()).toEqual(['2505 credited']);
});

test('[DEP-16] a reload during the creation and the same intent again: one deposit', async ({ page }) => {
  const line = await SocketLine.watch(page, 'deposit-create');
  const payer = await Payer.at(page);
  line.hold();
  await payer.button.click();
  await expect.poll(() => line.sent).toBe(1);
  // An answer that reached the old page would open the payment, and the reload would correctly return to it.
  line.lose();
  await payer.host.reload();
  await payer.amount.fill('25.00');
  await payer.button.click();
  await payer.untilPaying();
  expect(await payer.deposits()).toBe(1);
});

test('[DEP-16] the same intent in a second tab while the first creates it: one deposit', async ({ page, context }) => {
  const line = await SocketLine.watch(page, 'deposit-create');
  const first = await Payer.at(page);
  line.hold();
  await first.button.click();
  await expect.poll(() => line.sent).toBe(1);
  const second = await Payer.at(await context.newPage(), first.userId);
  await second.button.click();
  await second.untilPaying();
  line.release();
  await first.untilPaying();
  expect(await first.deposits()).toBe(1);
});

test('[DEP-16] the same press in a second tab, just after the first was answered: one deposit', async ({
  page,
  context,
}) => {
  const first = await Payer.at(page);
  const second = await Payer.at(await context.newPage(), first.userId);
  await first.button.click();
  await first.untilPaying();
  await second.button.click();
  await second.untilPaying();
  expect(await first.deposits()).toBe(1);
});

test('[DEP-2] [DEP-9] closing the cashier during the creation closes the empty payment window', async ({ page }) => {
  const line = await SocketLine.watch(page, 'deposit-create');
  for (const close of ['tell', 'remove'] as const) {
    const payer = await Payer.at(page);
    line.hold();
    const [popup] = await Promise.all([page.waitForEvent('popup'), payer.button.click()]);
    expect(popup.url()).toBe('about:blank');
    if (close === 'tell') await page.evaluate(() => window.tellCashier({ messageType: 'close' }));
    else await page.evaluate(() => document.querySelector('iframe')?.remove());
    await expect.poll(() => popup.isClosed()).toBe(true);
    line.lose();
  }
});

test('[DEP-16] the same intent in two tabs in the same moment, neither seeing yet what the other stored: one deposit', async ({
  page,
}) => {
  people += 1;
  const userId = `payer-${people}`;
  const token = await stack.mintToken({ userId, currency: 'USD', country: 'IN' });
  const tabs = await openTabsApart(page, {
    address: `${stack.cashierUrl}/cashier/deposit/redirect/card?partner=demo`,
    call: 'deposit-create',
    cashierPayload: { token, userId, currency: 'USD', paymentGeo: 'IN', locale: 'en' },
  });
  for (const { tab } of tabs) await tab.getByRole('textbox', { name: 'Amount' }).fill('25.00');
  await pressAtOnce(tabs, (tab) => tab.getByRole('button', { name: /^Deposit/ }));
  for (const { tab } of tabs) {
    const link = tab.getByRole('link', { name: 'Open payment page' });
    await expect(link.or(tab.getByText('Waiting for your payment'))).toBeVisible();
  }
  const made = await withDatabase(stack, (ask) => ask(`select 1 from deposit where user_id = '${userId}'`));
  await stack.startCashier();
  expect(made).toHaveLength(1);
});

const drops: Record<Exclude<Mischief, 'none'>, string> = {
  'drop-before-send': 'before the request left',
  'drop-after-send': 'after the request left',
  'drop-after-answer': 'after the server has answered',
};
for (const [mischief, when] of Object.entries(drops)) {
  test(`[DEP-16] [NET-3] a socket that is lost ${when}: one deposit, and the payment continues`, async ({ page }) => {
    const line = await SocketLine.watch(page, 'deposit-create');
    const payer = await Payer.at(page);
    line.once(mischief as Mischief);
    await payer.button.click();
    await payer.untilPaying();
    expect(await payer.deposits()).toBe(1);
  });
}

test('[DEP-16] a server that is silent for minutes: being checked, do not pay again; then the truth, and one deposit', async ({
  page,
}) => {
  await page.clock.install();
  const line = await SocketLine.watch(page, 'deposit-create');
  const payer = await Payer.at(page);
  line.hold();
  await payer.button.click();
  await expect.poll(() => line.sent).toBeGreaterThan(0);
  const { widget } = payer.host;
  await expect(async () => {
    await page.clock.fastForward(31_000);
    await expect(widget.getByText('Please do not pay again.')).toBeVisible({ timeout: 100 });
  }).toPass({ timeout: 60_000, intervals: [10] });
  await expect(widget.getByText('Your payment is being checked')).toBeVisible();
  await expect(payer.button).toHaveCount(0);
  line.release();
  await expect(async () => {
    await page.clock.fastForward(6000);
    await payer.untilPaying();
  }).toPass({ timeout: 60_000 });
  expect(await payer.deposits()).toBe(1);
});
