/**
 * A stand-in for a company, on the loopback. A subclass says what the company answers. This class makes it fail as companies do: before
 * its work, after its work, without an answer, or late.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The status of an answer, and what its body has as JSON. */
export type CompanyAnswer = readonly [status: number, body: unknown];

interface Failure {
  readonly path: string;
  readonly status: number;
  /** The company has done its work before it fails. */
  readonly isDone: boolean;
}

export abstract class CompanyServer {
  readonly #server: Server;
  readonly #failures: Failure[] = [];
  #isSilent = false;
  /** Runs after the company has done what a request asks for, and before it answers. */
  #beforeAnswer: (() => Promise<void>) | undefined;

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#serve(request, response);
    });
  }

  /** Does what a request asks for. @param body the request's body as text */
  protected abstract answer(request: IncomingMessage, body: string): CompanyAnswer;

  /** @returns the address of the API, without a slash at its end */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /**
   * @param path method and beginning of the path, such as `POST /payments`: the next such request gets the status
   * @param isDone whether the company does its work first
   */
  failNext(path: string, status: number, isDone = false): void {
    this.#failures.push({ path, status, isDone });
  }

  /** The company closes every connection without an answer, and does nothing. @returns makes it answer again */
  silence(): () => void {
    this.#isSilent = true;
    return () => {
      this.#isSilent = false;
    };
  }

  /**
   * The company does the next request and keeps the answer back.
   * @returns `arrived` settles once the work is done, `answer` sends the answer
   */
  holdNextAnswer(): { readonly arrived: Promise<void>; answer(): void } {
    let arrive: () => void = () => undefined;
    let answer: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const released = new Promise<void>((resolve) => {
      answer = resolve;
    });
    this.#beforeAnswer = async () => {
      this.#beforeAnswer = undefined;
      arrive();
      await released;
    };
    return { arrived, answer };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (this.#isSilent) {
      request.socket.destroy();
      return;
    }
    const asked = `${request.method} ${request.url}`;
    const index = this.#failures.findIndex(({ path }) => asked.startsWith(path));
    const [failure] = index < 0 ? [] : this.#failures.splice(index, 1);
    const done = failure === undefined || failure.isDone ? this.answer(request, body) : undefined;
    const [status, answer] = failure === undefined && done !== undefined ? done : [failure?.status ?? 500, {}];
    await this.#beforeAnswer?.();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }
}
