/** A small wallet in memory that keeps the contract, and whose parts a test replaces by wrong ones. */
import { createHmac } from 'node:crypto';
import type { WalletCall } from '../generated/wallet.ts';
import { keysOf } from '../verify-webhook.ts';
import { handleWalletCall, type WalletDeclined, type WalletDone } from '../wallet-call.ts';
import { minorOf, textOf } from './amounts.ts';

export const walletSecret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;

type Move = Exclude<WalletCall, { type: 'balance' }>;
type Outcome = WalletDone | WalletDeclined;
export type Headers = Record<string, string>;

export interface WrongParts {
  /** Changes the headers before they are verified. */
  readonly headers?: (headers: Headers, body: string) => Headers;
  readonly toleranceSeconds?: number;
  /** Carries out an id once. */
  readonly once?: (wallet: SmallWallet, move: Move) => Promise<Outcome>;
  /** Carries out a call whose id is new. */
  readonly execute?: (wallet: SmallWallet, move: Move) => Promise<Outcome>;
  /** Changes the answer before it is sent. */
  readonly respond?: (call: WalletCall, status: number, body: Record<string, unknown>) => Response | undefined;
}

export class SmallWallet {
  /** Minor units by user. */
  readonly balances = new Map([['wallet-check', 2500n]]);
  readonly answers = new Map<string, Promise<Outcome>>();
  readonly moves = new Map<string, Move>();
  readonly debits = new Map<string, Move>();
  /** The debits that came back. */
  readonly released = new Set<string>();
  /** The time of the wallet and of the check, in milliseconds since 1970. */
  now = 1_767_225_600_000;
  private movements = 0;
  private readonly wrong: WrongParts;

  constructor(wrong: WrongParts = {}) {
    this.wrong = wrong;
  }

  readonly fetch: typeof globalThis.fetch = async (_address, init) => {
    const body = String(init?.body);
    const given = init?.headers as Headers;
    const headers = this.wrong.headers?.(given, body) ?? given;
    const carryOut = (move: Move) => (this.wrong.once ?? onceById)(this, move);
    const toleranceSeconds = this.wrong.toleranceSeconds ?? 300;
    const answer = await handleWalletCall(
      { body, headers },
      {
        secrets: walletSecret,
        now: this.now,
        toleranceSeconds,
        balance: ({ userId }) => ({ balance: this.text(userId) }),
        debit: carryOut,
        // The wrong parts of a test may decline what no wallet may decline.
        credit: carryOut as (move: Move) => Promise<WalletDone>,
        release: carryOut as (move: Move) => Promise<WalletDone>,
      },
    ).catch(() => ({ status: 500, headers: {}, body: '{}' }));
    const changed = this.wrong.respond?.(JSON.parse(body) as WalletCall, answer.status, JSON.parse(answer.body));
    return changed ?? new Response(answer.body, { status: answer.status });
  };

  carryOut(move: Move): Promise<Outcome> {
    return (this.wrong.execute ?? execute)(this, move);
  }

  text(userId: string): string {
    const balance = this.balances.get(userId) ?? 0n;
    return textOf(balance < 0n ? 0n : balance, 2);
  }

  add(userId: string, change: bigint): WalletDone {
    this.balances.set(userId, (this.balances.get(userId) ?? 0n) + change);
    this.movements += 1;
    return { balance: this.text(userId), transactionId: `t-${this.movements}` };
  }
}

export function onceById(wallet: SmallWallet, move: Move): Promise<Outcome> {
  const known = wallet.moves.get(move.id);
  if (known !== undefined && !isSame(known, move)) throw new Error('This id came before with another call.');
  const stored = wallet.answers.get(move.id) ?? wallet.carryOut(move);
  wallet.answers.set(move.id, stored);
  wallet.moves.set(move.id, move);
  // Only an answer is stored. What ended with an error may succeed when it comes again.
  stored.catch(() => wallet.answers.delete(move.id));
  return stored;
}

function isSame(one: Move, other: Move): boolean {
  return one.userId === other.userId && one.currency === other.currency && amountOf(one) === amountOf(other);
}

export async function execute(wallet: SmallWallet, move: Move): Promise<Outcome> {
  const amount = amountOf(move);
  if (move.type === 'credit') return wallet.add(move.userId, amount);
  if (move.type === 'release') {
    const debit = wallet.debits.get(move.debitId);
    if (debit === undefined) throw new Error('This debit took nothing.');
    if (!isSame(debit, move)) throw new Error('The debit was another one.');
    if (wallet.released.has(debit.id)) throw new Error('The debit came back already.');
    wallet.released.add(debit.id);
    return wallet.add(move.userId, amount);
  }
  const balance = wallet.balances.get(move.userId);
  if (balance === undefined) return { declined: 'unknown-user' };
  if (balance < amount && move.forced !== true)
    return { declined: 'insufficient-funds', balance: wallet.text(move.userId) };
  wallet.debits.set(move.id, move);
  return wallet.add(move.userId, -amount);
}

export function amountOf({ amount }: Move): bigint {
  const minor = minorOf(amount, 2);
  if (typeof minor === 'string') throw new TypeError(minor);
  return minor;
}

/** The headers as the cashier would have sent them. */
export function signedAnew(headers: Headers, body: string, now: number): Headers {
  const id = (JSON.parse(body) as WalletCall).id;
  const at = headers['webhook-timestamp'] ?? String(now / 1000);
  const [key = ''] = keysOf(walletSecret);
  const mac = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${mac}` };
}
