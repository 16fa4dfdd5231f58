/** A page on an origin of its own, for hosts and attackers that the demo operator's site is not. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

export class StaticSite {
  readonly origin: string;
  readonly #server: Server;
  readonly #pages = new Map<string, string>();

  private constructor(server: Server, origin: string) {
    this.#server = server;
    this.origin = origin;
    server.on('request', (request, response) => {
      const html = this.#pages.get(new URL(request.url ?? '/', origin).pathname);
      response.writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(html ?? '');
    });
  }

  /** `host` sets the origin apart: `localhost` and `127.0.0.1` are two origins even on one port. */
  static async start(host: 'localhost' | '127.0.0.1' = 'localhost'): Promise<StaticSite> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return new StaticSite(server, `http://${host}:${address.port}`);
  }

  page(path: string, html: string): string {
    this.#pages.set(path, html);
    return `${this.origin}${path}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
