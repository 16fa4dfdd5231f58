/** The two calls of Express that samples use, over Node alone: `app.post` and `express.raw`. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

interface ExpressRequest {
  readonly body: Buffer;
  readonly headers: IncomingMessage['headers'];
  readonly session: { readonly userId: string };
}
type Handler = (request: ExpressRequest, response: ExpressResponse) => unknown;

class ExpressResponse {
  private readonly response: ServerResponse;

  constructor(response: ServerResponse) {
    this.response = response;
  }
  type(name: string): this {
    this.response.setHeader('content-type', name);
    return this;
  }
  status(code: number): this {
    this.response.statusCode = code;
    return this;
  }
  set(headers: Readonly<Record<string, string>>): this {
    for (const [name, value] of Object.entries(headers)) this.response.setHeader(name, value);
    return this;
  }
  send(body: string): void {
    this.response.end(body);
  }
  end(): void {
    this.response.end();
  }
}

/** What a page or the cashier asked, for samples that take a request apart. */
export interface Asked {
  readonly path: string;
  readonly body: Buffer;
  readonly headers: IncomingMessage['headers'];
}

/**
 * @param userId who is signed in
 * @param elsewhere answers what no handler of a sample takes
 */
export function smallExpress(userId: string, elsewhere: (path: string) => Promise<Response>) {
  const handlers = new Map<string, Handler>();
  const asked: Asked[] = [];
  /** Errors of handlers. Some are meant: the check of a wallet sends calls that it must refuse. */
  const failures: unknown[] = [];
  const app = {
    post(path: string, ...all: Handler[]): void {
      const last = all.at(-1);
      if (last !== undefined) handlers.set(path, last);
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const [path = ''] = (request.url ?? '').split('?');
    const { headers } = request;
    const body = Buffer.concat(parts);
    asked.push({ path, body, headers });
    const handler = request.method === 'POST' ? handlers.get(path) : undefined;
    if (handler !== undefined)
      return void (await handler({ body, headers, session: { userId } }, new ExpressResponse(response)));
    const found = await elsewhere(path);
    response.writeHead(found.status, Object.fromEntries(found.headers)).end(Buffer.from(await found.arrayBuffer()));
  };
  const server: Server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      failures.push(error);
      response.writeHead(500).end();
    });
  });
  // `express.raw` leaves the body as it is, which this server always does.
  return { app, express: { raw: () => () => undefined }, server, asked, failures };
}
