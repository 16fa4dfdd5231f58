/** Which pages may call the cashier: its own pages, and pages on origins that the operator has registered. */
import type { CallContext } from '@opencashier/contract/api';
import type { Identity } from '../operators/identity.ts';
import type { Operators } from '../operators/operators.ts';

export interface OriginQuestion {
  /** The `Origin` header. */
  readonly origin: string;
  /** The `Host` header: the host that the browser calls. */
  readonly host: string | undefined;
  readonly identity: Identity;
  readonly context: Pick<CallContext, 'partnerKey'>;
}

export type OriginCheck = (question: OriginQuestion) => Promise<boolean>;

/**
 * The cashier itself serves the widget's page, so the page has the cashier's origin: the public address, or the host of this
 * request. Any other origin must be registered by the operator (SRV-1). `null` is never allowed.
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

/** Whether an origin is the cashier's own: its public address, or the host of the request. */
export function isOwnOrigin(origin: string, publicUrl: string, host: string | undefined): boolean {
  if (origin === new URL(publicUrl).origin) return true;
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
