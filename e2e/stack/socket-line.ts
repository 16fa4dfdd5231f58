/** A proxy of the cashier's socket that injects network faults at the worst moments of a call. */
import type { Page, WebSocketRoute } from '@playwright/test';

/** The fault of the first packet of the watched call. Later packets pass. */
export type Mischief = 'none' | 'drop-before-send' | 'drop-after-send' | 'drop-after-answer';

export class SocketLine {
  readonly #call: string;
  #mischief: Mischief = 'none';
  #isHolding = false;
  #held: (() => void)[] = [];
  #sent = 0;
  #lost = 0;
  #lines = 0;

  private constructor(call: string) {
    this.#call = call;
  }

  /** Must be called before the page is opened. */
  static async watch(page: Page, call: string): Promise<SocketLine> {
    const line = new SocketLine(call);
    await page.routeWebSocket(/socket\.io/, (route) => line.#carry(route));
    return line;
  }

  /** How often the call reached the server. */
  get sent(): number {
    return this.#sent;
  }

  once(mischief: Mischief): void {
    this.#mischief = mischief;
  }

  /** From now on the server's answers to all calls are held back. */
  hold(): void {
    this.#isHolding = true;
  }

  release(): void {
    this.#isHolding = false;
    for (const deliver of this.#held.splice(0)) deliver();
  }

  /** Drops everything that open connections hold back. New connections have no faults. */
  lose(): void {
    this.#isHolding = false;
    this.#held = [];
    this.#lost = this.#lines;
  }

  #carry(route: WebSocketRoute): void {
    this.#lines += 1;
    const line = this.#lines;
    const server = route.connectToServer();
    let watched: string | undefined;
    const cut = (): void => {
      void route.close({ code: 4000, reason: 'cut' });
      void server.close({ code: 4000, reason: 'cut' });
    };
    route.onMessage((packet) => {
      // An event with its number and name: `42` `17` `["BANKING:deposit-create",…`
      const number = /^42(\d+)\["[A-Z_]+:([a-z0-9-]+)"/.exec(String(packet));
      if (number?.[2] !== this.#call) {
        server.send(packet);
        return;
      }
      const mischief = this.#mischief;
      if (mischief !== 'drop-after-answer') this.#mischief = 'none';
      if (mischief === 'drop-before-send') {
        cut();
        return;
      }
      this.#sent += 1;
      watched = number[1];
      server.send(packet);
      if (mischief === 'drop-after-send') cut();
    });
    server.onMessage((packet) => {
      const isAnswer = String(packet).startsWith('43');
      if (isAnswer && line <= this.#lost) return;
      if (this.#mischief === 'drop-after-answer' && watched !== undefined && isAnswerTo(packet, watched)) {
        this.#mischief = 'none';
        cut();
        return;
      }
      if (isAnswer && this.#isHolding) this.#held.push(() => route.send(packet));
      else route.send(packet);
    });
  }
}

function isAnswerTo(packet: string | Buffer, number: string): boolean {
  return new RegExp(`^43${number}\\[`).test(String(packet));
}
