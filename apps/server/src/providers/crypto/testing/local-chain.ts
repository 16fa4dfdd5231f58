/** A real Ethereum chain on this machine (anvil), with unlocked accounts. Tests mine and reorganise its blocks. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const UP_WITHIN_MS = 30_000;
const hex = (value: bigint | number): string => `0x${value.toString(16)}`;
const word = (value: bigint | string): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0');

/** The parts of a transaction. */
export interface Sent {
  readonly from?: string;
  readonly to?: string;
  readonly value?: bigint;
  readonly data?: string;
}

export class LocalChain {
  readonly url: string;
  readonly #process: ChildProcess;
  #accounts: readonly string[] = [];

  private constructor(url: string, process: ChildProcess) {
    this.url = url;
    this.#process = process;
  }

  static async open(): Promise<LocalChain> {
    const program = require.resolve('@foundry-rs/anvil/bin.mjs');
    const options = ['--host', '127.0.0.1', '--port', '0', '--no-mining', '--color', 'never'];
    const child = spawn(process.execPath, [program, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
    const port = await new Promise<string>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('The local chain does not start')), UP_WITHIN_MS);
      child.once('exit', (code) => reject(new Error(`The local chain ended with ${code}`)));
      // The output is read to its end, because a full pipe would stop the chain.
      createInterface({ input: child.stdout }).on('line', (line) => {
        const found = /^Listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
        if (found === undefined) return;
        clearTimeout(late);
        resolve(found);
      });
    });
    const chain = new LocalChain(`http://127.0.0.1:${port}`, child);
    chain.#accounts = (await chain.ask('eth_accounts', [])) as string[];
    return chain;
  }

  async close(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill();
    await ended;
  }

  account(index: number): string {
    return this.#accounts[index] ?? '';
  }

  async ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await fetch(this.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { result, error } = (await answer.json()) as { result?: unknown; error?: unknown };
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  /** What an address has of the chain's coin, in wei. */
  async balance(address: string): Promise<bigint> {
    return BigInt(String(await this.ask('eth_getBalance', [address, 'latest'])));
  }

  /** Signs and sends a transaction. @returns the signed transaction, which can be sent again */
  async send({ from = this.account(0), to, value = 0n, data = '0x' }: Sent): Promise<string> {
    const nonce = await this.ask('eth_getTransactionCount', [from, 'pending']);
    const fees = { gas: hex(1_000_000), gasPrice: hex(10_000_000_000n) };
    const parts = { from, ...(to !== undefined && { to }), value: hex(value), data, nonce, ...fees };
    const signed = String(await this.ask('eth_signTransaction', [parts]));
    await this.sendSigned(signed);
    return signed;
  }

  async sendSigned(signed: string): Promise<string> {
    return String(await this.ask('eth_sendRawTransaction', [signed]));
  }

  async mine(count = 1): Promise<void> {
    await this.ask('anvil_mine', [hex(count)]);
  }

  /** Replaces the last blocks by empty ones. Their transactions are lost. */
  async reorganise(depth: number): Promise<void> {
    await this.ask('anvil_reorg', [depth, []]);
  }

  /** Deploys a token. The first account owns all of it. @returns the contract in small letters */
  async putToken(): Promise<string> {
    const signed = await this.send({ data: `0x${tokenCode()}` });
    await this.mine();
    const hash = await this.ask('web3_sha3', [signed]);
    const receipt = (await this.ask('eth_getTransactionReceipt', [hash])) as { contractAddress: string };
    return receipt.contractAddress.toLowerCase();
  }

  async sendToken(contract: string, to: string, amount: bigint, from?: string): Promise<string> {
    const data = `0xa9059cbb${word(to)}${word(amount)}`;
    return this.send({ to: contract, data, ...(from !== undefined && { from }) });
  }
}

/**
 * The byte code of a small token with `transfer(address,uint256)` and `balanceOf(address)` (ERC-20). `transfer` reverts when the sender
 * has too little, moves the balance, and emits `Transfer`. The storage key of a balance is the address.
 */
function tokenCode(): string {
  // The method balanceOf is at the end.
  const start = (balance: string): string => `5f35 60e0 1c 6370a08231 14 60${balance} 57`;
  const body = (end: string): string =>
    [
      // Revert for any other method than transfer.
      `5f35 60e0 1c 63a9059cbb 03 60${end} 57`,
      // Amount, balance of the caller. Revert when it is too little.
      `6024 35 33 54 81 81 10 60${end} 57`,
      // Take the amount from the caller and add it to the payee.
      '81 90 03 33 55',
      '6004 35 80 54 82 01 81 55',
      `90 5f 52 33 7f${TRANSFER} 6020 5f a3`,
      '6001 5f 52 6020 5f f3',
    ].join('');
  const bytes = (code: string): string => code.replaceAll(' ', '');
  const size = (code: string): string => (bytes(code).length / 2).toString(16).padStart(2, '0');
  const end = size(start('00') + body('00'));
  const refuse = '5b 5f5f fd';
  const balance = size(start('00') + body('00') + refuse);
  const runtime = bytes(`${start(balance)} ${body(end)} ${refuse} 5b 6004 35 54 5f 52 6020 5f f3`);
  // The deployer owns everything. The rest of the code is the contract.
  return bytes(`5f19 33 55 60${size(runtime)} 600e 5f 39 60${size(runtime)} 5f f3 ${runtime}`);
}
