/** The first list of methods comes with the page, before the code, and the code continues from it. */
import type { Page } from '@playwright/test';
import { watchConsole } from '../stack/console-watch.ts';
import { holdScripts } from '../stack/held-scripts.ts';
import { HostPage } from '../stack/host-page.ts';
import type { Stack } from '../stack/stack.ts';
import type { StaticSite } from '../stack/static-site.ts';
import { expect, test } from '../stack/test.ts';

const india = 'locale=en&country=IN&currency=INR';
const payer = { country: 'IN', currency: 'INR' };

/** A host's page whose widget has its list, and no script yet. */
async function openHeld(
  { page, stack, site }: { page: Page; stack: Stack; site: StaticSite },
  path: string,
  options: Parameters<HostPage['open']>[1] = payer,
) {
  const scripts = await holdScripts(page);
  const host = new HostPage(page, stack, site);
  const opened = host.open(path, options);
  const start = (): Promise<void> => {
    scripts.let();
    return opened;
  };
  return { host, start };
}

/** The form of a card, opened by a tap on a list that has no script yet. */
async function openCardHeld(fixtures: { page: Page; stack: Stack; site: StaticSite }) {
  const { host, start } = await openHeld(fixtures, `/deposit?${india}`);
  await host.widget.getByRole('button', { name: 'Bank card' }).click();
  await expect(host.widget.getByRole('heading', { level: 2, name: 'Bank card' })).toBeVisible();
  return {
    host,
    start,
    amount: host.widget.getByRole('textbox', { name: 'Amount' }),
    choices: host.widget.getByRole('group', { name: 'Suggested amounts' }).getByRole('button'),
  };
}

interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRect;
    readonly currentRect: DOMRect;
  }[];
}

/** What has moved on the widget's page since it was loaded, until two more frames have been drawn: how far, and from where to where. */
const shiftsOf = (host: HostPage): Promise<string[]> =>
  host.frame().evaluate(async () => {
    const shifts: string[] = [];
    const boxOf = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(' ');
    const add = (entries: PerformanceEntryList) => {
      for (const { value, sources } of entries as LayoutShift[]) {
        const moved = sources.map(({ node, previousRect, currentRect }) => {
          const name =
            node instanceof Element
              ? `${node.localName}.${node.className}`
              : (node?.textContent ?? 'a part that is gone');
          return `${name} ${boxOf(previousRect)} -> ${boxOf(currentRect)}`;
        });
        if (value > 0) shifts.push(`${value}: ${moved.join(', ')}`);
      }
    };
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
    add(observer.takeRecords());
    return shifts;
  });

for (const direction of ['deposit', 'withdrawal'] as const) {
  test(`[LIST-1] [LIST-2] [UI-5] the list of a ${direction} is there before any script, and is taken over without moving`, async ({
    page,
    stack,
    site,
  }) => {
    const { host, start } = await openHeld({ page, stack, site }, `/${direction}?${india}`);
    const first = host.widget.getByRole('main').getByRole('listitem').first();
    await expect(first).toBeVisible();
    await expect(host.widget.getByRole('heading', { level: 1 })).toBeVisible();
    await host.frame().evaluate(() => {
      document.querySelector('main')?.setAttribute('data-drawn-once', '');
    });
    await start();
    // The user's own answer, which brings the balance.
    await expect(host.widget.getByText('₹0.00')).toBeVisible();
    await expect(host.widget.locator('main[data-drawn-once]')).toHaveCount(1);
    expect(await shiftsOf(host)).toEqual([]);
  });
}

/** What a browser shows of its wallets, and the methods that its list then has. Runs in the page. */
const devices = {
  'Apple Pay': [() => Object.assign(window, { ApplePaySession: { canMakePayments: () => true } }), ['applepay']],
  'Google Pay': [() => Object.assign(window, { PaymentRequest: class {} }), ['googlepay']],
  'no wallet': [() => Reflect.deleteProperty(window, 'PaymentRequest'), []],
} as const;

for (const [device, [prepare, wallets]] of Object.entries(devices)) {
  for (const width of [390, 1280]) {
    test(`[LIST-7] [LIST-2] [UI-5] the drawn list of a device with ${device}, ${width} pixels wide, has its wallets and does not move`, async ({
      page,
      stack,
      site,
    }) => {
      await page.addInitScript(prepare);
      await page.setViewportSize({ width, height: 800 });
      const british = { country: 'GB', currency: 'GBP', width };
      const { host, start } = await openHeld(
        { page, stack, site },
        '/deposit?locale=en&country=GB&currency=GBP',
        british,
      );
      const opens = () =>
        host
          .frame()
          .evaluate(() =>
            [...document.querySelectorAll<HTMLElement>('#root [data-opens^=method]')].map(
              (tile) => tile.dataset['opens'] ?? '',
            ),
          );
      await expect(host.widget.getByRole('button', { name: 'Bank card' })).toBeVisible();
      const drawn = await opens();
      expect(drawn.filter((method) => method.endsWith('pay')).map((method) => method.split(' ')[1])).toEqual(wallets);
      await host.frame().evaluate(() => document.querySelector('main')?.setAttribute('data-drawn-once', ''));
      await start();
      // The user's own answer, which brings the balance.
      await expect(host.widget.getByText('£0.00')).toBeVisible();
      await expect(host.widget.locator('main[data-drawn-once]')).toHaveCount(1);
      expect(await opens()).toEqual(drawn);
      expect(await shiftsOf(host)).toEqual([]);
    });
  }
}

for (const width of [390, 1280]) {
  test(`[LIST-2] [UI-5] a tile of which the last lines have not come yet has its title where it stays, ${width} pixels wide`, async ({
    page,
    stack,
    site,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const { host, start } = await openHeld({ page, stack, site }, `/deposit?${india}`, { ...payer, width });
    await expect(host.widget.getByRole('button', { name: 'Bank card' })).toBeVisible();
    // A browser paints what it has read, whichever tag was the last.
    const { moved, withLines } = await host.frame().evaluate(() => {
      const tiles = [...document.querySelectorAll('#root [data-part=tile]')];
      const topOf = (tile: Element) => tile.querySelector('[id$="-title"]')?.getBoundingClientRect().top ?? Number.NaN;
      const moved = tiles.flatMap((tile) => {
        const whole = topOf(tile);
        const more = tile.querySelector('[id$="-more"]');
        const text = more?.parentElement;
        const lines = [...(more?.children ?? [])];
        more?.replaceChildren();
        const withoutLines = topOf(tile);
        more?.remove();
        const withoutMore = topOf(tile);
        more?.append(...lines);
        if (more) text?.append(more);
        const isStill = Math.abs(whole - withoutLines) < 1 && Math.abs(whole - withoutMore) < 1;
        return isStill ? [] : [tile.getAttribute('data-opens')];
      });
      const withLines = tiles.filter((tile) => tile.querySelector('[id$="-more"] > *') !== null);
      return { moved, withLines: withLines.length };
    });
    await start();
    expect(moved).toEqual([]);
    expect(withLines).toBeGreaterThan(3);
  });
}

test('[LIST-4] a press before the code is shown at once, and carried out once when the code is there', async ({
  page,
  stack,
  site,
}) => {
  const { host, start } = await openHeld({ page, stack, site }, `/deposit?${india}`);
  const close = host.widget.getByRole('button', { name: 'Close' });
  const region = host.widget.getByRole('button', { name: /^Region/ });
  await close.click();
  await region.click();
  // It looks pressed, and is said to be busy.
  await expect(region).toHaveAttribute('aria-busy', 'true');
  const backgroundOf = (button: typeof region) => button.evaluate((element) => getComputedStyle(element).boxShadow);
  expect(await backgroundOf(region)).not.toBe(await backgroundOf(close));
  // The last press counts.
  await expect(region).toHaveAttribute('data-pressed', '');
  await expect(close).not.toHaveAttribute('data-pressed');
  await start();
  await expect(host.widget.getByRole('dialog')).toBeVisible();
  expect(host.path()).toMatch(/^\/deposit\/region/);
});

test('[UI-5] [LIST-4] [AMT-1] a tap before the code opens the form, and what is typed and pressed there is kept', async ({
  page,
  stack,
  site,
}) => {
  const { host, start, amount } = await openCardHeld({ page, stack, site });
  await expect(host.widget.getByRole('heading', { level: 1 })).toBeFocused();
  await amount.click();
  await page.keyboard.type('12345');
  // The field grows with what is typed.
  const widthOf = () => amount.evaluate((input) => input.clientWidth);
  expect(await widthOf()).toBeGreaterThan(60);
  await host.frame().evaluate(() => document.querySelector('main')?.setAttribute('data-drawn-once', ''));
  await start();
  await expect(amount).toHaveValue('12,345');
  await expect(amount).toBeFocused();
  await expect(host.widget.locator('main[data-drawn-once]')).toHaveCount(1);
  await amount.pressSequentially('6');
  await expect(amount).toHaveValue('123,456');
  expect(host.path()).toMatch(/^\/deposit\/redirect\/card/);
  await host.widget.getByRole('button', { name: 'Back' }).click();
  await expect(host.widget.getByRole('button', { name: 'Gift voucher' })).toBeVisible();
  expect(host.path()).toBe('/deposit');
});

test('[UI-5] [AMT-5] what is pressed on the form before the code is carried out once', async ({
  page,
  stack,
  site,
}) => {
  const { start, amount, choices } = await openCardHeld({ page, stack, site });
  const chip = choices.first();
  await chip.click();
  await expect(chip).toHaveAttribute('aria-busy', 'true');
  await start();
  await expect(chip).toHaveAttribute('aria-pressed', 'true');
  await expect(amount).toHaveValue('500');
});

test('[AMT-5] [DEP-1] a press of the button before the code sends what the form shows by then, or nothing', async ({
  page,
  stack,
  site,
}) => {
  for (const isTypedAfter of [false, true]) {
    const { host, start, amount, choices } = await openCardHeld({ page, stack, site });
    const button = host.widget.getByRole('button', { name: /^Deposit/ });
    await choices.nth(1).click();
    await button.click();
    await expect(button).toHaveAttribute('aria-busy', 'true');
    if (isTypedAfter) {
      await amount.click();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('700');
      await expect(button).not.toHaveAttribute('aria-busy');
    }
    await start();
    if (isTypedAfter) {
      await expect(button).toHaveAccessibleName(/700/);
      await expect(button).not.toHaveAttribute('data-busy');
      expect(host.path()).toMatch(/^\/deposit\/redirect\/card/);
    } else {
      await expect.poll(() => host.path()).toMatch(/^\/deposit\/complete/);
      await expect(host.widget.getByText('₹1,000.00').first()).toBeVisible();
    }
  }
});

for (const [which, payload] of [
  ['continues', {}],
  ['draws again', { bonusList: [{ id: 'first', type: 'deposit', currency: 'USD', content: { title: 'First' } }] }],
] as const) {
  test(`[LIST-4] a coin that is tapped on the page of its group before the code opens, also where the code ${which}`, async ({
    page,
    stack,
    site,
  }) => {
    const german = { country: 'DE', currency: 'USD' };
    const path = '/withdrawal?locale=en&country=DE&currency=USD';
    const { host, start } = await openHeld({ page, stack, site }, path, { ...german, payload });
    await host.widget.getByRole('button', { name: /^Crypto/ }).click();
    await host.widget.getByRole('button', { name: 'Tether TRC-20' }).click();
    await start();
    await expect(host.widget.getByRole('textbox', { name: 'Amount' })).toBeVisible();
  });
}

test('[NAV-4] Back on the form before the code leads to the list', async ({ page, stack, site }) => {
  const { host, start } = await openCardHeld({ page, stack, site });
  await host.widget.getByRole('button', { name: 'Back' }).click();
  await start();
  await expect(host.widget.getByRole('button', { name: 'Gift voucher' })).toBeVisible();
  expect(host.path()).toBe('/deposit');
});

for (const [path, place] of [
  ['/deposit?locale=en&country=IN&currency=INR', payer],
  ['/deposit?locale=ar-EG&country=BR&currency=BRL&theme=dark', { country: 'BR', currency: 'BRL' }],
  ['/withdrawal?locale=en&country=NG&currency=NGN', { country: 'NG', currency: 'NGN' }],
  // With the field of a wallet, and with a choice in the browser's own list.
  ['/withdrawal?locale=en&country=BD&currency=BDT', { country: 'BD', currency: 'BDT' }],
  ['/withdrawal?locale=en&country=BR&currency=BRL', { country: 'BR', currency: 'BRL' }],
] as const) {
  test(`[UI-5] [LIST-4] React continues every drawn page of ${path} as it is`, async ({ page, stack, site }) => {
    const locale = new URLSearchParams(path.split('?')[1]).get('locale') ?? '';
    const answer = await page.request.get(new HostPage(page, stack, site).address(path));
    const complaints = watchConsole(page);
    const pages = [...(await answer.text()).matchAll(/<template data-opens="([^"]+)"/g)].map(([, opens]) => opens);
    const tiles = [...new Set(pages)];
    expect(tiles.length).toBeGreaterThan(3);
    for (const opens of tiles) {
      const { host, start } = await openHeld({ page, stack, site }, path, { ...place, payload: { locale } });
      await host.widget.locator(`button[data-opens="${opens}"]`).click();
      // What React cannot continue it draws again, and the marks are gone.
      const marked = await host.frame().evaluate(() => {
        const parts = document.querySelectorAll('#root :is(h1, h2, form, input, select, li, button, main *)');
        for (const part of parts) if (part.className !== '') part.setAttribute('data-drawn-once', '');
        return document.querySelectorAll('[data-drawn-once]').length;
      });
      await start();
      await expect(host.widget.locator('[data-shown]')).toHaveCount(0);
      await expect(host.widget.locator('[data-drawn-once]'), opens).toHaveCount(marked);
      expect(await shiftsOf(host), opens).toEqual([]);
      expect(host.path()).not.toMatch(/^\/(?:deposit|withdrawal)\/?$/);
    }
    // Such as a style that the page's policy refuses.
    expect(complaints).toEqual([]);
  });
}

test('[LIST-3] [HOST-2] the payload wins over the address: another country, and the tap finds its method there', async ({
  page,
  stack,
  site,
}) => {
  const { host, start } = await openHeld({ page, stack, site }, '/deposit?locale=en&country=DE&currency=EUR');
  const card = host.widget.getByRole('button', { name: 'Bank card' });
  await card.click();
  await start();
  await expect(host.widget.getByRole('textbox', { name: 'Amount' })).toBeVisible();
  await expect(host.widget.getByText('INR')).toBeVisible();
});

test('[UI-2] [HOST-8] an Arabic list is drawn from the right, in its own words, and is taken over', async ({
  page,
  stack,
  site,
}) => {
  const host = new HostPage(page, stack, site);
  const options = { ...payer, payload: { locale: 'ar-EG' } };
  const response = page.waitForResponse((answer) => answer.url().includes('/cashier/deposit'));
  await host.open('/deposit?locale=ar-EG&country=IN&currency=INR&theme=dark', options);
  const html = await (await response).text();
  expect(html).toMatch(/<html lang="ar" dir="rtl" data-theme="dark">/);
  expect(html).toContain('طريقة الإيداع');
  await expect(host.widget.locator('html')).toHaveAttribute('dir', 'rtl');
  expect(await shiftsOf(host)).toEqual([]);
});

for (const [what, query] of [
  ['an unknown country', 'locale=en&country=XX&currency=INR'],
  ['an unknown currency', 'locale=en&country=IN&currency=ZZZ'],
  ['markup', `locale=en&country=${encodeURIComponent('"><script>alert(1)</script>')}&currency=INR`],
  ['thousands of characters', `locale=en&country=IN&currency=INR&country=${'x'.repeat(6000)}`],
] as const) {
  test(`[LIST-1] ${what} in the address gives the page without a list, and the list comes later`, async ({
    page,
    stack,
    site,
  }) => {
    const host = new HostPage(page, stack, site);
    const html = await (await page.request.get(host.address(`/deposit?${query}`))).text();
    expect(html).not.toContain('id="first-list"');
    expect(html).not.toContain('alert(1)');
    await host.open(`/deposit?${query}`, payer);
    await expect(host.widget.getByRole('button', { name: 'Bank card' })).toBeVisible();
  });
}
