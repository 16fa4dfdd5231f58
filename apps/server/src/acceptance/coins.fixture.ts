/** For tests of crypto deposits: a chain with its node, a provider that watches it, and a clock that the test moves. */

import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '@opencashier/core/time/clock';
import { pause } from '@opencashier/core/time/pause';
import type { TestClock } from '@opencashier/core/time/test-clock';
import { HDKey } from '@scure/bip32';
import { Address } from '@ton/core';
import type { Database } from '../database/database.ts';
import { silentLogger } from '../database/testing/test-database.ts';
import type { WatcherLog } from '../providers/crypto/chain-watcher.ts';
import { createCryptoProvider } from '../providers/crypto/crypto.ts';
import type { CryptoSettings } from '../providers/crypto/crypto-settings.ts';
import { FakeChain } from '../providers/crypto/testing/fake-chain.ts';
import { FakeNode, type Family } from '../providers/crypto/testing/fake-node.ts';
import { destinationOf } from '../providers/crypto/ton/ton-wallet.ts';
import type { Provider } from '../providers/provider.ts';

export interface CoinKind {
  readonly key: string;
  readonly family: Family;
  readonly coin: string;
  readonly contract?: string;
}

export class CoinBench {
  readonly chain = new FakeChain();
  readonly node: FakeNode;
  readonly #kind: CoinKind;
  readonly #database: Database;
  readonly #clock: Clock;
  /** Only a few settings; the others have their defaults. */
  settings: CryptoSettings = { chains: {} };

  constructor(kind: CoinKind, { database, clock }: { readonly database: Database; readonly clock: Clock }) {
    this.#kind = kind;
    this.#database = database;
    this.#clock = clock;
    this.node = new FakeNode(kind.family, this.chain);
  }

  /** Opens the node and makes the settings, with an account that no other test uses. */
  async open(options: Partial<CryptoSettings['chains'][string]> = {}): Promise<void> {
    const { key, family, coin, contract } = this.#kind;
    const account =
      family === 'ton'
        ? new Address(0, randomBytes(32)).toString({ bounceable: false })
        : HDKey.fromMasterSeed(randomBytes(32)).derive("m/84'/0'/0'").publicExtendedKey;
    const chain = {
      nodes: [{ url: await this.node.open(), headers: {} }],
      account,
      tokens: contract === undefined ? {} : { [coin]: { contract, decimals: 6 } },
      isCoinWatched: contract === undefined,
      ...options,
    };
    this.settings = { chains: { [key]: chain } };
  }

  async close(): Promise<void> {
    await this.node.close();
    await this.forget('crypto_output', 'crypto_address', 'crypto_series', 'crypto_chain');
  }

  /** Deletes all rows of the tables. It may take longer than a query of the cashier. */
  async forget(...tables: readonly string[]): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.query({ text: 'set local statement_timeout = 0' });
      for (const table of tables) await transaction.query({ text: `delete from ${table}` });
    });
  }

  /** A new process over the same database. */
  start(log: WatcherLog = silentLogger): Provider {
    return createCryptoProvider({ database: this.#database, clock: this.#clock, log, settings: this.settings });
  }

  /** The address of a new deposit; undefined when it gets none. */
  async addressFrom(provider: Provider, depositId: string = randomUUID()): Promise<string | undefined> {
    const created = await provider.create({
      depositId,
      operatorId: 'op',
      paymentMethod: 'coin',
      amountMinor: 1000n,
      currency: this.#kind.coin,
      country: 'DE',
      fields: {},
      providerOptions: { network: this.#kind.key },
      returnUrl: 'https://operator.example',
      language: 'en',
      signal: new AbortController().signal,
    });
    const { depositAddress: address, depositMemo: memo } = (created.kind === 'created' && created.data) || {};
    return address === undefined || memo === undefined ? address : destinationOf(address, memo);
  }

  /** Sends a transaction that is in no block yet. */
  send(to: string, raw = 1_000_000n): void {
    const { contract } = this.#kind;
    this.chain.send({ to, raw, ...(contract !== undefined && { contract }) });
  }
}

/**
 * A clock that moves only while no query and no request to a node is in progress, so that measurements do not depend on the machine.
 * It replaces `fetch` until it is restored.
 */
export class SteppedTime {
  readonly clock: TestClock;
  /** The database that the test must use instead of its own. */
  readonly database: Database;
  readonly #fetch = globalThis.fetch;
  #underWay = 0;

  constructor(clock: TestClock, database: Database) {
    this.clock = clock;
    const counted = <Result>(work: Promise<Result>): Promise<Result> => {
      this.#underWay += 1;
      return work.finally(() => {
        this.#underWay -= 1;
      });
    };
    this.database = {
      ...database,
      query: (statement) => counted(database.query(statement)),
      transaction: (work) => counted(database.transaction(work)),
    };
    const original = this.#fetch;
    const whole = async (...asked: Parameters<typeof fetch>): Promise<Response> => {
      const answer = await original(...asked);
      return new Response(await answer.text(), answer);
    };
    globalThis.fetch = (...asked) => counted(whole(...asked));
  }

  restore(): void {
    globalThis.fetch = this.#fetch;
  }

  /** @param pass moves time on by a step */
  async during<Result>(work: Promise<Result>, pass: () => unknown = () => this.clock.advance(50)): Promise<Result> {
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    over.catch(() => undefined);
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!isOver && this.#underWay === 0) await pass();
    }
    return over;
  }

  /** Moves the clock by a duration. */
  async wait(ms: number): Promise<void> {
    await this.during(pause(this.clock, ms));
  }
}
