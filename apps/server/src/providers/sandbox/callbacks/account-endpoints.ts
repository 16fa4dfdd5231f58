/** Where the callbacks of a payment go, and what signs them: by the account that the payment belongs to. */

import { createWebhookSignatures, type WebhookSignatures } from '@opencashier/provider-kit';
import type { OpenedAccount } from '../../connection-kind.ts';

interface Endpoint {
  readonly url: string;
  readonly signatures: WebhookSignatures;
}

/** @returns undefined when the account cannot be opened now */
export type EndpointOf = (account: string | null) => Promise<Endpoint | undefined>;

interface EndpointParts extends Endpoint {
  readonly accountOf: ((connectionId: string) => Promise<OpenedAccount | undefined>) | undefined;
}

const CALLBACKS = /\/callbacks$/;

/** @param parts the endpoint of the account in the settings of the server, and the accounts of operators */
export function accountEndpoints({ url, signatures, accountOf }: EndpointParts): EndpointOf {
  return async (account) => {
    if (account === null) return { url, signatures };
    const opened = await accountOf?.(account);
    if (opened === undefined) return undefined;
    return {
      url: url.replace(CALLBACKS, `/${account}/callbacks`),
      signatures: createWebhookSignatures(secretsOf(opened).slice(0, 1)),
    };
  };
}

/** The secrets of an account, the newest first. */
export function secretsOf({ secrets, oldSecrets }: Pick<OpenedAccount, 'secrets' | 'oldSecrets'>): string[] {
  return [secrets, oldSecrets].flatMap((each) => each?.['callbackSecret'] ?? []);
}
