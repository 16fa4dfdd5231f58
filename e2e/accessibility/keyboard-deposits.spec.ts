import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import { bothThemes, expectNoViolation } from '../stack/accessible.ts';
import { HostPage } from '../stack/host-page.ts';
import type { Stack } from '../stack/stack.ts';
import type { StaticSite } from '../stack/static-site.ts';
import { test } from '../stack/test.ts';
import { welcomeBonus } from '../stack/welcome-bonus.ts';
import { type DepositWay, depositWays, type Step } from './deposit-ways.ts';
import { expectAccessibleInEachLook, markTexts } from './every-look.ts';

/** The form of a key that a screen shows when its text is missing. */
const keys = Object.keys(JSON.parse(readFileSync(new URL('../../locales/en.json', import.meta.url), 'utf8')) as object);
/** More presses of Tab than any page has controls. */
const farEnough = 60;

// One cashier for all tests: they check the pages, not the server.
test.describe.configure({ mode: 'default' });
test.use({ viewport: { width: 390, height: 844 } });

/** Pages that were checked already, without the method. They are the same for every method. */
const looked = new Set<string>();
let site: StaticSite;
let stack: Stack;
test.beforeAll(({ stack: cashier, site: hosts }) => {
  [stack, site] = [cashier, hosts];
});

for (const [index, way] of depositWays.entries()) {
  const [locale, direction] = index % 2 === 0 ? ['ar', 'rtl'] : ['hi', 'ltr'];
  test(`[UI-2] [UI-3] ${way.name}: by keys alone, each page without a violation in both themes, the last one opened in ${locale} in every look`, async ({
    page,
  }) => {
    const host = new HostPage(page, stack, site);
    const person = {
      userId: `keys-${process.pid}-${index}`,
      currency: way.currency,
      country: way.country,
    };
    const payload = way.hasBonus === true ? { bonusList: [welcomeBonus] } : {};
    await host.open(way.at ?? '/deposit', { ...person, payload });
    const start = way.at === undefined ? host.widget.getByRole('heading', { name: 'Deposit method' }) : undefined;
    await expect(start ?? host.widget.getByRole('textbox', { name: 'Amount' })).toBeVisible();
    const pages = [host.path()];
    for (const step of way.steps) {
      const from = host.frame().url();
      await take(page, host, step);
      if (!('open' in step)) continue;
      await expect.poll(() => host.frame().url(), `${step.open} leads on`).not.toBe(from);
      await expect(host.widget.locator('h1'), 'the heading of the new page has the focus').toBeFocused();
      await expect(host.widget.getByRole('status', { name: 'Loading' })).toHaveCount(0);
      if (pages.includes(host.path())) continue;
      pages.push(host.path());
      const kind = host.path().replace(/[^/]+$/, '');
      if (step.open.source === pay.source || looked.has(kind)) continue;
      looked.add(kind);
      await expectNoViolation(host.widget, `${way.name}, ${host.path()}`, bothThemes);
    }
    await expect(host.widget.getByRole('button', { name: way.end })).toBeVisible();
    await expectNoTrap(page, host, way);

    // The same page again in each of the three languages.
    await markTexts(page, locale);
    const url = new URL(host.frame().url());
    url.searchParams.delete('partner');
    const path = `${host.path()}?${url.searchParams}`;
    await host.open(path, { ...person, payload: { ...payload, locale } });
    await expect(host.widget.locator('html')).toHaveAttribute('dir', direction ?? '');
    await expect(host.widget.locator('html')).toHaveAttribute('lang', locale ?? '');
    await expect(host.widget.locator('main button').last()).toBeVisible();
    await expectAccessibleInEachLook(host, `${way.name}, the end`);
    // A sentence with an element inside it keeps the two halves of its mark.
    const text = ((await host.widget.locator('main').textContent()) ?? '').replaceAll(/⟦[\w.]+/g, '');
    expect(keys.filter((key) => text.includes(key))).toEqual([]);
  });
}

const pay = /^Deposit/;

async function take(page: Page, host: HostPage, step: Step): Promise<void> {
  if ('type' in step) {
    await tabTo(page, host, step.into);
    await page.keyboard.type(step.type);
  } else if ('see' in step) {
    await expect(host.widget.getByRole('button', { name: step.see })).toBeVisible();
  } else if ('arrow' in step) {
    const before = await tabTo(page, host, step.arrow);
    await page.keyboard.press('ArrowDown');
    await expect.poll(async () => (await focused(host)).name).not.toBe(before);
  } else {
    await tabTo(page, host, 'open' in step ? step.open : step.press);
    await page.keyboard.press('press' in step ? (step.key ?? 'Enter') : 'Enter');
  }
}

interface Focused {
  readonly name: string;
  readonly isVisible: boolean;
  readonly isMarked: boolean;
}

/** The focused element of the cashier: its name, whether it is visible, and whether its focus is visible. */
function focused(host: HostPage): Promise<Focused> {
  return host.frame().evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body)
      return { name: '', isVisible: true, isMarked: true };
    const labelledBy = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
    const named = [...labelledBy.flatMap((id) => document.getElementById(id) ?? []), ...labels];
    const text =
      element.getAttribute('aria-label') ??
      (named.length > 0 ? named.map((one) => one.textContent).join(' ') : element.textContent);
    // A choice shows its focus at its label, the amount at its line.
    const drawn = [
      element,
      element.nextElementSibling,
      element.parentElement,
      element.closest('label'),
      element.parentElement?.parentElement,
    ];
    const isMarked = drawn.some((one) => {
      if (!(one instanceof HTMLElement)) return false;
      const { outlineStyle, outlineWidth, boxShadow, borderBlockEndWidth } = getComputedStyle(one);
      if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) return true;
      return (
        one.contains(element) &&
        one.matches(':focus-within') &&
        (boxShadow !== 'none' || Number.parseFloat(borderBlockEndWidth) >= 2)
      );
    });
    const place = (labels[0] ?? element).getBoundingClientRect();
    const isVisible = place.bottom > 0 && place.top < innerHeight && place.right > 0 && place.left < innerWidth;
    return { name: text.replace(/\s+/g, ' ').trim(), isVisible, isMarked };
  });
}

/** Presses Tab until the element with this name has the focus. Each element on the way must be visible, with a visible focus. */
async function tabTo(page: Page, host: HostPage, name: RegExp): Promise<string> {
  const passed: string[] = [];
  // Before the page is loaded, Tab reaches only the header.
  const roles = ['button', 'textbox', 'link', 'radio', 'combobox', 'tab', 'switch'] as const;
  const [first, ...others] = roles.map((role) => host.widget.getByRole(role, { name }));
  await expect(others.reduce((all, one) => all.or(one), first as Locator).first()).toBeAttached();
  for (let presses = 0; presses < farEnough; presses += 1) {
    await page.keyboard.press('Tab');
    const now = await focused(host);
    if (now.name === '') continue;
    expect.soft(now.isMarked, `one sees that ${now.name} has the focus`).toBe(true);
    expect.soft(now.isVisible, `${now.name} is in sight`).toBe(true);
    if (name.test(now.name)) return now.name;
    passed.push(now.name);
  }
  throw new Error(`Tab never reached ${name}; it passed ${passed.join(' | ')}`);
}

/** From the heading, Tab reaches the control for paying and Close, and is never trapped. */
async function expectNoTrap(page: Page, host: HostPage, { reach }: DepositWay): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < farEnough; presses += 1) {
    await page.keyboard.press('Tab');
    const { name } = await focused(host);
    if (name !== '') passed.push(name);
    if (passed.some((one) => reach.test(one)) && passed.includes('Close')) return;
  }
  throw new Error(`Tab came by ${passed.join(' | ')} alone`);
}
