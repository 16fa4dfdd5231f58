/** What an operator's backend asks the cashier for: a short-lived user token (SRV-1), and the bonuses of a user (BON-1). */

export interface TokenRequest {
  readonly userId: string;
  readonly currency: string;
  readonly country: string;
  readonly locale: string;
}

export interface UserToken {
  readonly token: string;
  readonly expiresAt: string | number;
}

export class CashierUnavailable extends Error {
  override readonly name = 'CashierUnavailable';
}

export type MintToken = (request: TokenRequest) => Promise<UserToken>;

/** The bonuses that a user can have now, as the widget takes them. */
export type AskBonuses = (request: {
  readonly userId: string;
  readonly currency: string;
  /** In which their titles are said. */
  readonly locale: string;
}) => Promise<readonly unknown[]>;

const patienceMs = 10_000;

/** @throws (from the answered function) CashierUnavailable when the cashier is away, refuses or answers nonsense */
export function createMintToken(cashierUrl: string, operatorKey: string): MintToken {
  return async (request) => {
    let response: Response;
    let body: unknown;
    try {
      response = await fetch(`${cashierUrl}/operator/v1/user-tokens`, {
        method: 'POST',
        headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(request),
        signal: AbortSignal.timeout(patienceMs),
        // The key goes to the configured address and to no other.
        redirect: 'error',
      });
      body = await response.json();
    } catch (cause) {
      throw new CashierUnavailable('The cashier did not answer.', { cause });
    }
    const { token, expiresAt } = (body ?? {}) as Partial<UserToken>;
    if (!response.ok || typeof token !== 'string' || expiresAt === undefined) {
      throw new CashierUnavailable(`The cashier answered ${response.status}.`);
    }
    return { token, expiresAt };
  };
}

/** @throws (from the answered function) CashierUnavailable when the cashier is away, refuses or answers nonsense */
export function createAskBonuses(cashierUrl: string, operatorKey: string): AskBonuses {
  return async ({ userId, ...query }) => {
    let response: Response;
    let body: unknown;
    try {
      const path = `/operator/v1/users/${encodeURIComponent(userId)}/bonuses?${new URLSearchParams(query)}`;
      response = await fetch(`${cashierUrl}${path}`, {
        headers: { authorization: `Bearer ${operatorKey}` },
        signal: AbortSignal.timeout(patienceMs),
        redirect: 'error',
      });
      body = await response.json();
    } catch (cause) {
      throw new CashierUnavailable('The cashier did not answer.', { cause });
    }
    const { bonuses } = (body ?? {}) as { bonuses?: unknown };
    if (!response.ok || !Array.isArray(bonuses))
      throw new CashierUnavailable(`The cashier answered ${response.status}.`);
    return bonuses;
  };
}
