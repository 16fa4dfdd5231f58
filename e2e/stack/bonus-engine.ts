/** A small bonus engine of an operator on a port of its own, as an engineer would write it with `@opencashier/server`. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type BonusHandlers, handleBonusCall } from '@opencashier/server';
import type { Stack } from './stack.ts';

export class BonusEngine {
  readonly url: string;
  /** The users and currencies that were asked for. */
  readonly questions: { readonly userId: string; readonly currency?: string | undefined }[] = [];
  /** While true, a question is taken and not answered. */
  hangs = false;
  readonly #server: Server;
  readonly #given: { isOpen: boolean }[] = [];

  private constructor(server: Server, port: number, secrets: string, bonuses: BonusHandlers['bonuses']) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}/bonuses`;
    server.on('request', async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const answer = await handleBonusCall(
        { body: Buffer.concat(chunks), headers: request.headers },
        {
          secrets,
          bonuses: (question) => {
            this.questions.push(question);
            return bonuses(question);
          },
        },
      );
      if (this.hangs) this.#hold(response);
      else response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  }

  /** Starts an engine and lets the operator's bonuses come from it. */
  static async start(stack: Stack, bonuses: BonusHandlers['bonuses']): Promise<BonusEngine> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const engine = new BonusEngine(server, address.port, stack.webhookSecret, bonuses);
    await setBonusEngine(stack, { url: engine.url });
    return engine;
  }

  /** How many hanging questions the cashier still waits for. */
  get waiting(): number {
    return this.#given.filter(({ isOpen }) => isOpen).length;
  }

  /** Ends the program, so that its port refuses every connection. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #hold(response: ServerResponse): void {
    const question = { isOpen: true };
    this.#given.push(question);
    response.on('close', () => {
      question.isOpen = false;
    });
  }
}

/** Changes the setting by the call of the documents; null forgets the engine. */
export async function setBonusEngine(stack: Stack, bonusEngine: { readonly url: string } | null): Promise<void> {
  const answer = await fetch(`${stack.cashierUrl}/operator/v1/settings`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${stack.operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ bonusEngine }),
  });
  if (!answer.ok) throw new Error(`settings answered ${answer.status}: ${await answer.text()}`);
}
