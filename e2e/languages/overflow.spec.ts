import { HostPage } from '../stack/host-page.ts';
import { Stack } from '../stack/stack.ts';
import { StaticSite } from '../stack/static-site.ts';
import { expect, test } from '../stack/test.ts';
import { fundedUser } from '../stack/withdrawing.ts';
import { collectMarks, measureLanguages } from './find-overflow.ts';
import { allLanguages, marked } from './marked-texts.ts';

let site: StaticSite;
let stack: Stack;

test.describe.configure({ mode: 'default', timeout: 300_000 });
// The smallest phone, and no waiting for animated sheets.
test.use({ viewport: { width: 320, height: 700 }, trace: 'off', contextOptions: { reducedMotion: 'reduce' } });

test.beforeAll(async () => {
  site = await StaticSite.start();
  stack = await Stack.start({ origins: [site.origin] });
});

test.afterAll(async () => {
  await Promise.all([stack.stop(), site.stop()]);
});

const languages = allLanguages();

/** A balance alone in its row, with long amounts. */
const largeBonus = {
  id: 'large',
  type: 'deposit',
  currency: 'INR',
  content: { title: 'Welcome bonus', subtitle: 'We double your deposit' },
  depositBonusData: {
    minDeposit: '25000',
    maxBonusAmount: '1000000',
    percent: 100,
    payoutMultiplier: 10,
    wagerMultiplier: 30,
  },
  mustAccruedBefore: new Date(Date.now() + 5 * 3_600_000).toISOString(),
};

/** `LANGUAGE_PICTURES=pseudo,longest` writes screenshots of these languages into test-results/languages. */
const pictured = (process.env['LANGUAGE_PICTURES'] ?? '').split(',');

class Reader {
  readonly host: HostPage;
  readonly #problems: string[] = [];

  constructor(host: HostPage) {
    this.host = host;
  }

  static async open(host: HostPage, path: string, options: Parameters<HostPage['open']>[1]): Promise<Reader> {
    await host.page.route('**/static/locales/en.*.json', (route) => route.fulfill({ json: marked }));
    await host.open(path, options);
    await host.page.locator('iframe').evaluate((frame) => frame.setAttribute('width', '320'));
    return new Reader(host);
  }

  /** Opens an address and checks it as soon as `ready` is visible. */
  async visit(path: string, ready: string): Promise<void> {
    await this.host.show(path);
    await expect(this.host.widget.locator(ready).first(), path).toBeVisible();
    await this.look(path.slice(1).replace(/\W+/g, '-'));
  }

  /** Checks the visible texts in every language. */
  async look(screen: string): Promise<void> {
    const frame = this.host.frame();
    const keys = new Set(await frame.evaluate(collectMarks));
    // Only texts of the screen are sent into the page. Sending all texts of all languages would take longer than the check.
    const small = languages.map(({ texts, ...language }) => ({
      ...language,
      texts: Object.fromEntries(Object.entries(texts).filter(([key]) => keys.has(key))),
    }));
    const { seen, problems } = await frame.evaluate(measureLanguages, small);
    expect(seen, `${screen} shows texts`).toBeGreaterThanOrEqual(languages.length);
    this.#problems.push(...problems.map((problem) => `${screen}, ${problem}`));
    for (const language of small.filter(({ name }) => pictured.includes(name))) {
      await frame.evaluate(measureLanguages, [language]);
      const path = `test-results/languages/${screen}-${language.name}.png`;
      await this.host.page.locator('iframe').screenshot({ path });
    }
  }

  /** Proves that the check finds a text that does not fit. A check that finds nothing would always pass. */
  async expectSeesOverflow(): Promise<void> {
    const frame = this.host.frame();
    const texts = Object.fromEntries((await frame.evaluate(collectMarks)).map((key) => [key, 'Donau'.repeat(20)]));
    const { problems } = await frame.evaluate(measureLanguages, [{ name: 'de', direction: 'ltr', texts } as const]);
    expect(problems.length).toBeGreaterThan(0);
  }

  expectRoomForAll(): void {
    expect(this.#problems).toEqual([]);
  }
}

test('[UI-1] [UI-4] every text of a deposit has its place at 320 pixels, in every language', async ({ page }) => {
  const host = new HostPage(page, stack, site);
  const { widget } = host;
  const payload = { bonusList: [largeBonus] };
  const reader = await Reader.open(host, '/deposit', { currency: 'INR', country: 'IN', payload });
  await expect(widget.getByRole('timer')).toBeVisible();
  await expect(widget.locator('main li button').first()).toBeVisible();
  await reader.look('list');
  await reader.expectSeesOverflow();
  await reader.visit('/deposit/region', 'dialog [aria-selected=true]');
  await reader.visit('/deposit/redirect/card', 'button[type=submit]');
  await widget.getByRole('textbox').first().fill('1');
  await widget.getByRole('textbox').first().blur();
  await expect(widget.locator('[aria-invalid]')).toBeVisible();
  await reader.look('too-little');
  await reader.visit('/deposit/redirect/card/instruction', 'main ol li');
  await reader.visit('/deposit/crypto/usdt', 'main button');
  await reader.visit('/deposit/onramp/onramp_card', 'button[type=submit]');
  await reader.visit('/deposit/complete?depositId=nothing', 'main h2');
  await reader.visit('/empty', 'main button');
  await reader.visit('/error', 'main button');
  await reader.visit('/form', 'main button');
  await reader.visit('/deposit/peer-to-peer/p2p_imps/base', 'button[type=submit]');
  await widget.getByRole('textbox').first().fill('1500');
  await widget.locator('button[type=submit]').click();
  await expect(widget.getByRole('timer')).toBeVisible();
  await reader.look('invoice');
  reader.expectRoomForAll();
});

test('[UI-1] [UI-4] every text of a withdrawal has its place at 320 pixels, in every language', async ({ page }) => {
  const host = new HostPage(page, stack, site);
  const { widget } = host;
  const userId = await fundedUser(stack, 'NGN', '250000.00');
  const options = { currency: 'NGN', country: 'NG', userId, payload: { transport: 'http' } };
  const reader = await Reader.open(host, '/withdrawal', options);
  await expect(widget.locator('main li button').first()).toBeVisible();
  await reader.look('withdrawals');
  await reader.visit('/withdrawal/redirect/card_withdrawal', 'input[name=cardNumber]');
  await reader.visit('/withdrawal/redirect/card_withdrawal/instruction', 'main ol li');
  await reader.visit('/withdrawal/group/crypto/redirect/usdt_ton_withdrawal', 'input[name=memo]');
  await reader.visit('/withdrawal/nigerian-banks/nigerian_banks', 'main li button');
  await reader.visit('/withdrawal/nigerian-banks/nigerian_banks/account?bank=011', 'input[name=accountNumber]');
  await widget.getByRole('textbox').first().fill('5000');
  await widget.locator('input[name=accountNumber]').fill('0000014579');
  await widget.locator('button[type=submit]').click();
  await expect(widget.getByRole('timer')).toBeVisible();
  await reader.look('confirm');
  await widget.locator('main button').first().click();
  // Both pages have a heading, and the address changes before the page.
  await expect(widget.getByRole('timer')).toHaveCount(0);
  await expect.poll(() => host.path()).toBe('/withdrawal/complete');
  await expect(widget.locator('main h2').first()).toBeVisible();
  await reader.look('withdrawal-complete');
  reader.expectRoomForAll();
});

test('[UI-1] [UI-4] every text of the sweepstake has its place at 320 pixels, in every language', async ({ page }) => {
  const host = new HostPage(page, stack, site);
  const { widget } = host;
  const reader = await Reader.open(host, '/deposit', { payload: { widgetViewType: 'sweep' } });
  await expect(widget.locator('button[aria-disabled]')).toBeVisible();
  await reader.look('boxes');
  await widget.getByRole('button', { name: /25,000\sGC/ }).click();
  await widget.getByRole('button', { name: 'Bank card' }).click();
  await expect(widget.locator('button[type=submit]')).toBeVisible();
  await reader.look('order');
  await reader.visit('/withdrawal', 'li button');
  await reader.visit('/withdrawal/crypto/redeem_usdt_trc20', 'button[type=submit]');
  reader.expectRoomForAll();
});
