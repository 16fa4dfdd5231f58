import type { Frame, Page } from '@playwright/test';
import { HostPage } from '../stack/host-page.ts';
import { expect, test } from '../stack/test.ts';

test.use({ viewport: { width: 390, height: 640 } });

/** A host's page with content around the frame. */
async function surround(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const [where, id] of [
      ['afterbegin', 'before'],
      ['beforeend', 'after'],
    ] as const) {
      document.body.insertAdjacentHTML(where, `<button id="${id}">The host's</button>`);
    }
  });
}

/** The outline of the focused element, and whether the element is visible and can be hit. */
async function markOfFocus(frame: Frame) {
  return frame.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const luminance = (colour: string): number => {
      const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
        const share = Number(part) / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    /** The first element with an outline: for a choice an element around or beside it, for the amount the line below it. */
    const drawn = [element, element.nextElementSibling, element.parentElement, element.closest('label')]
      .concat(element.parentElement?.parentElement ?? [])
      .filter((one) => one instanceof HTMLElement)
      .map((one) => {
        const { outlineStyle, outlineWidth, outlineColor, borderBlockEndWidth, borderBlockEndColor, boxShadow } =
          getComputedStyle(one);
        if (outlineStyle !== 'none') return { one, width: Number.parseFloat(outlineWidth), colour: outlineColor };
        const isLine = one.contains(element) && boxShadow !== 'none' && one.clientWidth < innerWidth;
        return { one, width: isLine ? Number.parseFloat(borderBlockEndWidth) : 0, colour: borderBlockEndColor };
      })
      .find(({ width }) => width >= 2);
    let behind: HTMLElement | null = drawn?.one.parentElement ?? null;
    while (behind !== null && /rgba\(.*, 0\)|transparent/.test(getComputedStyle(behind).backgroundColor))
      behind = behind.parentElement;
    const [one, other] = [
      luminance(drawn?.colour ?? ''),
      luminance(getComputedStyle(behind ?? document.body).backgroundColor),
    ];
    const { x, y, width, height } = (element.closest('label') ?? element).getBoundingClientRect();
    const seen = [0.5, 0.15, 0.85].some((share) => {
      const top = document.elementFromPoint(x + width / 2, y + height * share);
      return (
        top !== null && (element.contains(top) || top.contains(element) || element.closest('label')?.contains(top))
      );
    });
    return {
      name: element.getAttribute('aria-label') ?? element.textContent ?? '',
      tag: element.tagName,
      width: drawn?.width ?? 0,
      contrast: (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05),
      isSeen: seen,
      isHittable: width >= 24 && height >= 24,
    };
  });
}

for (const theme of ['light', 'dark'] as const) {
  test(`[UI-3] [UI-4] in ${theme}, Tab goes through the frame and out of it, and one sees where it is`, async ({
    page,
    stack,
    site,
  }) => {
    const host = new HostPage(page, stack, site);
    await host.open(`/deposit/redirect/card?theme=${theme}`, { currency: 'INR', country: 'IN' });
    await expect(host.widget.locator('button[type=submit]')).toBeVisible();
    await surround(page);
    // A low window, so that the footer of the page covers much of it.
    await page.locator('iframe').evaluate((frame) => frame.setAttribute('height', '420'));
    await page.locator('#before').focus();
    const order: string[] = [];
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate(() => document.activeElement?.id)) === 'after') break;
      const mark = await markOfFocus(host.frame());
      expect.soft(mark, mark.name).toMatchObject({ isSeen: true, isHittable: true });
      expect.soft(mark.width, `${mark.name} is marked by 2 pixels`).toBeGreaterThanOrEqual(2);
      expect.soft(mark.contrast, `the mark of ${mark.name} has 3 : 1`).toBeGreaterThanOrEqual(3);
      order.push(mark.name || mark.tag);
    }
    expect(order.length).toBeGreaterThan(4);
    expect(await page.evaluate(() => document.activeElement?.id), 'the host’s page comes next').toBe('after');
    await page.keyboard.press('Shift+Tab');
    const last = await markOfFocus(host.frame());
    expect(last.name || last.tag, 'and back again').toBe(order.at(-1));
    // The order in the document is the order in which a screen reader reads.
    expect(order[0]).toBe('Back');
    expect(order.at(-1)).toMatch(/^Deposit/);
  });
}

test('[UI-3] the focus is on the heading after each step and after Back, and goes back to what opened a sheet', async ({
  page,
  stack,
  site,
}) => {
  const host = new HostPage(page, stack, site);
  const { widget } = host;
  await host.open('/deposit', { currency: 'INR', country: 'IN' });
  const region = widget.getByRole('button', { name: 'Region: India' });
  await region.press('Enter');
  const sheet = widget.getByRole('dialog');
  await expect(sheet).toBeVisible();
  await expect.poll(() => host.frame().evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true);
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(region).toBeFocused();

  await widget
    .getByRole('button', { name: /^Bank card/ })
    .first()
    .press('Enter');
  const heading = widget.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Deposit');
  await expect(heading).toBeFocused();
  await widget.getByRole('button', { name: 'Back' }).press('Enter');
  await expect(heading).toHaveText('Deposit method');
  await expect(heading).toBeFocused();
});

test('[UI-3] names, states and errors as assistive technology has them: list, form, sheet and result', async ({
  page,
  stack,
  site,
}) => {
  const host = new HostPage(page, stack, site);
  const { widget } = host;
  await host.open('/deposit', { currency: 'INR', country: 'IN' });
  const list = widget.locator('body');
  await expect(list).toMatchAriaSnapshot(`
    - banner:
      - heading "Deposit method" [level=1]
      - button "Close"
    - main:
      - 'button "Region: India"'
      - region "Cards":
        - heading "Cards" [level=2]
        - list:
          - listitem:
            - button /Bank card/
  `);
  await widget.getByRole('button', { name: 'Region: India' }).click();
  await expect(list).toMatchAriaSnapshot(`
    - dialog /.+/:
      - heading [level=2]
      - button "Close"
  `);
  await page.keyboard.press('Escape');
  await widget
    .getByRole('button', { name: /^Bank card/ })
    .first()
    .click();
  const amount = widget.getByRole('textbox', { name: 'Amount' });
  await amount.fill('1');
  await amount.blur();
  await expect(amount).toHaveAttribute('aria-invalid', 'true');
  await expect(amount).toHaveAccessibleDescription(/500/);
  // The text that describes the field is also announced, and no other text is.
  const errors = widget.locator('[aria-live=polite]', { hasText: '500' });
  await expect(errors).toHaveCount(1);
  await expect(list).toMatchAriaSnapshot(`
    - banner:
      - heading "Deposit" [level=1]
      - button "Back"
      - button "Close"
    - main:
      - textbox "Amount"
      - button /Deposit/
  `);
  await amount.fill('1500');
  await expect(amount).not.toHaveAttribute('aria-invalid', 'true');
  const popup = page.waitForEvent('popup');
  await widget.getByRole('button', { name: /^Deposit/ }).click();
  await (await popup).getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(list).toMatchAriaSnapshot(`
    - main:
      - status:
        - heading /added to your balance/ [level=2]
        - term: Added to your balance
        - definition
  `);
  // Only one live region has the text, so a screen reader reads it once.
  await expect(widget.getByRole('status').filter({ hasText: 'added to your balance' })).toHaveCount(1);
});
