/** A simple load balancer: each connection goes to the next node that is ready and accepts it. */
import { connect, createServer, type Server, type Socket } from 'node:net';

const askEveryMs = 250;

export class Balancer {
  readonly port: number;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #asking: NodeJS.Timeout;

  private constructor(server: Server, port: number, asking: NodeJS.Timeout) {
    this.#server = server;
    this.#asking = asking;
    this.#server.on('connection', (socket) => {
      this.#open.add(socket);
      socket.on('close', () => this.#open.delete(socket));
    });
    this.port = port;
  }

  static async start(port: number, nodePorts: readonly number[]): Promise<Balancer> {
    let turn = 0;
    // As balancers do: a node that reports "not ready" gets no new connection while another node is ready.
    const unready = new Set<number>();
    const ask = async (nodePort: number): Promise<void> => {
      const answer = await fetch(`http://127.0.0.1:${nodePort}/ready`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(2_000),
      }).catch(() => undefined);
      if (answer?.ok) unready.delete(nodePort);
      else unready.add(nodePort);
    };
    const asking = setInterval(() => {
      for (const nodePort of nodePorts) void ask(nodePort);
    }, askEveryMs);
    const server = createServer((client) => {
      turn += 1;
      const order = nodePorts.map((_, index) => nodePorts[(turn + index) % nodePorts.length] ?? 0);
      forward(client, [
        ...order.filter((nodePort) => !unready.has(nodePort)),
        ...order.filter((nodePort) => unready.has(nodePort)),
      ]);
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return new Balancer(server, port, asking);
  }

  /** Closes every open connection, even in the middle of a request. Returns how many there were. */
  cut(): number {
    const { size } = this.#open;
    for (const socket of this.#open) socket.destroy();
    return size;
  }

  async stop(): Promise<void> {
    clearInterval(this.#asking);
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
