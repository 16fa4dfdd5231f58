/** A site with an origin of its own, for hosts and attackers besides the demo operator's site. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

interface Answer {
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export class StaticSite {
  readonly origin: string;
  readonly #server: Server;
  readonly #answers = new Map<string, Answer>();

  private constructor(server: Server, origin: string) {
    this.#server = server;
    this.origin = origin;
    server.on('request', (request, response) => {
      const answer = this.#answers.get(new URL(request.url ?? '/', origin).pathname);
      response.writeHead(answer === undefined ? 404 : 200, answer?.headers);
      response.end(answer?.body);
    });
  }

  /** `host` makes another origin: `localhost` and `127.0.0.1` differ even on the same port. */
  static async start(host: 'localhost' | '127.0.0.1' = 'localhost'): Promise<StaticSite> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return new StaticSite(server, `http://${host}:${address.port}`);
  }

  /** @param headers such as a policy of the page */
  page(path: string, html: string, headers: Readonly<Record<string, string>> = {}): string {
    return this.file(path, html, { 'content-type': 'text/html; charset=utf-8', ...headers });
  }

  file(path: string, body: string | Buffer, headers: Readonly<Record<string, string>>): string {
    this.#answers.set(path, { body, headers });
    return `${this.origin}${path}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
