/** A line to a node that is cut at a chosen step of the next request, whatever it carries. */
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Where the line is cut. */
export const cuts = [
  'before the request leaves',
  'in the middle of the request',
  'when the server has it',
  'in the middle of the answer',
  'after the answer',
] as const;
export type Cut = (typeof cuts)[number];

/** Less than any answer has. Not half of what came: on a socket a push may come in the same bytes, behind an answer that is whole. */
const startOfAnswer = 24;

export class CuttingLine {
  readonly url: string;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #next: Cut | undefined;

  private constructor(server: Server, port: number, nodePort: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.#server = server;
    server.on('connection', (client) => this.#join(client, connect(nodePort, '127.0.0.1')));
  }

  static async start(port: number, nodePort: number): Promise<CuttingLine> {
    const server = createServer();
    const line = new CuttingLine(server, port, nodePort);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return line;
  }

  /** The next bytes that a client sends are the request that it happens to; once. */
  cutNext(cut: Cut): void {
    this.#next = cut;
  }

  /** Whether what was ordered has happened. */
  get isCut(): boolean {
    return this.#next === undefined;
  }

  async stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket, node: Socket): void {
    const end = (): void => {
      client.destroy();
      node.destroy();
    };
    const cutNow = (): void => {
      this.#next = undefined;
      end();
    };
    for (const socket of [client, node]) {
      this.#open.add(socket);
      socket.on('close', () => {
        this.#open.delete(socket);
        end();
      });
      // The other side of a cut: expected here.
      socket.on('error', end);
    }
    let isAsked = false;
    client.on('data', (bytes: Buffer) => {
      if (this.#next === 'before the request leaves') return cutNow();
      if (this.#next === 'in the middle of the request') {
        node.write(bytes.subarray(0, bytes.length / 2), cutNow);
        return;
      }
      isAsked = this.#next !== undefined;
      node.write(bytes);
    });
    node.on('data', (bytes: Buffer) => {
      if (!isAsked || this.#next === undefined) return void client.write(bytes);
      if (this.#next === 'when the server has it') return cutNow();
      const told = this.#next === 'after the answer' ? bytes : bytes.subarray(0, startOfAnswer);
      client.write(told, cutNow);
    });
  }
}
