/** The steps that all manual payments share: through the form to the payment page, and the rules for that page. */
import { expect, type Frame } from '@playwright/test';
import { expectNoSidewaysScroll, expectNoViolation } from './accessible.ts';
import type { Stack } from './stack.ts';
import type { DemoPage } from './test.ts';

export interface HandPayment {
  /** Part of the page's address after the method; may be empty. */
  readonly page: string;
  /** Part of the page's address before the method; `redirect` when absent. */
  readonly flow?: string;
  readonly method: string;
  /** The address below `/deposit` of a method that is behind the tile of others. */
  readonly at?: string;
  readonly currency: string;
  readonly country: string;
  readonly amount: string;
  /** Texts to type, by the label of their field. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Opens the cashier on a phone and creates the deposit. Resolves when the payment page is visible. */
export async function openHandPayment(demo: DemoPage, stack: Stack, intent: HandPayment): Promise<string> {
  await demo.page.setViewportSize({ width: 390, height: 800 });
  await demo.open(stack, { currency: intent.currency, country: intent.country });
  await demo.openCashier();
  if (intent.at === undefined) await demo.choose(intent.method);
  else await frameOf(demo, stack).goto(`${stack.cashierUrl}/cashier/deposit/${intent.at}?partner=demo`);
  for (const [label, text] of Object.entries(intent.fields ?? {})) {
    await demo.widget.getByRole('textbox', { name: label }).fill(text);
  }
  const popups: unknown[] = [];
  demo.page.on('popup', (popup) => popups.push(popup));
  await demo.widget.getByRole('textbox', { name: 'Amount' }).fill(intent.amount);
  await demo.widget.getByRole('button', { name: /^Deposit/ }).click();
  await expect(demo.widget.getByRole('timer', { name: 'Time left' })).toBeVisible();
  expect(popups, 'a payment that stays in the cashier opens no window').toEqual([]);
  const url = new URL(frameOf(demo, stack).url());
  const tail = intent.page === '' ? '' : `/${intent.page}`;
  expect(url.pathname).toMatch(new RegExp(`/deposit/${intent.flow ?? 'redirect'}/[a-z0-9_]+${tail}$`));
  return url.searchParams.get('depositId') ?? '';
}

export function frameOf(demo: DemoPage, stack: Stack): Frame {
  const frame = demo.page.frames().find((candidate) => candidate.url().startsWith(stack.cashierUrl));
  if (!frame) throw new Error('The cashier is not on the page.');
  return frame;
}

/** UI-3, UI-4: no violation that axe finds, and nothing wider than the smallest phone. */
export async function expectAccessible(demo: DemoPage): Promise<void> {
  await expectNoViolation(demo.widget, 'the page');
  for (const width of [320, 390]) {
    await demo.page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(demo.widget, `the page at ${width} pixels`);
  }
}

/** NAV-7: a reload shows the same page, with data from the server. */
export async function reloadWidget(demo: DemoPage, stack: Stack): Promise<void> {
  const depositIdOf = () => new URL(frameOf(demo, stack).url()).searchParams.get('depositId');
  const before = depositIdOf();
  await demo.reload();
  await expect(demo.widget.getByRole('timer', { name: 'Time left' })).toBeVisible();
  expect(depositIdOf()).toBe(before);
}
