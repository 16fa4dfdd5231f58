/** A walk over the screens in every language. No text of them is English. */
import type { Frame, Page } from '@playwright/test';
import { languages } from '../../scripts/locales/languages.mjs';
import { HostPage } from '../stack/host-page.ts';
import { Stack } from '../stack/stack.ts';
import { StaticSite } from '../stack/static-site.ts';
import { expect, test } from '../stack/test.ts';
import { fundedUser } from '../stack/withdrawing.ts';
import { englishFinder, textsOfPage } from './find-english.ts';

let site: StaticSite;
let stack: Stack;

test.describe.configure({ mode: 'default', timeout: 300_000 });
test.use({ trace: 'off', contextOptions: { reducedMotion: 'reduce' } });

test.beforeAll(async () => {
  site = await StaticSite.start();
  stack = await Stack.start({ origins: [site.origin] });
});

test.afterAll(async () => {
  await Promise.all([stack.stop(), site.stop()]);
});

/** Screens of deposits, each with what shows that it is there. */
const deposits: readonly (readonly [path: string, ready: string])[] = [
  ['/deposit/region', 'dialog [role=option]'],
  ['/deposit/redirect/card', 'button[type=submit]'],
  ['/deposit/redirect/card/instruction', 'main ol li'],
  ['/deposit/crypto', 'main li button'],
  ['/deposit/crypto/usdt', 'main button'],
  ['/deposit/onramp/onramp_card', 'button[type=submit]'],
  ['/deposit/peer-to-peer/p2p_imps/base', 'button[type=submit]'],
  ['/deposit/complete?depositId=nothing', 'main h2'],
  ['/empty', 'main button'],
  ['/error', 'main button'],
  ['/form', 'main button'],
];

const withdrawals: typeof deposits = [
  ['/withdrawal/redirect/card_withdrawal', 'input[name=cardNumber]'],
  ['/withdrawal/redirect/card_withdrawal/instruction', 'main ol li'],
  ['/withdrawal/group/crypto/redirect/usdt_ton_withdrawal', 'input[name=memo]'],
  ['/withdrawal/nigerian-banks/nigerian_banks/account?bank=011', 'input[name=accountNumber]'],
];

class Walk {
  readonly found: string[] = [];
  readonly #english: (text: string) => string[];
  seen = 0;

  constructor(locale: string) {
    this.#english = englishFinder(locale);
  }

  async look(screen: string, where: Page | Frame): Promise<void> {
    for (const text of await where.evaluate(textsOfPage)) {
      this.seen += 1;
      const words = this.#english(text);
      if (words.length > 0) this.found.push(`${screen}: ${words.join(' ')} in “${text}”`);
    }
  }

  async visit(host: HostPage, screens: typeof deposits): Promise<void> {
    for (const [path, ready] of screens) {
      await expect(host.widget.locator(await host.follow(path, ready)).first(), path).toBeVisible();
      await this.look(path, host.frame());
    }
  }
}

for (const locale of languages.filter((one) => one !== 'en')) {
  test(`[UI-1] no English is left in ${locale}`, async ({ page }) => {
    // A search that finds nothing would always pass.
    expect(englishFinder(locale)('We do not know yet whether the payment went through.')).not.toEqual([]);
    const walk = new Walk(locale);
    const host = new HostPage(page, stack, site);
    const { widget } = host;
    await host.open('/deposit', { currency: 'INR', country: 'IN', payload: { locale } });
    await expect(widget.locator('main li button').first()).toBeVisible();
    await walk.look('list', host.frame());
    await walk.visit(host, deposits);

    await expect(widget.locator(await host.follow('/deposit/redirect/card', 'button[type=submit]'))).toBeVisible();
    await widget.getByRole('textbox').first().fill('1500');
    const [provider] = await Promise.all([page.waitForEvent('popup'), widget.locator('button[type=submit]').click()]);
    await provider.locator('button').first().waitFor();
    await walk.look('page of the provider', provider);
    await provider.close();

    const userId = await fundedUser(stack, 'NGN', '250000.00');
    await host.open('/withdrawal', { currency: 'NGN', country: 'NG', userId, payload: { locale } });
    await expect(widget.locator('main li button').first()).toBeVisible();
    await walk.look('withdrawals', host.frame());
    await walk.visit(host, withdrawals);
    expect(walk.found).toEqual([]);
    expect(walk.seen).toBeGreaterThan(200);
  });
}
