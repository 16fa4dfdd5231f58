/** The ports that deposits, payments and withdrawals share, and how they wake the workers. */
import type { Clock } from '@opencashier/core/time/clock';
import type { Bonuses } from '../bonuses/bonuses.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Database } from '../database/database.ts';
import type { Spans } from '../observability/spans.ts';
import type { CodeChannelOf } from '../operators/code-policy.ts';
import type { LimitsOf } from '../operators/limit-overrides.ts';
import type { PushSender } from '../outbox/queued-push.ts';
import type { DataKeys } from '../sealing/data-keys.ts';
import type { Redemptions } from '../sweepstake/redemptions.ts';
import type { CaptchaGate } from './captcha.ts';
import type { Accounts } from './connected-providers.ts';
import type { Failpoint } from './failpoints.ts';
import type { CheckPayee } from './payee-check.ts';
import type { PaymentRoutes } from './payment-routes.ts';

/** Sends a push to every socket of a user, on every node. Best effort: the widget asks again anyway. */
export interface Pusher {
  push(operatorId: string, userId: string, name: string, body: unknown): Promise<void> | void;
}

/** The part of a logger that payments need. Fields hold ids, codes and times, never request bodies. */
export interface PaymentsLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The settings and ports of the folders about payments. */
export interface PaymentsOptions extends Accounts {
  readonly database: Database;
  readonly clock: Clock;
  /** The machine's time, which others see. It differs from `clock` in a sandbox whose clock was moved. Absent: `clock`. */
  readonly machineClock?: Clock | undefined;
  readonly catalogue: Catalogue;
  readonly limitsOf: LimitsOf;
  /**
   * Key of hashes that must not be readable in the database, such as confirmation codes. All nodes of a database
   * share the secret.
   */
  readonly secret: string;
  /** Encrypts data that is stored for long, such as saved accounts, and hashes destinations. */
  readonly dataKeys: DataKeys;
  /** The channel of the confirmation code that an operator requires; absent: only the methods decide. */
  readonly codeChannelOf?: CodeChannelOf;
  /** Checks the captcha of methods that require one (ERR-5). */
  readonly captcha: CaptchaGate;
  /** Asks banks for the names of payees. Absent: no payee is checked. */
  readonly checkPayee?: CheckPayee | undefined;
  /** Token contracts in the settings of chains, in addition to the well-known ones. No payout goes to a contract. */
  readonly tokenContracts?: readonly string[];
  readonly pusher: Pusher;
  /** Computes payouts of redeemed sweep coins; absent: redemption is off. */
  readonly redemptions?: Redemptions;
  /** The routes of the operators. Absent: each payment uses the account of its method's provider. */
  readonly routes?: PaymentRoutes;
  /** The bonuses of the operators. */
  readonly bonuses: Bonuses;
  readonly logger: PaymentsLogger;
  /**
   * The address to which the provider sends the payer back. The wanted address, if the operator registered its
   * origin; otherwise a page of the cashier.
   */
  returnUrlOf(operatorId: string, wanted: string | undefined): string;
  /** Allows webhooks over http, for development only. Default false. */
  readonly allowInsecureWebhooks?: boolean;
  /** Absent: no traces. */
  readonly spans?: Spans;
  /** For crash tests: called at each failpoint. An error that it throws ends the work there, like a crash. */
  readonly failpoint?: (name: Failpoint) => void;
}

/** The ports of the folders about payments, with the wake-up calls of their workers. */
export interface PaymentsCore extends PaymentsOptions {
  readonly spans: Spans;
  /** Sends the pushes that this node's transactions have leased to it. */
  readonly pushes: PushSender;
  /** Wakes the workers after a commit that queued a message or left an event to retry. */
  onChange(): void;
  /**
   * Asks the operator's wallet about a stored call at once, and books the outcome if it is certain. Ends after the time limit of the call;
   * a worker repeats a call whose outcome is unknown.
   */
  askWallet(call: { readonly operatorId: string; readonly id: string }): Promise<void>;
}

/** Options of a cancel by the user. */
export interface CancelOptions {
  /** True: a payment that the server knows stays as it is. Only an unknown key is voided. */
  readonly ifUnknown?: boolean;
}
