/** A hot wallet that is used without the cashier, its nodes, and the staff who accept the use by the command line. */
import { createServer, type Server } from 'node:http';
import { expect } from 'vitest';
import { keptOpen, type Printed, runCommand } from '../cli/run-command.fixture.ts';
import { TestSigner } from '../providers/crypto/testing/test-signer.ts';
import { closeOnLoopback, openOnLoopback } from '../providers/loopback-server.fixture.ts';
import type { PayoutBench } from './coin-payouts.fixture.ts';
import type { HotWallet } from './hot-wallet.fixture.ts';

/** A node that answers as the chain does, except that its counts of transactions are off. */
export class Replica {
  /** Added to each count. */
  offset = 0;
  readonly url: string;
  readonly #server: Server;

  private constructor(url: string, server: Server) {
    this.url = url;
    this.#server = server;
  }

  static async open(upstream: string): Promise<Replica> {
    const shifted = (answer: { result?: unknown }, method: string) =>
      method === 'eth_getTransactionCount' && typeof answer.result === 'string'
        ? { ...answer, result: `0x${Math.max(0, Number(answer.result) + opened.offset).toString(16)}` }
        : answer;
    const server = createServer((request, response) => {
      void (async () => {
        let body = '';
        for await (const part of request) body += String(part);
        const answer = await fetch(upstream, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        const asked = JSON.parse(body) as { method: string } | { method: string }[];
        const told = (await answer.json()) as { result?: unknown } | { result?: unknown }[];
        const whole = Array.isArray(asked)
          ? (told as { result?: unknown }[]).map((one, at) => shifted(one, asked[at]?.method ?? ''))
          : shifted(told as { result?: unknown }, asked.method);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(whole));
      })();
    });
    const opened = new Replica(await openOnLoopback(server), server);
    return opened;
  }

  close(): Promise<void> {
    return closeOnLoopback(this.#server);
  }
}

let next = 0;
export const newAddress = (): string => `0x${(0xeab000 + ++next).toString(16).padStart(40, '6')}`;

/** @param walletOf the hot wallet of the tests, once it is open */
export function doubtedWallet(walletOf: () => HotWallet) {
  const chain = () => walletOf().chain;
  const database = () => walletOf().opened.database;
  const nonceNow = async (): Promise<bigint> =>
    BigInt(String(await chain().ask('eth_getTransactionCount', [TestSigner.evmWallet, 'latest'])));

  function run(command: string): Promise<Printed> {
    // `open` gives the test's own database instead.
    const environment = { DATABASE_URL: 'postgres://cashier@database.example/cashier' };
    return runCommand(command, { environment, open: keptOpen(database()) });
  }

  /** @param tooMany is added to the true number */
  async function propose(by: string, tooMany = 0n, address?: string): Promise<Printed & { readonly proposal: string }> {
    const slot = (await nonceNow()) + tooMany;
    const named = address === undefined ? '' : ` --wallet ${address}`;
    const printed = await run(
      `coin-payouts accept-use propose ethereum --next ${slot} --by ${by} --reason "swept by hand"${named}`,
    );
    return { ...printed, proposal: /[\da-f-]{36}/.exec(printed.out)?.[0] ?? '' };
  }

  const decide = (decision: 'confirm' | 'reject', proposal: string, by: string): Promise<Printed> =>
    run(`coin-payouts accept-use ${decision} ${proposal} --by ${by}`);

  /** As two people of the staff do. */
  async function accept(tooMany = 0n, address?: string): Promise<Printed> {
    const proposed = await propose('eve', tooMany, address);
    return proposed.exitCode === 0 ? decide('confirm', proposed.proposal, 'ivan') : proposed;
  }

  async function proposals(): Promise<unknown[]> {
    const { out } = await run('coin-payouts accept-use list ethereum --json');
    return out
      .split('\n')
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line));
  }

  async function doubt(): Promise<string | null | undefined> {
    const [row] = await database().query<{ doubt: string | null }>({ text: 'select doubt from coin_wallet' });
    return row?.doubt;
  }

  async function settle(bench: PayoutBench): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) {
      await bench.round();
      await chain().mine();
    }
    await bench.round();
  }

  /** A payout that was paid, so that the cashier knows a nonce. */
  async function paidOne(): Promise<void> {
    const bench = walletOf().open();
    const one = await bench.cashOut('ETH', '0.5', newAddress());
    await settle(bench);
    expect(await one.status()).toBe(1);
  }

  /** Uses the wallet as somebody does who has its key. */
  async function useElsewhere(): Promise<void> {
    await chain().ask('anvil_impersonateAccount', [TestSigner.evmWallet]);
    const sent = { from: TestSigner.evmWallet, to: newAddress(), value: '0x1', gas: '0x5208', gasPrice: '0x2540be400' };
    await chain().ask('eth_sendTransaction', [sent]);
    await chain().ask('anvil_stopImpersonatingAccount', [TestSigner.evmWallet]);
    await chain().mine();
  }

  return { nonceNow, propose, decide, accept, proposals, doubt, settle, paidOne, useElsewhere };
}
