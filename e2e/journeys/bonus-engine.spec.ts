/** An operator's own bonus engine, asked by the real server: its bonuses on the screen, in the webhook, and what is there without it. */
import type { OwnBonus } from '@opencashier/server';
import { expectNoViolation } from '../stack/accessible.ts';
import { BonusEngine, setBonusEngine } from '../stack/bonus-engine.ts';
import type { Stack } from '../stack/stack.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

// All tests change the setting of one operator.
test.describe.configure({ mode: 'serial' });
test.use({ viewport: { width: 390, height: 844 } });

const personal = (currency = 'EUR'): OwnBonus => ({
  id: `vip-7-${currency}`,
  type: 'deposit',
  currency,
  title: { en: 'Your Thursday bonus', ar: 'مكافأة الخميس الخاصة بك' },
  subtitle: { en: 'Half of your deposit extra', ar: 'نصف إيداعك إضافةً' },
  depositBonusData: {
    minDeposit: '20.00',
    maxBonusAmount: '500.00',
    percent: 50,
    payoutMultiplier: 3,
    wagerMultiplier: 30,
  },
});
const spins = (currency = 'EUR'): OwnBonus => ({
  id: `spins-${currency}`,
  type: 'freespin',
  currency,
  title: { en: 'Twenty free spins', ar: 'عشرون لفة مجانية' },
  freespinBonusData: { count: 20, minDeposit: '10.00', maxSpinWin: '5.00', payoutMultiplier: 1, wagerMultiplier: 20 },
});

let engine: BonusEngine;
test.beforeEach(async ({ stack }) => {
  engine = await BonusEngine.start(stack, ({ currency }) => [spins(currency), personal(currency)]);
});
test.afterEach(async ({ stack }) => {
  await engine.stop();
  await setBonusEngine(stack, null);
});

interface Listened {
  readonly webhooks: readonly { readonly type: string; readonly body: string }[];
  readonly cursor: string;
}

/** Webhooks of the last minutes, or those after a cursor. An answer has 20 at most. */
async function listened(stack: Stack, cursor?: string): Promise<Listened> {
  const answer = await fetch(`${stack.cashierUrl}/operator/v1/sandbox/webhooks/listen`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ waitSeconds: 1, ...(cursor === undefined ? { sinceSeconds: 600 } : { cursor }) }),
  });
  return (await answer.json()) as Listened;
}

/** The data of the webhook `deposit.processed` of a user, as the operator's backend got it. Undefined: it has not come yet. */
async function creditOf(stack: Stack, userId: string): Promise<unknown> {
  let page = await listened(stack);
  // Other tests of the same cashier have webhooks, too.
  while (page.webhooks.length > 0) {
    const bodies = page.webhooks.filter(({ type }) => type === 'deposit.processed').map(({ body }) => JSON.parse(body));
    const found = bodies.map(({ data }: { data: { userId: string } }) => data).find((data) => data.userId === userId);
    if (found !== undefined) return found;
    page = await listened(stack, page.cursor);
  }
  return undefined;
}

/** What the operator's backend gets for its page. */
async function bonusesOf(stack: Stack, userId: string, currency = 'INR'): Promise<{ source: string }> {
  const query = new URLSearchParams({ currency, locale: 'en' });
  const answer = await fetch(`${stack.cashierUrl}/operator/v1/users/${userId}/bonuses?${query}`, {
    headers: { authorization: `Bearer ${stack.operatorKey}` },
  });
  return (await answer.json()) as { source: string };
}

/** On a busy machine the first answer may come too late for its list. It then serves the next one. */
async function untilAnswered(stack: Stack, { userId }: DemoPage, currency: string): Promise<void> {
  await expect.poll(async () => (await bonusesOf(stack, userId, currency)).source).toBe('engine');
}

/** Opens the cashier and the bonus that it shows, and uses that one or another. */
async function useBonus(demo: DemoPage, shown: string, other?: string): Promise<void> {
  await demo.openCashier();
  await demo.widget.getByRole('region', { name: 'Bonuses' }).getByRole('button', { name: shown }).click();
  if (other !== undefined) {
    await demo.widget.getByRole('button', { name: other }).click();
    await demo.widget.getByRole('button', { name: 'Use this bonus' }).click();
  }
  await demo.widget.getByRole('button', { name: 'Choose a payment method' }).click();
}

test('[BON-1] [BON-2] [BON-3] a bonus of the engine is seen, chosen and earned: on the screen and in the webhook', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'EUR', country: 'DE' });
  await untilAnswered(stack, demo, 'EUR');
  await useBonus(demo, 'Twenty free spins', 'Your Thursday bonus');
  expect(engine.questions).toContainEqual(expect.objectContaining({ userId: demo.userId, currency: 'EUR' }));
  await demo.choose('Bank card');
  await demo.widget.getByRole('textbox', { name: 'Amount' }).fill('60');
  await expect(demo.widget.getByText(/^Bonus \+.*€30\.?/)).toBeVisible();
  await expectNoViolation(demo.widget, 'the form with a bonus of the engine');
  const popup = await demo.deposit('60.00');
  await popup.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(demo.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  const activity = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
  await expect(activity.first()).toHaveText(/^Added by card.*, with a bonus of €30\.00.*\+€60\.00$/);
  const credit = { bonusId: 'vip-7-EUR', bonusAmount: '30.00', amount: '60.00' };
  await expect.poll(() => creditOf(stack, demo.userId)).toMatchObject(credit);
});

test('[SRV-2] while the engine does not answer, methods and the own list are there before its question ends', async ({
  page,
  stack,
}) => {
  engine.hangs = true;
  // A list waits for 300 ms, and a question for 800. So the cashier still waits for the engine when the list is there.
  const { source } = await bonusesOf(stack, 'slow-engine');
  expect([source, engine.waiting]).toEqual(['fallback', 1]);
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'INR', country: 'IN' });
  await demo.openCashier();
  await expect(demo.widget.getByText('Bank card', { exact: true }).first()).toBeVisible();
  await expect(demo.widget.getByRole('button', { name: 'Welcome bonus' })).toBeVisible();
  await expect.poll(() => engine.waiting).toBe(0);
});

test('[SRV-2] the engine is gone: a user sees the last answer or the own list, and deposits with it', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'INR', country: 'IN' });
  await untilAnswered(stack, demo, 'INR');
  await demo.openCashier();
  await expect(demo.widget.getByRole('button', { name: 'Twenty free spins' })).toBeVisible();
  await engine.stop();
  await page.reload();
  await expect(demo.balance).toContainText(/\d/);
  await demo.openCashier();
  await expect(demo.widget.getByRole('button', { name: 'Twenty free spins' })).toBeVisible();

  const other = new DemoPage(page);
  await other.open(stack, { currency: 'INR', country: 'IN' });
  await useBonus(other, 'Welcome bonus');
  await other.choose('Bank card');
  const popup = await other.deposit('1500.00');
  await popup.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(other.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  await expect.poll(() => creditOf(stack, other.userId)).toMatchObject({ bonusAmount: '1500.00' });
});

test('[BON-1] bonuses of the engine in Arabic fit a phone', async ({ page, stack }) => {
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'EUR', country: 'DE', locale: 'ar' });
  await untilAnswered(stack, demo, 'EUR');
  await page.getByRole('button', { name: 'Deposit', exact: true }).click();
  await demo.widget.getByRole('button', { name: 'عشرون لفة مجانية' }).click();
  await demo.widget.getByRole('button', { name: 'مكافأة الخميس الخاصة بك' }).click();
  await expect(demo.widget.getByRole('heading', { name: 'مكافأة الخميس الخاصة بك' })).toBeVisible();
  await expectNoViolation(demo.widget, 'the bonus in Arabic');
  expect(await demo.widget.locator('html').evaluate((html) => html.scrollWidth <= html.clientWidth)).toBe(true);
});
