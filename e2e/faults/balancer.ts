/** The simplest load balancer there is: each connection goes to the next node that takes it. */
import { connect, createServer, type Server, type Socket } from 'node:net';

export class Balancer {
  readonly port: number;
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#server.on('connection', (socket) => {
      this.#open.add(socket);
      socket.on('close', () => this.#open.delete(socket));
    });
    this.port = port;
  }

  static async start(port: number, nodePorts: readonly number[]): Promise<Balancer> {
    let turn = 0;
    const server = createServer((client) => {
      turn += 1;
      const order = nodePorts.map((_, index) => nodePorts[(turn + index) % nodePorts.length] ?? 0);
      forward(client, order);
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return new Balancer(server, port);
  }

  /** Cuts every connection that is open now, whatever is under way on it; answers how many there were. */
  cut(): number {
    const { size } = this.#open;
    for (const socket of this.#open) socket.destroy();
    return size;
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function forward(client: Socket, [port, ...others]: readonly number[]): void {
  if (port === undefined) {
    client.destroy();
    return;
  }
  let isTaken = false;
  const node = connect({ port, host: '127.0.0.1' }, () => {
    isTaken = true;
    client.pipe(node).pipe(client);
  });
  node.on('error', () => (isTaken ? client.destroy() : forward(client, others)));
  client.on('error', () => node.destroy());
  client.on('close', () => node.destroy());
}
