/** A host's page with only the cashier, at any address of the widget, for cases that the demo operator's site does not have. */
import { expect, type Frame, type FrameLocator, type Page } from '@playwright/test';
import type { Stack } from './stack.ts';
import type { StaticSite } from './static-site.ts';

declare global {
  interface Window {
    /** The messages of the cashier, in order. */
    said: { messageType: string; payload: Record<string, unknown> }[];
    tellCashier(message: object): void;
    cashierToken: string;
  }
}

export interface HostOptions {
  /** Further fields of the `loaded` message. */
  payload?: Record<string, unknown>;
  userId?: string;
  currency?: string;
  country?: string;
  /** Of the cashier's frame, in pixels. */
  width?: number;
}

let guests = 0;

export class HostPage {
  readonly page: Page;
  readonly widget: FrameLocator;
  readonly #stack: Stack;
  readonly #site: StaticSite;

  /** @param site its origin must be among the `origins` that the stack was started with */
  constructor(page: Page, stack: Stack, site: StaticSite) {
    this.page = page;
    this.#stack = stack;
    this.#site = site;
    this.widget = page.frameLocator('iframe[title=Cashier]');
  }

  /** Opens the cashier at an address of the widget, such as `/deposit/complete`, and answers its `Loaded` message. */
  async open(path: string, options: HostOptions = {}): Promise<void> {
    const { currency = 'USD', country = 'IN', width = 390 } = options;
    guests += 1;
    const userId = options.userId ?? `framed-${process.pid}x${guests}`;
    const token = await this.#stack.mintToken({ userId, currency, country });
    const payload = { token, userId, currency, paymentGeo: country, locale: 'en', ...options.payload };
    const url = this.#site.page(
      `/host-${guests}`,
      `<!doctype html><title>Host</title>
      <script>
        const payload = ${JSON.stringify(payload)};
        window.said = [];
        window.cashierToken = payload.token;
        window.tellCashier = (message) => frames[0].postMessage(message, '${this.#stack.cashierUrl}');
        addEventListener('message', ({ data, origin }) => {
          if (origin !== '${this.#stack.cashierUrl}') return;
          said.push(data);
          if (data.messageType === 'Loaded' || data.messageType === 'token-expired')
            tellCashier({ messageType: 'loaded', payload });
        });
      </script>
      <iframe title="Cashier" width="${width}" height="800" style="border:0" src="${this.address(path)}"></iframe>`,
    );
    await this.page.goto(url);
    await this.untilStarted(1);
  }

  address(path: string): string {
    const [pathname = '', query = ''] = path.split('?');
    return `${this.#stack.cashierUrl}/cashier${pathname}?partner=demo${query === '' ? '' : `&${query}`}`;
  }

  /** Loads another address of the widget in the same frame. */
  async show(path: string): Promise<void> {
    const starts = await this.#starts();
    await this.page.evaluate((src) => {
      const frame = document.querySelector('iframe');
      if (frame) frame.src = src;
    }, this.address(path));
    await this.untilStarted(starts + 1);
  }

  /**
   * Navigates as a link of the cashier does, without a new load. The old page stays until the next page is ready.
   *
   * @param ready an element of the loaded page
   * @returns the same element, found only on the next page
   */
  async follow(path: string, ready: string): Promise<string> {
    await this.frame().evaluate((address) => {
      document.querySelector('main')?.firstElementChild?.setAttribute('data-left', '');
      history.pushState(null, '', `/cashier${address}`);
    }, path);
    const isSheet = path.endsWith('/region');
    return isSheet ? ready : `main:not(:has([data-left])) ${ready.replace(/^main /, '')}`;
  }

  async reload(): Promise<void> {
    const starts = await this.#starts();
    await this.frame().evaluate(() => {
      // Runs after this call has returned: the navigation would end the call.
      setTimeout(() => location.reload(), 0);
    });
    await this.untilStarted(starts + 1);
  }

  frame(): Frame {
    const frame = this.page.frames().find((candidate) => candidate.url().startsWith(this.#stack.cashierUrl));
    if (!frame) throw new Error('The cashier is not on the page.');
    return frame;
  }

  /** Path of the widget below the product, without its query. */
  path(): string {
    return new URL(this.frame().url()).pathname.replace(/^\/cashier/, '');
  }

  said(): Promise<Window['said']> {
    return this.page.evaluate(() => window.said);
  }

  async untilStarted(times: number): Promise<void> {
    await expect.poll(() => this.#starts(), { intervals: [50] }).toBeGreaterThanOrEqual(times);
  }

  #starts(): Promise<number> {
    return this.page.evaluate(() => window.said.filter(({ messageType }) => messageType === 'init').length);
  }
}
