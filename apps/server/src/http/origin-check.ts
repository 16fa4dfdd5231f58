/** Which pages may talk to the cashier: its own, and those that the operator has registered. */
import type { CallContext } from '@opencashier/contract/api';
import type { Identity } from '../operators/identity.ts';
import type { Operators } from '../operators/operators.ts';

export interface OriginQuestion {
  /** The `Origin` header. */
  readonly origin: string;
  /** The `Host` header: what the browser believes to be talking to. */
  readonly host: string | undefined;
  readonly identity: Identity;
  readonly context: Pick<CallContext, 'partnerKey'>;
}

export type OriginCheck = (question: OriginQuestion) => Promise<boolean>;

/**
 * The widget's page is served by the cashier itself, so its origin is the cashier's own: the public address, or whatever
 * host this very request was sent to. Anything else must be an origin of the operator (SRV-1). `null` is nobody's origin.
 */
export function createOriginCheck(publicUrl: string, operators: Operators): OriginCheck {
  return async ({ origin, host, identity, context }) => {
    if (isOwnOrigin(origin, publicUrl, host)) return true;
    if (!URL.canParse(origin)) return false;
    const partnerKey = identity.kind === 'user' ? identity.caller.partnerKey : context.partnerKey;
    if (partnerKey === '') return false;
    const operator = await operators.byPartnerKey(partnerKey);
    return operator?.allowedOrigins.includes(origin) ?? false;
  };
}

/** Whether it is the cashier's own: by its public address, or by the host that the request was sent to. */
export function isOwnOrigin(origin: string, publicUrl: string, host: string | undefined): boolean {
  if (origin === new URL(publicUrl).origin) return true;
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
