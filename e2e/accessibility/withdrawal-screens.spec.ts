import { expectNoSidewaysScroll } from '../stack/accessible.ts';
import { HostPage } from '../stack/host-page.ts';
import type { Stack } from '../stack/stack.ts';
import type { StaticSite } from '../stack/static-site.ts';
import { expect, test } from '../stack/test.ts';
import { fundedUser } from '../stack/withdrawing.ts';
import { expectAccessibleInEachLook, markTexts } from './every-look.ts';

let site: StaticSite;
let stack: Stack;

test.describe.configure({ timeout: 300_000 });
test.use({ viewport: { width: 390, height: 800 } });

test.beforeAll(({ stack: cashier, site: hosts }) => {
  [stack, site] = [cashier, hosts];
});

interface ScreenCase {
  readonly name: string;
  readonly path: string;
  /** An element of the loaded screen, in every language. */
  readonly ready: string;
  /** Texts to type before the check, by the field's name. */
  readonly typed?: Readonly<Record<string, string>>;
}

/** The screens after input, with and without an error. all-screens.spec.ts checks them as they open. */
const screens: readonly ScreenCase[] = [
  {
    name: 'account with a wrong number',
    path: '/withdrawal/nigerian-banks/nigerian_banks/account?bank=011',
    ready: 'input[name=accountNumber]',
    typed: { accountNumber: '0000014570' },
  },
  {
    name: 'wallet of another network, from a payment link',
    path: '/withdrawal/group/crypto/redirect/usdt_ton_withdrawal',
    ready: 'input[name=memo]',
    typed: { wallet: 'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.5' },
  },
  {
    name: 'card with a slip',
    path: '/withdrawal/redirect/card_withdrawal',
    ready: 'input[name=cardNumber]',
    typed: { cardNumber: '4242424242424241' },
  },
  { name: 'cash', path: '/withdrawal/redirect/cash_agent_withdrawal_ng', ready: 'input[name=fullName]' },
];

test('[UI-3] [UI-4] a withdrawal, its slips and its confirmation, in both themes, English, Arabic and Hindi', async ({
  page,
}) => {
  const userId = await fundedUser(stack, 'NGN', '250000.00');
  await markTexts(page);
  const host = new HostPage(page, stack, site);
  const { widget } = host;
  const expectAccessible = async (screen: string): Promise<void> => {
    await expectAccessibleInEachLook(host, screen);
    await expectNoSidewaysScroll(widget, screen);
  };

  await host.open('/error', { currency: 'NGN', country: 'NG', userId, payload: { transport: 'http' } });
  for (const { name, path, ready, typed = {} } of screens) {
    await host.show(path);
    await expect(widget.locator(ready).first(), name).toBeVisible();
    for (const [field, text] of Object.entries(typed)) {
      const input = widget.locator(`[name=${field}]`);
      await input.fill(text);
      await input.blur();
      await expect(input, name).toHaveAttribute('aria-invalid', 'true');
    }
    await expectAccessible(name);
  }

  await host.show('/withdrawal/nigerian-banks/nigerian_banks');
  await widget.getByRole('searchbox').fill('narnia');
  await expect(widget.locator('main li')).toHaveCount(0);
  await expectAccessible('no such bank');

  await host.show('/withdrawal/nigerian-banks/nigerian_banks/account?bank=011');
  await widget.getByRole('textbox').first().fill('5000');
  await widget.locator('input[name=accountNumber]').fill('0000014579');
  await widget.locator('button[type=submit]').click();
  await expect(widget.getByRole('timer')).toBeVisible();
  await expectAccessible('confirm');
  await widget.locator('main button').first().click();
  await expect(widget.getByRole('timer')).toHaveCount(0);
  await expect.poll(() => host.path()).toBe('/withdrawal/complete');
  await expect(widget.locator('main h2').first()).toBeVisible();
  await expectAccessible('complete');
});
