/** A connection to a node that is cut at a chosen step of the next request. */
import { connect, createServer, type Server, type Socket } from 'node:net';

/** The step at which the connection is cut. */
export const cuts = [
  'before the request leaves',
  'in the middle of the request',
  'when the server has it',
  'in the middle of the answer',
  'after the answer',
] as const;
export type Cut = (typeof cuts)[number];

/** Shorter than any answer. Half of the received bytes would not do: they may be a whole answer and a push behind it. */
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

  /** Cuts the connection once, at the next bytes that a client sends. */
  cutNext(cut: Cut): void {
    this.#next = cut;
  }

  /** Whether the connection was cut. */
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
      // The other end of a cut connection fails, as expected.
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
