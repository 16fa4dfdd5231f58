/** Playwright's `test` with a running stack for all files of a worker, and the demo operator's page. */
import { test as base, expect, type FrameLocator, type Locator, type Page } from '@playwright/test';
import { Stack, type StackOptions } from './stack.ts';
import { StaticSite } from './static-site.ts';

interface Running {
  /** Shared by tests: a test uses its own users, and restores what it changes for all users, such as the rates. */
  stack: Stack;
  stackOptions: StackOptions;
  /** A host's site, which the stack lets embed the cashier. */
  site: StaticSite;
}

export const test = base.extend<object, Running>({
  stackOptions: [{}, { scope: 'worker', option: true }],
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs.
    async ({}, use) => {
      const site = await StaticSite.start();
      await use(site);
      await site.stop();
    },
    { scope: 'worker' },
  ],
  stack: [
    async ({ stackOptions, site }, use) => {
      const stack = await Stack.start({
        ...stackOptions,
        origins: [site.origin, ...(stackOptions.origins ?? [])],
      });
      await use(stack);
      await stack.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

export { expect };

export interface DemoChoices {
  currency?: string;
  country?: string;
  locale?: string;
  theme?: string;
  transport?: string;
  variant?: string;
  platform?: string;
  look?: string;
  /** Absent: a new guest. */
  user?: string;
}

let guests = 0;

/** The demo operator's page. */
export class DemoPage {
  readonly page: Page;
  readonly balance: Locator;
  readonly widget: FrameLocator;
  /** The user who was signed in last. */
  userId = '';

  constructor(page: Page) {
    this.page = page;
    this.balance = page.getByRole('status', { name: 'Balance' });
    this.widget = page.frameLocator('iframe');
  }

  async open(stack: Stack, choices: DemoChoices = {}): Promise<void> {
    const url = new URL(stack.demoUrl);
    guests += 1;
    this.userId = choices.user ?? `guest-${process.pid}x${guests}`;
    url.searchParams.set('user', this.userId);
    for (const [name, value] of Object.entries(choices)) url.searchParams.set(name, value);
    await this.page.goto(url.href);
    // Until a user is signed in, the balance shows dots and the buttons do nothing.
    await expect(this.balance).toContainText(/\d/);
  }

  /** The shown balance in minor units of a currency with two decimals. */
  async balanceAmount(): Promise<bigint> {
    const digits = ((await this.balance.textContent()) ?? '').replace(/[^0-9]/g, '');
    return BigInt(digits || '0');
  }

  async openCashier(): Promise<void> {
    await this.page.getByRole('button', { name: 'Deposit', exact: true }).click();
    await expect(this.widget.getByRole('heading', { name: 'Deposit method' })).toBeVisible();
    // The list and its forms are there before the code. What comes before it has tests of its own (first-list.spec.ts).
    await expect(this.widget.locator('#root[data-drawn]')).toHaveCount(0);
  }

  /** Reloads the cashier in its frame. Resolves when the old document is gone. */
  async reload(): Promise<void> {
    await this.widget.locator('html').evaluate((html) => {
      html.dataset['seen'] = 'before';
      // Runs after this call has returned: the reload would end the call.
      setTimeout(() => location.reload(), 0);
    });
    // Until then the next steps of the test would reach the old document.
    await expect(this.widget.locator('html[data-seen]')).toHaveCount(0);
  }

  /** Opens a method's screen from the list. */
  async choose(method: string): Promise<void> {
    await this.widget
      .getByRole('link', { name: new RegExp(`^${method}`) })
      .or(this.widget.getByRole('button', { name: new RegExp(`^${method}`) }))
      .first()
      .click();
    await expect(this.widget.getByRole('textbox', { name: 'Amount' })).toBeVisible();
  }

  /** Types an amount and taps Deposit. Answers the provider's page in the pop-up window. */
  async deposit(amount: string): Promise<Page> {
    await this.widget.getByRole('textbox', { name: 'Amount' }).fill(amount);
    const popup = this.page.waitForEvent('popup');
    await this.widget.getByRole('button', { name: /^Deposit/ }).click();
    return popup;
  }
}
