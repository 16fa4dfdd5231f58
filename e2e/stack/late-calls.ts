/** A proxy between a page and the cashier. It loses the first tries of a call, and delivers them much later. */
import type { Page, WebSocketRoute } from '@playwright/test';

export class LateCalls {
  readonly #call: string;
  readonly #late: (() => Promise<void>)[] = [];
  #isLosing = true;

  private constructor(call: string) {
    this.#call = call;
  }

  /** Must be called before the page is opened. */
  static async watch(page: Page, call: string): Promise<LateCalls> {
    const calls = new LateCalls(call);
    await page.routeWebSocket(/socket\.io/, (route) => calls.#carry(route));
    await page.route(`**/api/BANKING/${call}`, async (route) => {
      if (!calls.#isLosing) return route.continue();
      const request = route.request();
      const [url, headers, body] = [request.url(), await request.allHeaders(), request.postData() ?? ''];
      calls.#late.push(async () => {
        await fetch(url, { method: 'POST', headers: sendable(headers), body });
      });
      return route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>504 Gateway Time-out</h1>' });
    });
    return calls;
  }

  /** How many tries are held back. */
  get waiting(): number {
    return this.#late.length;
  }

  /** From now on calls are delivered at once. */
  carryOn(): void {
    this.#isLosing = false;
  }

  /** Delivers all held back tries, each twice, the newest first. */
  async deliver(): Promise<void> {
    for (const arrive of this.#late.splice(0).reverse()) {
      await arrive();
      await arrive();
    }
  }

  #carry(route: WebSocketRoute): void {
    const server = route.connectToServer();
    let isCut = false;
    // The connection to the server stays open, so that the held back calls can be delivered over it.
    route.onClose(() => undefined);
    server.onMessage((packet) => {
      if (!isCut) route.send(packet);
    });
    route.onMessage((packet) => {
      if (!this.#isLosing || !new RegExp(`^42\\d+\\["[A-Z_]+:${this.#call}"`).test(String(packet))) {
        server.send(packet);
        return;
      }
      this.#late.push(async () => server.send(packet));
      isCut = true;
      void route.close({ code: 4000, reason: 'cut' });
    });
  }
}

/** Headers of HTTP/2 and headers that `fetch` writes by itself. */
function sendable(headers: Record<string, string>): Record<string, string> {
  const left = Object.entries(headers).filter(([name]) => !/^(?::|host$|content-length$|connection$)/.test(name));
  return Object.fromEntries(left);
}
