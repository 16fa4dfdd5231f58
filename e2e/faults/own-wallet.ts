/**
 * An operator that keeps its users' balances itself: the wallet of `examples/backend`, as the documents tell integrators to build it. It
 * lives in the test's process, so it survives the nodes that die.
 */
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handleWalletCall } from '@opencashier/server';
import { openBook } from '../../examples/backend/book.mjs';
import { createWallet } from '../../examples/backend/wallet.mjs';
import { type Cluster, type OperatorSecrets, postAsOperator, tokenFrom, tokenRequest } from './cluster.ts';
import type { Cashier } from './payer.ts';

/** A line of the wallet's book. */
export interface Movement {
  /** The id of the call that moved it. */
  readonly id: string;
  /** Cents, below zero if the wallet gave them. */
  readonly change: bigint;
}

/** The beginning of ids of movements that no call of the cashier has made. */
const OF_GAME = 'game-';

type CallType = 'debit' | 'credit' | 'release';

export class OwnWallet implements Cashier {
  readonly partner: string;
  readonly url: string;
  readonly #cluster: Cluster;
  readonly #server: Server;
  readonly #folder: string;
  readonly #secrets: OperatorSecrets;
  readonly #book: Awaited<ReturnType<typeof openBook>>;
  #losing: CallType | undefined;

  private constructor(parts: {
    readonly cluster: Cluster;
    readonly partner: string;
    readonly server: Server;
    readonly folder: string;
    readonly secrets: OperatorSecrets;
    readonly book: Awaited<ReturnType<typeof openBook>>;
  }) {
    this.partner = parts.partner;
    this.url = parts.cluster.url;
    this.#cluster = parts.cluster;
    this.#server = parts.server;
    this.#folder = parts.folder;
    this.#secrets = parts.secrets;
    this.#book = parts.book;
    const wallet = createWallet(this.#book, () => true);
    this.#server.on('request', async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const call = { body: Buffer.concat(chunks), headers: request.headers };
      const answer = await handleWalletCall(call, { secrets: this.#secrets.webhookSecret, ...wallet });
      if (this.#isLost(call.body.toString('utf8'))) response.destroy();
      else response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  }

  /** Opens the wallet, and makes its operator in the cluster. */
  static async open(cluster: Cluster, partner: string): Promise<OwnWallet> {
    const folder = await mkdtemp(join(tmpdir(), 'own-wallet-'));
    const book = await openBook(join(folder, 'book.jsonl'));
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/wallet`;
    const secrets = await cluster.createOperator(partner, ['--wallet', 'operator', '--wallet-url', address]);
    return new OwnWallet({ cluster, partner, server, folder, secrets, book });
  }

  /** The wallet carries the next call of this type out, and its answer is lost. */
  loseNextAnswer(type: CallType): void {
    this.#losing = type;
  }

  #isLost(body: string): boolean {
    if ((JSON.parse(body) as { type: string }).type !== this.#losing) return false;
    this.#losing = undefined;
    return true;
  }

  /** The user wins an amount in the operator's own game. */
  async win(userId: string, cents: bigint): Promise<void> {
    await this.#book.book({ id: `${OF_GAME}${userId}`, userId, currency: 'USD', change: () => cents });
  }

  /** Cents that the user has. */
  balanceOf(userId: string): bigint {
    return this.#book.balance(userId, 'USD');
  }

  /** The movements of a user that the cashier asked for, as they are on the disk. */
  async movementsOf(owner: string): Promise<Movement[]> {
    const text = await readFile(join(this.#folder, 'book.jsonl'), 'utf8');
    const lines = text.split('\n').filter((line) => line !== '');
    return lines
      .map((line) => JSON.parse(line) as { id: string; userId: string; change: string })
      .filter(({ id, userId }) => userId === owner && !id.startsWith(OF_GAME))
      .map(({ id, change }) => ({ id, change: BigInt(change) }));
  }

  askAsOperator(path: string, body: object): Promise<Response> {
    return postAsOperator(this.url, this.#secrets.secretKey, path, body);
  }

  async mintToken(userId: string): Promise<string> {
    const token = await tokenFrom(await this.askAsOperator('user-tokens', tokenRequest(userId)));
    this.#cluster.secrets.push(token);
    return token;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await this.#book.close();
    await rm(this.#folder, { recursive: true });
  }
}
