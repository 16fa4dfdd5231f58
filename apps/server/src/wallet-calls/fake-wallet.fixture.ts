/** An operator's wallet on a port of its own, which keeps the contract unless a test tells it to misbehave. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WalletCall, walletCallSchema } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { parseDecimal, toDecimalString } from '@opencashier/core/money/money';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Database } from '../database/database.ts';
import type { Bench } from '../payments/testing/payments.fixture.ts';
import {
  type MadePayments,
  type WithPaymentsOptions,
  withPayments,
} from '../payments/testing/with-payments.fixture.ts';

export const walletSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

/**
 * `answer`: by the contract. `lost`: the call does not arrive. `late`: the call is executed and its answer is lost. `broken`: executed, and
 * answered with 500. `lie`: executed, and answered with another amount. `garbage`: executed, and answered with a page. `decline`: not
 * executed, and answered with a "no", whatever the type of the call. `hang`: neither, until the test lets the call go on.
 */
export type Behaviour = 'answer' | 'lost' | 'late' | 'broken' | 'lie' | 'garbage' | 'decline' | 'hang';

export interface FakeWallet {
  readonly url: string;
  /** What the next calls of each type meet; then `answer`. */
  readonly script: Behaviour[];
  /** What all calls meet while set. */
  always: Behaviour | undefined;
  /** Every call that arrived, repeats included. */
  readonly calls: WalletCall[];
  /** Calls that hang. Each function carries its call out and answers it, though the cashier may no longer listen. */
  readonly hanging: (() => void)[];
  /** Executed movements by their id. */
  readonly executed: Map<string, WalletCall>;
  /** The users' balances in minor units, by `user currency`. */
  readonly balances: Map<string, bigint>;
  /** The decline of every debit while set. */
  declines: { readonly code: string; readonly message?: string } | undefined;
  /** True: answers also show a balance below zero, instead of zero. */
  showsDebts: boolean;
  balanceOf(userId: string, currency?: string): bigint;
  /** Keeps the contract again, and forgets which calls arrived. Balances and executed movements stay. */
  behave(): void;
  close(): Promise<void>;
}

async function openFakeWallet(): Promise<FakeWallet> {
  const answers = new Map<string, object>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => receive(Buffer.concat(chunks), request.headers as Record<string, string>, response));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));

  const wallet: FakeWallet = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/wallet`,
    script: [],
    always: undefined,
    calls: [],
    hanging: [],
    executed: new Map(),
    balances: new Map(),
    declines: undefined,
    showsDebts: false,
    balanceOf: (userId, currency = 'INR') => wallet.balances.get(`${userId} ${currency}`) ?? 0n,
    behave() {
      wallet.script.length = 0;
      wallet.calls.length = 0;
      wallet.hanging.length = 0;
      wallet.always = undefined;
      wallet.declines = undefined;
      wallet.showsDebts = false;
    },
    close() {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };

  const receive = (raw: Buffer, headers: Record<string, string>, response: ServerResponse): void => {
    const call = v.parse(walletCallSchema, new Webhook(walletSecret).verify(raw.toString('utf8'), headers));
    if (headers['webhook-id'] !== call.id) throw new Error('webhook-id is not the id of the call');
    const behaviour = wallet.always ?? wallet.script.shift() ?? 'answer';
    wallet.calls.push(call);
    if (behaviour === 'lost') {
      response.destroy();
      return;
    }
    if (behaviour === 'decline') {
      send(response, 200, JSON.stringify({ result: 'declined', code: 'blocked' }));
      return;
    }
    const text = (): string => {
      const answer = answers.get(call.id) ?? execute(call);
      if (call.type !== 'balance') answers.set(call.id, answer);
      return JSON.stringify(answer);
    };
    if (behaviour === 'hang') wallet.hanging.push(() => send(response, 200, text()));
    else respond(response, behaviour, text());
  };

  const send = (response: ServerResponse, status: number, body: string): void => {
    response.writeHead(status).end(body);
  };

  const respond = (response: ServerResponse, behaviour: Behaviour, text: string): void => {
    if (behaviour === 'late') response.destroy();
    else if (behaviour === 'broken') send(response, 500, 'oops');
    else if (behaviour === 'garbage') send(response, 200, '<html>');
    else if (behaviour === 'lie') send(response, 200, JSON.stringify({ ...JSON.parse(text), amount: '0.01' }));
    else send(response, 200, text);
  };

  const execute = (call: WalletCall): object => {
    const key = `${call.userId} ${call.currency}`;
    const decimals = decimalsOf(call.currency);
    const before = wallet.balances.get(key) ?? 0n;
    const balanceText = (minor: bigint): string =>
      toDecimalString(minor < 0n && !wallet.showsDebts ? 0n : minor, decimals);
    if (call.type === 'balance') return { result: 'done', balance: balanceText(before) };
    const parsed = parseDecimal(call.amount, decimals);
    if (!parsed.ok) throw new Error(`The call has no amount: ${call.amount}`);
    if (call.type === 'debit' && wallet.declines !== undefined) return { result: 'declined', ...wallet.declines };
    if (call.type === 'debit' && before < parsed.minor && call.forced !== true)
      return { result: 'declined', code: 'insufficient-funds', balance: balanceText(before) };
    if (call.type === 'release' && wallet.executed.get(call.debitId)?.type !== 'debit')
      throw new Error('A release of a debit that was not executed');
    const after = call.type === 'debit' ? before - parsed.minor : before + parsed.minor;
    wallet.balances.set(key, after);
    wallet.executed.set(call.id, call);
    return { result: 'done', balance: balanceText(after), transactionId: `t-${wallet.executed.size}`, ...call };
  };
  return wallet;
}

/**
 * Opens a wallet for the tests of the file. Before each test it keeps the contract.
 * @param take receives it before the first test
 */
export function withFakeWallet(take: (wallet: FakeWallet) => void): void {
  let wallet: FakeWallet | undefined;
  beforeAll(async () => {
    wallet = await openFakeWallet();
    take(wallet);
  });
  beforeEach(() => wallet?.behave());
  afterAll(() => wallet?.close());
}

/**
 * The payments of `withPayments`, and a wallet for their operator. The operator does not use the wallet before `useWallet`.
 * @param take receives everything before the file's own `beforeEach`
 */
export function withWalletPayments(
  take: (made: MadePayments & { readonly wallet: FakeWallet }) => void,
  options?: WithPaymentsOptions,
): void {
  let wallet: FakeWallet;
  withPayments((made) => take({ ...made, wallet }), options);
  withFakeWallet((opened) => {
    wallet = opened;
  });
}

/** Lets the wallet keep the contract from now on, and asks about all waiting calls. Declines of debits stay. */
export async function askWellBehaved(
  database: Database,
  bench: Pick<Bench, 'payments'>,
  wallet: FakeWallet,
): Promise<void> {
  wallet.always = undefined;
  wallet.script.length = 0;
  await askUntilAnswered(database, bench);
}

/** Asks about all waiting calls, and about the calls that follow from their answers. */
export async function askUntilAnswered(database: Database, { payments }: Pick<Bench, 'payments'>): Promise<void> {
  for (let rounds = 0; rounds < 5; rounds += 1) {
    await endPauses(database);
    await payments.runDueWork();
  }
}

/** Lets the operator `op` keep its users' balances itself. */
export async function useWallet(database: Database, { url }: Pick<FakeWallet, 'url'>): Promise<void> {
  await setWalletMode(database, 'operator', url);
}

export async function setWalletMode(database: Database, mode: string, url?: string): Promise<void> {
  await database.query({
    text: `update operator set wallet_mode = $1, wallet_url = $2, webhook_secrets = $3 where id = 'op'`,
    values: [mode, url ?? null, [walletSecret]],
  });
}

/** Makes every waiting call due now, as if its pause were over. */
export async function endPauses(database: Database): Promise<void> {
  await database.query({ text: 'update operator_wallet_queue set due_at = now()' });
}

type Ledger = Readonly<Record<'user' | 'user_hold' | 'wallet_transit' | 'reversal_debt', bigint>>;

/** The ledger of a user whose money is all at the operator. */
export const nothingHere: Ledger = { user: 0n, user_hold: 0n, wallet_transit: 0n, reversal_debt: 0n };

/** The balances of a user in the ledger, in minor units of INR. */
export async function ledgerOf(database: Database, userId: string): Promise<Ledger> {
  const rows = await database.query<{ kind: string; balance: bigint }>({
    text: `select kind, balance from account where owner = $1 and asset = 'INR' and balance is not null`,
    values: [userId],
  });
  const of = (kind: string): bigint => rows.find((row) => row.kind === kind)?.balance ?? 0n;
  return {
    user: of('user'),
    user_hold: of('user_hold'),
    wallet_transit: of('wallet_transit'),
    reversal_debt: of('reversal_debt'),
  };
}

/** What the operator has got of a user's money by the books here: minor units of INR, less what it gave. */
export async function givenToOperator(database: Database, userId: string): Promise<bigint> {
  const [row] = await database.query<{ sum: bigint }>({
    text: `select coalesce(sum(case type when 'debit' then -amount else amount end), 0)::bigint as sum
      from operator_wallet_call where user_id = $1 and currency = 'INR' and state in ('done', 'booked')`,
    values: [userId],
  });
  return row?.sum ?? 0n;
}

/** True if a debt has frozen the user's account. */
export async function isFrozen(database: Database, userId: string, asset = 'INR'): Promise<boolean> {
  const frozen = await database.query({
    text: `select 1 from account where owner = $1 and asset = $2 and kind = 'user' and frozen_at is not null`,
    values: [userId, asset],
  });
  return frozen.length > 0;
}
