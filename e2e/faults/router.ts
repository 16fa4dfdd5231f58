/** The proxy before several cells: each request goes to the cell that `deploy/cells.Caddyfile` names for its host. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request as requestTo, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

const config = readFileSync(new URL('../../deploy/cells.Caddyfile', import.meta.url), 'utf8');
const site = /^(\S.*\{\$CASHIER_DOMAIN\}) \{\n\timport cell (\S+)-node-a:3000 /gm;

/** The cell of each name below the domain: of an operator, or of the cell itself. */
export const cellsByName: ReadonlyMap<string, string> = new Map(
  [...config.matchAll(site)].flatMap(([, names = '', cell = '']) =>
    names.split(', ').map((name) => [name.replace('.{$CASHIER_DOMAIN}', ''), cell] as const),
  ),
);

export class Router {
  readonly #server: Server;
  readonly #open = new Set<Duplex>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Duplex) => {
      this.#open.add(socket);
      socket.on('close', () => this.#open.delete(socket));
    });
  }

  /** @param ports the port of each cell */
  static async start(port: number, domain: string, ports: ReadonlyMap<string, number>): Promise<Router> {
    const portOf = ({ headers: { host = '' } }: IncomingMessage): number | undefined =>
      ports.get(cellsByName.get(host.replace(`.${domain}:${port}`, '')) ?? '');
    const server = createServer((request, response) => forward(request, response, portOf(request)));
    server.on('upgrade', (request, client, head) => join(request, client, head, portOf(request)));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return new Router(server);
  }

  async stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function forward(request: IncomingMessage, response: ServerResponse, port: number | undefined): void {
  if (port === undefined) {
    response.writeHead(421).end();
    return;
  }
  const { method, url: path, socket } = request;
  const headers = { ...request.headers, 'x-forwarded-for': socket.remoteAddress };
  const node = requestTo({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  node.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  response.on('close', () => node.destroy());
  request.pipe(node);
}

/** Passes a WebSocket on. */
function join({ method, url, rawHeaders }: IncomingMessage, client: Duplex, head: Buffer, port?: number): void {
  if (port === undefined) {
    client.destroy();
    return;
  }
  const lines = rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  const node = connect({ port, host: '127.0.0.1' }, () => {
    node.write(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`);
    node.write(head);
    client.pipe(node).pipe(client);
  });
  node.on('error', () => client.destroy());
  node.on('close', () => client.destroy());
  client.on('error', () => node.destroy());
  client.on('close', () => node.destroy());
}
