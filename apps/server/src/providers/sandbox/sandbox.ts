/**
 * The sandbox: a payment company inside the cashier's process, for practice and tests. It has its own database tables and its own pay
 * page. It reports what happened by signed callbacks over HTTP alone, as a real company does (SRV-4). See docs/sandbox.md.
 */
import type { Clock } from '@opencashier/core/time/clock';
import { createWebhookSignatures } from '@opencashier/provider-kit';
import type { FastifyPluginAsync } from 'fastify';
import type { Database } from '../../database/database.ts';
import type { OpenAccount, OpenedAccount } from '../connection-kind.ts';
import type { Provider, RawCallback, VerifiedCallback } from '../provider.ts';
import { accountEndpoints, secretsOf } from './callbacks/account-endpoints.ts';
import { createCallbackDelivery, type SandboxLog } from './callbacks/callback-delivery.ts';
import { createCallbackOutbox } from './callbacks/callback-outbox.ts';
import { createCallbackSender } from './callbacks/callback-sender.ts';
import { createPages } from './pages/pages.ts';
import { createPaymentCalls } from './payment-calls.ts';
import { PROVIDER_NAME, readCallback } from './payments/callback-body.ts';
import { moodOf } from './payments/mood.ts';
import { createPaymentStore } from './payments/payment-store.ts';
import { createPayouts } from './payouts/payouts.ts';

export interface SandboxOptions {
  /** The setting SANDBOX. A cashier for real money must not offer this provider. */
  readonly isAllowed: boolean;
  /** The cashier's public address, which serves the pay page and takes the callbacks. */
  readonly publicUrl: string;
  /** The address for callbacks, where the server cannot reach its own public address. */
  readonly callbackUrl?: string;
  /** `whsec_…`, 24 to 64 bytes in base64. */
  readonly secret: string;
  /** Also valid, during a change of the secret. */
  readonly previousSecret?: string;
  /** The opened account of an operator's connection: its secret signs the callbacks of its payments. Absent: there is none. */
  readonly accountOf?: (connectionId: string) => Promise<OpenedAccount | undefined>;
  /** The name of the payee on the pay page. */
  readonly merchantName?: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: SandboxLog;
}

export interface Sandbox {
  /** It checks callbacks at once, in this process. */
  readonly provider: Omit<Provider, 'verify'> & { verify(callback: RawCallback): VerifiedCallback };
  /** The provider of an operator's own account. */
  readonly openAccount: OpenAccount;
  /** The website. It sends callbacks from the moment the server listens until the server closes. */
  readonly pages: FastifyPluginAsync;
  /** Looks for due callbacks at once, since the clock was moved. */
  lookAgain(): void;
  /** Sends the callbacks that are due and returns their number. For tests that move the clock themselves. */
  deliverDue(): Promise<number>;
}

export class SandboxForbiddenError extends Error {
  override readonly name = 'SandboxForbiddenError';

  constructor() {
    super('The sandbox provider is switched off by the configuration (SANDBOX)');
  }
}

/**
 * @throws SandboxForbiddenError when the configuration does not allow the sandbox
 * @throws RangeError when a secret has the wrong form
 * @throws TypeError when an address is not a URL
 */
export function createSandboxProvider(options: SandboxOptions): Sandbox {
  if (!options.isAllowed) throw new SandboxForbiddenError();
  const { clock, database, log } = options;
  const base = options.publicUrl.replace(/\/+$/, '');
  const url = new URL(options.callbackUrl ?? `${base}/providers/${PROVIDER_NAME}/callbacks`).href;
  const { secret, previousSecret, merchantName = 'Demo merchant' } = options;
  const signatures = createWebhookSignatures(previousSecret === undefined ? [secret] : [secret, previousSecret]);
  const outbox = createCallbackOutbox(database);
  const endpointOf = accountEndpoints({ url, signatures, accountOf: options.accountOf });
  const delivery = createCallbackDelivery({ outbox, endpointOf, clock, log });
  const { start, stop, wake } = createCallbackSender({ outbox, delivery, clock, log });
  const store = createPaymentStore(database);
  return {
    provider: {
      name: PROVIDER_NAME,
      ...createPaymentCalls({ store, clock, wake, base, merchantName }),
      verify: signatures.verify,
      read: readCallback,
      withdrawals: createPayouts({ database, clock, wake }),
    },
    openAccount({ connectionId, options: { merchantName: name = merchantName, mood }, ...secrets }) {
      return {
        name: PROVIDER_NAME,
        ...createPaymentCalls({
          store,
          clock,
          wake,
          base,
          merchantName: name,
          account: connectionId,
          mood: moodOf(mood),
        }),
        verify: createWebhookSignatures(secretsOf(secrets)).verify,
        read: readCallback,
        withdrawals: createPayouts({ database, clock, wake, account: connectionId }),
      };
    },
    pages: createPages({ store, clock, merchantName, wake, start, stop }),
    // Before every time, also where a round is planned by the time before the move.
    lookAgain: () => wake(0),
    deliverDue: delivery.deliverDue,
  };
}
