/** The page's own backend. */
import type { Cashier } from '@opencashier/embed';

export interface Site {
  readonly cashierUrl: string;
  readonly partner: string;
  /** Who keeps the balance: the cashier, or this site in a wallet of its own. */
  readonly wallet: 'cashier' | 'operator';
  readonly users: readonly { readonly id: string; readonly name: string; readonly currency: string }[];
}

export interface ReceivedCode {
  readonly withdrawalId: string;
  readonly code: string;
  readonly channel: string;
  readonly expires: string;
}

export interface Account {
  readonly user: { readonly id: string; readonly name: string; readonly country: string; readonly currency: string };
  /** Decimal strings by currency. */
  readonly balances: Readonly<Record<string, string>>;
  /** Decimal strings by currency: on the way out, and no longer on the balance. */
  readonly held: Readonly<Record<string, string>>;
  readonly withdrawals: readonly {
    readonly withdrawalId: string;
    readonly accountType: 'main' | 'additional';
    readonly amount: string;
    readonly currency: string;
    readonly paymentMethod: string;
    readonly status: 'held' | 'sent' | 'paid' | 'back' | 'not-made';
    readonly at: string;
  }[];
  /** What this operator would have sent by SMS or mail. */
  readonly codes: readonly ReceivedCode[];
  /** Decimal strings by currency: spent before it was taken back. */
  readonly owed: Readonly<Record<string, string>>;
  /** The cashier's calls to this site's own wallet, newest first. Absent: the cashier keeps the balance. */
  readonly walletCalls?: readonly {
    readonly id: string;
    readonly type: 'debit' | 'credit' | 'release';
    readonly reason: string;
    readonly amount: string;
    readonly currency: string;
    readonly result: 'done' | 'declined';
    readonly at: string;
  }[];
  readonly deposits: readonly {
    readonly depositId: string;
    readonly amount: string;
    readonly currency: string;
    readonly paymentMethod: string;
    readonly status: 'added' | 'taken-back' | 'not-paid' | 'in-review';
    readonly at: string;
    /** What a coin box gave, once it is credited. Decimal strings by coin. */
    readonly coins?: Readonly<Record<string, string>>;
    /** Bonus money as a decimal string, or free spins, once the deposit is credited. */
    readonly bonus?: { readonly amount: string } | { readonly spins: number };
  }[];
}

export class BackendError extends Error {
  override readonly name = 'BackendError';
  readonly status: number;

  constructor(status: number) {
    super(`The site's backend answered ${status}.`);
    this.status = status;
  }
}

/** What the SDK takes. */
type Bonuses = Parameters<Cashier['updateBonuses']>[0];

/** @throws BackendError for an answer that is not a success; TypeError when there is none */
async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const response = await fetch(path, {
    ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  });
  if (!response.ok) throw new BackendError(response.status);
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

export const backend = {
  site: () => ask<Site>('/api/site'),
  account: () => ask<Account>('/api/account'),
  signIn: (userId: string) => ask<Account>('/api/sign-in', { userId }),
  signOut: () => ask<void>('/api/sign-out', {}),
  startOver: () => ask<Account>('/api/start-over', {}),
  /** Loses a round of a game. */
  play: (currency: string) => ask<Account>('/api/play', { currency }),
  cashierToken: (request: { currency: string; country: string; locale: string }) =>
    ask<{ token: string }>('/api/cashier-token', request),
  bonuses: (query: { currency: string; locale: string }) =>
    ask<{ bonuses: Bonuses }>(`/api/bonuses?${new URLSearchParams(query)}`),
};
