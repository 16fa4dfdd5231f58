import { randomUUID } from 'node:crypto';
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

test.use({ viewport: { width: 390, height: 844 } });

// The last test checks what the others have left, so the order matters.
test.describe.configure({ mode: 'default' });

test.beforeAll(({ stack: cashier, site: hosts }) => {
  [stack, site] = [cashier, hosts];
});

/** The user's balances in the ledger by account, without zeros. */
interface Money {
  main?: string;
  additional?: string;
  held?: string;
}

/** A user with a balance, and the cashier on the host's page. */
class Person {
  readonly host: HostPage;
  readonly userId: string;

  private constructor(page: Page, userId: string) {
    this.host = new HostPage(page, stack, site);
    this.userId = userId;
  }

  /** The same person in another tab. */
  in(page: Page): Person {
    return new Person(page, this.userId);
  }

  static async with(page: Page, money: Money): Promise<Person> {
    people += 1;
    const person = new Person(page, `withdrawer-${people}`);
    for (const [to, amount] of Object.entries(money)) await person.give(to, amount);
    return person;
  }

  get widget() {
    return this.host.widget;
  }

  button(name: string | RegExp) {
    return this.widget.getByRole('button', { name });
  }

  heading(name: string) {
    return this.widget.getByRole('heading', { name });
  }

  get confirm() {
    return this.button('Confirm withdrawal');
  }

  /** The value beside a label, such as a fee. */
  line(title: string) {
    return this.widget.locator('dl > div', { has: this.widget.getByText(title, { exact: true }) }).locator('dd');
  }

  async give(to: string, amount: string): Promise<void> {
    await this.#operator(`transfers`, { transferId: randomUUID(), currency: 'USD', amount, from: 'operator', to });
  }

  async money(): Promise<Money> {
    const { balances, additional, held } = (await this.#operator('balances')) as Record<
      string,
      { currency: string; amount: string }[]
    >;
    const of = (name: string, list: { amount: string }[] = []) => list.map(({ amount }) => [name, amount]);
    return Object.fromEntries([...of('main', balances), ...of('additional', additional), ...of('held', held)]);
  }

  async #operator(path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${stack.cashierUrl}/operator/v1/users/${this.userId}/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${stack.operatorKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }

  /** Opens the form of the card and fills it in. */
  async fill(amount: string): Promise<void> {
    await this.host.open('/withdrawal/redirect/card_withdrawal', { userId: this.userId });
    await this.type(amount);
  }

  async type(amount: string): Promise<void> {
    await this.widget.getByRole('textbox', { name: 'Amount' }).fill(amount);
    await this.widget.getByRole('textbox', { name: 'Card number' }).fill('4242424242424242');
  }

  async hold(amount: string): Promise<void> {
    await this.fill(amount);
    await this.button(/^Withdraw/).click();
    await expect(this.confirm).toBeVisible();
  }
}

test('[WD-1] [WD-2] [WD-3] a card withdrawal goes from the list to the bank: held, confirmed, paid, right to the last cent', async ({
  page,
}) => {
  const person = await Person.with(page, { main: '250.00' });
  await person.host.open('/withdrawal', { userId: person.userId });
  await person.button(/^Bank card/).click();
  await person.type('100.05');
  await expect(person.line('Fee')).toHaveText('$1.50');
  await expect(person.line('You receive')).toHaveText('$98.55');
  await person.button(/^Withdraw/).click();

  await expect(person.confirm).toBeVisible();
  await expect(person.widget.getByText('$100.05')).toBeVisible();
  await expect(person.line('Fee')).toHaveText('$1.50');
  await expect(person.line('You receive')).toHaveText('$98.55');
  await expect(person.line('Card number')).toHaveText('4242 4242 4242 4242');
  expect(await person.money()).toEqual({ main: '149.95', held: '100.05' });

  await person.confirm.click();
  await expect(person.heading('Paid out')).toBeVisible();
  expect(await person.money()).toEqual({ main: '149.95' });
  await person.button('See withdrawal methods').click();
  await expect(person.widget.getByText('$149.95')).toBeVisible();

  // 100.05 left the balance. 1.50 of it is the operator's fee.
  const fees = await withDatabase(stack, (ask) =>
    ask(
      `select posting.amount::text as amount from posting join account on account.id = posting.account_id
        join journal on journal.id = posting.journal_id join withdrawal on withdrawal.id = journal.withdrawal_id
        where account.kind = 'withdrawal_fee' and withdrawal.user_id = '${person.userId}'`,
    ),
  );
  expect(fees).toEqual([{ amount: '150' }]);
  await stack.startCashier();
});

test('[WD-2] refused by the bank: the money is back, and it says so', async ({ page }) => {
  const person = await Person.with(page, { main: '250.00' });
  await person.hold('50.10');
  expect(await person.money()).toEqual({ main: '199.90', held: '50.10' });
  await person.confirm.click();
  await expect(person.heading('The withdrawal was declined')).toBeVisible({ timeout: 30_000 });
  await expect(person.widget.getByText(/\$50\.10.* was returned to your balance/)).toBeVisible();
  expect(await person.money()).toEqual({ main: '250.00' });
});

test('[WD-3] why it was declined, and what to change, is the same in another tab', async ({ page, context }) => {
  const person = await Person.with(page, { main: '250.00' });
  const elsewhere = person.in(await context.newPage());
  for (const [amount, words] of [
    ['50.14', /^Your bank declined this payment/],
    ['50.19', /^Your bank declined this payment/],
    ['50.17', /^We can send money only to an account in your own name/],
  ] as const) {
    await person.hold(amount);
    await person.confirm.click();
    await expect(person.widget.getByText(words)).toBeVisible();
    const id = await page.evaluate(
      () => window.said.findLast(({ messageType }) => messageType === 'transaction')?.payload['withdrawalId'],
    );
    await elsewhere.host.open(`/withdrawal/complete?withdrawalId=${String(id)}`, { userId: person.userId });
    await expect(elsewhere.widget.getByText(words)).toBeVisible();
  }
});

test('[WD-2] Change gives the amount back and loses nothing that was typed', async ({ page }) => {
  const person = await Person.with(page, { main: '250.00' });
  await person.hold('60.00');
  await person.button('Change').click();
  await expect(person.widget.getByRole('textbox', { name: 'Amount' })).toHaveValue('60.00');
  await expect(person.widget.getByRole('textbox', { name: 'Card number' })).toHaveValue('4242 4242 4242 4242');
  expect(await person.money()).toEqual({ main: '250.00' });
  await person.button(/^All: .*250\.00/).click();
  await person.button(/^Withdraw/).click();
  await expect(person.confirm).toBeVisible();
  await expect(person.line('You receive')).toHaveText('$246.25');
  expect(await person.money()).toEqual({ held: '250.00' });
});

test('[WD-2] Back gives the amount back, and the same intent again is one withdrawal', async ({ page }) => {
  const person = await Person.with(page, { main: '100.00' });
  await person.hold('100.00');
  await person.button('Back').click();
  await person.button(/^Withdraw/).click();
  await expect(person.confirm).toBeVisible();
  expect(await person.money()).toEqual({ held: '100.00' });
});

test('[WD-1] the additional account is another balance', async ({ page }) => {
  const person = await Person.with(page, { main: '20.00', additional: '80.00' });
  await person.fill('50.00');
  await person.widget.getByRole('radio', { name: /^Additional: .*80\.00/ }).check();
  await person.button(/^Withdraw/).click();
  await expect(person.confirm).toBeVisible();
  await expect(person.line('Withdraw from')).toHaveText('Additional');
  expect(await person.money()).toEqual({ main: '20.00', additional: '30.00', held: '50.00' });
});

test('[WD-3] money spent elsewhere meanwhile: the amount field shows the new balance, and nothing is held', async ({
  page,
}) => {
  const person = await Person.with(page, { main: '100.00' });
  await person.fill('90.00');
  await fetch(`${stack.cashierUrl}/operator/v1/users/${person.userId}/transfers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ transferId: randomUUID(), currency: 'USD', amount: '70.00', from: 'main', to: 'operator' }),
  });
  await person.button(/^Withdraw/).click();
  await expect(person.widget.getByText(/^Your balance is .*30/)).toBeVisible();
  await expect(person.widget.getByRole('textbox', { name: 'Amount' })).toHaveValue('90.00');
  expect(await person.money()).toEqual({ main: '30.00' });
});

test('[NAV-7] [WD-2] a reload on each screen finds the same withdrawal again', async ({ page }) => {
  const person = await Person.with(page, { main: '100.00' });
  await person.fill('40.06');
  await person.host.reload();
  await person.type('40.06');
  await person.button(/^Withdraw/).click();
  await expect(person.confirm).toBeVisible();
  await person.host.reload();
  await expect(person.line('You receive')).toHaveText('$39.46');
  expect(await person.money()).toEqual({ main: '59.94', held: '40.06' });
  await person.confirm.click();
  await expect(person.heading('Your withdrawal is on its way').or(person.heading('Paid out'))).toBeVisible();
  await person.host.reload();
  await expect(person.heading('Paid out')).toBeVisible({ timeout: 30_000 });
  expect(await person.money()).toEqual({ main: '59.94' });
});

test('[WD-2] left unconfirmed, a withdrawal is found again on the list', async ({ page }) => {
  const person = await Person.with(page, { main: '100.00' });
  await person.hold('40.05');
  await person.host.show('/withdrawal');
  await person.button(/^Unfinished withdrawal/).click();
  await person.confirm.click();
  await expect(person.heading('Paid out')).toBeVisible();
  expect(await person.money()).toEqual({ main: '59.95' });
});

test('[WD-2] a double click on each button: one withdrawal, submitted once', async ({ page }) => {
  const creates = await SocketLine.watch(page, 'withdrawal-create');
  const person = await Person.with(page, { main: '100.00' });
  await person.fill('40.05');
  creates.hold();
  await person.button(/^Withdraw/).dblclick();
  await expect.poll(() => creates.sent).toBe(1);
  creates.release();
  await expect(person.confirm).toBeVisible();
  expect(creates.sent).toBe(1);
  // The answer comes after the second click. Otherwise the click would hit the next page.
  creates.hold();
  await person.confirm.dblclick();
  creates.release();
  await expect(person.heading('Paid out')).toBeVisible();
  expect(await person.money()).toEqual({ main: '59.95' });
});

test('[WD-2] the same intent in a second tab while the first holds it: one withdrawal, confirmed once', async ({
  page,
  context,
}) => {
  const creates = await SocketLine.watch(page, 'withdrawal-create');
  const first = await Person.with(page, { main: '100.00' });
  await first.fill('40.05');
  creates.hold();
  await first.button(/^Withdraw/).click();
  await expect.poll(() => creates.sent).toBe(1);
  const second = first.in(await context.newPage());
  await second.hold('40.05');
  creates.release();
  await expect(first.confirm).toBeVisible();
  expect(await first.money()).toEqual({ main: '59.95', held: '40.05' });
  await second.confirm.click();
  await expect(second.heading('Paid out')).toBeVisible();
  // The other tab updates by itself.
  await expect(first.heading('Paid out')).toBeVisible();
  expect(await first.money()).toEqual({ main: '59.95' });
});

test('[WD-2] the same intent in two tabs in the same moment, neither seeing yet what the other stored: one withdrawal', async ({
  page,
}) => {
  const { userId } = await Person.with(page, { main: '100.00' });
  const token = await stack.mintToken({ userId, currency: 'USD', country: 'IN' });
  const tabs = await openTabsApart(page, {
    address: `${stack.cashierUrl}/cashier/withdrawal/redirect/card_withdrawal?partner=demo`,
    call: 'withdrawal-create',
    cashierPayload: { token, userId, currency: 'USD', paymentGeo: 'IN', locale: 'en' },
  });
  for (const { tab } of tabs) {
    await tab.getByRole('textbox', { name: 'Amount' }).fill('40.05');
    await tab.getByRole('textbox', { name: 'Card number' }).fill('4242424242424242');
  }
  await pressAtOnce(tabs, (tab) => tab.getByRole('button', { name: /^Withdraw/ }));
  for (const { tab } of tabs) await expect(tab.getByRole('button', { name: 'Confirm withdrawal' })).toBeVisible();
  const made = await withDatabase(stack, (ask) => ask(`select 1 from withdrawal where user_id = '${userId}'`));
  await stack.startCashier();
  expect(made).toHaveLength(1);
});

const drops: Record<Exclude<Mischief, 'none'>, string> = {
  'drop-before-send': 'before the request left',
  'drop-after-send': 'after the request left',
  'drop-after-answer': 'after the server has answered',
};
for (const [mischief, when] of Object.entries(drops)) {
  for (const call of ['create', 'confirm']) {
    test(`[WD-2] [NET-3] a socket that is lost ${when} of a ${call}: one withdrawal`, async ({ page }) => {
      const line = await SocketLine.watch(page, `withdrawal-${call}`);
      const person = await Person.with(page, { main: '100.00' });
      await person.fill('40.05');
      line.once(mischief as Mischief);
      await person.button(/^Withdraw/).click();
      await expect(person.confirm).toBeVisible({ timeout: 30_000 });
      expect(await person.money()).toEqual({ main: '59.95', held: '40.05' });
      await person.confirm.click();
      await expect(person.heading('Paid out')).toBeVisible({ timeout: 30_000 });
      expect(await person.money()).toEqual({ main: '59.95' });
    });
  }
}

test('[WD-2] a bank that is silent: being checked, do not withdraw again, and the amount stays held', async ({
  page,
}) => {
  const person = await Person.with(page, { main: '100.00' });
  await person.hold('40.04');
  await person.confirm.click();
  await expect(person.widget.getByText('Please do not withdraw again.')).toBeVisible({ timeout: 60_000 });
  expect(await person.money()).toEqual({ main: '59.96', held: '40.04' });
  await person.host.reload();
  await expect(person.widget.getByText('Please do not withdraw again.')).toBeVisible();
});

test('[WD-2] [ERR-4] the payer sees the reason of a decline once, on its status page', async ({ page }) => {
  const person = await Person.with(page, { main: '100.00' });
  await person.hold('40.14');
  await person.confirm.click();
  await expect(person.heading('The withdrawal was declined')).toBeVisible();
  await expect(person.widget.getByText('Your bank declined this payment. Choose another method.')).toBeVisible();
  await expect(person.widget.getByRole('alert')).toHaveText('');
  expect(await person.money()).toEqual({ main: '100.00' });
});

test('[WD-1] an address of another network is refused with the name of the one that it belongs to', async ({
  page,
}) => {
  const person = await Person.with(page, { main: '100.00' });
  await person.host.open('/withdrawal/redirect/usdt_trc20_withdrawal', { userId: person.userId });
  await person.widget.getByRole('textbox', { name: 'Amount' }).fill('50.05');
  const wallet = person.widget.getByRole('textbox', { name: 'Wallet address' });
  await wallet.fill('0x52908400098527886E0F7030069857D2E4169EE7');
  await wallet.press('Enter');
  await expect(person.widget.getByText(/This address belongs to Ethereum.* uses Tron/)).toBeVisible();
  expect(await person.money()).toEqual({ main: '100.00' });
  await wallet.fill('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8');
  await person.button(/^Withdraw/).click();
  await expect(person.line('Wallet address')).toHaveText('TJRa bPrw bZy4 5sba vfcj inPJ C18k jpRT v8');
  await expect(person.line('You receive')).toHaveText(/^[\d.]+\sUSDT$/);
  await person.confirm.click();
  await expect(person.heading('Paid out')).toBeVisible();
  expect(await person.money()).toEqual({ main: '49.95' });
});

test('[SRV-2] [WD-2] afterwards the ledger adds up, each hold ended once, and nobody was paid twice', async () => {
  await withDatabase(stack, async (ask) => {
    expect(await ask('select journal_id from posting group by journal_id, asset having sum(amount) <> 0')).toEqual([]);
    const ended = "select ext_ref from journal where kind = 'hold_end' group by ext_ref having count(*) > 1";
    expect(await ask(ended)).toEqual([]);
    const paid =
      "select user_id from withdrawal where state = 'paid' and user_id like 'withdrawer-%' group by user_id having count(*) > 1";
    expect(await ask(paid)).toEqual([]);
  });
});
