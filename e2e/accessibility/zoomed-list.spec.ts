/** A page at 400 %, with large text, in the dark theme: fixed parts never hide the focused element, and a choice is visible. */
import type { Frame } from '@playwright/test';
import { HostPage } from '../stack/host-page.ts';
import { expect, test } from '../stack/test.ts';
import { fundedUser } from '../stack/withdrawing.ts';

test.use({ viewport: { width: 1280, height: 1024 } });

async function resize(host: HostPage, width: number, height: number): Promise<void> {
  await host.page.locator('iframe').evaluate(
    (frame, size) => {
      frame.setAttribute('width', String(size.width));
      frame.setAttribute('height', String(size.height));
    },
    { width, height },
  );
}

/** Names of elements that had the focus and were not visible at all. */
async function hiddenStops(host: HostPage, frame: Frame): Promise<string[]> {
  const hidden: string[] = [];
  await frame.locator('h1').focus();
  for (let stop = 0; stop < 60; stop += 1) {
    await host.page.keyboard.press('Tab');
    const seen = await frame.evaluate(() => {
      const element = document.activeElement;
      if (!document.hasFocus() || element === null || element === document.body) return undefined;
      const { x, y, width, height } = (element.closest('label') ?? element).getBoundingClientRect();
      const shares = [0.1, 0.3, 0.5, 0.7, 0.9];
      const isSeen = shares.some((share) => {
        const top = document.elementFromPoint(x + width / 2, y + height * share);
        return top !== null && (element.contains(top) || element.closest('label')?.contains(top) === true);
      });
      return { name: element.getAttribute('aria-label') ?? element.textContent ?? '', isSeen };
    });
    if (seen === undefined) break;
    if (!seen.isSeen) hidden.push(seen.name);
  }
  return hidden;
}

test('[UI-3] an unfinished withdrawal over the list hides nothing that has the focus, from 100 % to 400 %', async ({
  page,
  stack,
  site,
}) => {
  const userId = await fundedUser(stack, 'USD', '100.00');
  const host = new HostPage(page, stack, site);
  await host.open('/withdrawal/redirect/card_withdrawal', { userId });
  await host.widget.getByRole('textbox', { name: 'Amount' }).fill('50.00');
  await host.widget.getByRole('textbox', { name: 'Card number' }).fill('4242424242424242');
  await host.widget.getByRole('button', { name: /^Withdraw/ }).click();
  await expect(host.widget.getByRole('button', { name: 'Confirm withdrawal' })).toBeVisible();
  await host.show('/withdrawal');
  await expect(host.widget.getByText(/^Unfinished withdrawal/)).toBeVisible();
  for (const [width, height] of [
    [320, 256],
    [320, 180],
    [480, 270],
    [320, 360],
    [390, 640],
  ] as const) {
    await resize(host, width, height);
    expect(await hiddenStops(host, host.frame()), `${width} x ${height}`).toEqual([]);
  }
});

test('[UI-3] what is chosen among tabs, accounts and networks has a sign of 3 : 1 in every theme', async ({
  page,
  stack,
  site,
}) => {
  for (const theme of ['light', 'dark']) {
    for (const [path, chosen] of [
      [`/deposit/crypto/usdt?theme=${theme}`, 'input:checked + span'],
      [`/cryptobalance?theme=${theme}`, '[role=tab][aria-selected=true]'],
    ] as const) {
      const host = new HostPage(page, stack, site);
      const payload = path.startsWith('/crypto') ? { widgetViewType: 'cryptobalance' } : {};
      await host.open(path, { currency: 'USD', country: 'IN', payload });
      await expect(host.widget.locator(chosen).first(), path).toBeVisible();
      const contrast = await host.widget
        .locator(chosen)
        .first()
        .evaluate((element) => {
          const luminance = (colour: string): number => {
            const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
              const share = Number(part) / 255;
              return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
          };
          const style = getComputedStyle(element);
          const line = /^rgba?\([^)]*\)/.exec(style.boxShadow)?.[0] ?? style.backgroundColor;
          const [one, other] = [luminance(line), luminance(style.backgroundColor)];
          return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        });
      expect(contrast, path).toBeGreaterThanOrEqual(3);
    }
  }
});

test('[UI-4] text of 200 % scrolls no coin box sideways', async ({ page, stack, site }) => {
  const host = new HostPage(page, stack, site);
  await host.open('/deposit', { payload: { widgetViewType: 'sweep' } });
  await expect(host.widget.getByRole('button', { name: /25,000\sGC/ })).toBeVisible();
  for (const width of [320, 390]) {
    await resize(host, width, 640);
    const wide = await host.frame().evaluate(() => {
      document.documentElement.style.fontSize = '200%';
      return [...document.querySelectorAll('*')]
        .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
        .map((element) => element.textContent);
    });
    expect(wide, `${width} pixels`).toEqual([]);
  }
});
