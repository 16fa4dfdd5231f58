/** What deposits, payments and withdrawals share: their ports, and how they wake the workers. */
import type { Clock } from '@opencashier/core/time/clock';
import type { Bonuses } from '../bonuses/bonuses.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Database } from '../database/database.ts';
import type { Spans } from '../observability/spans.ts';
import type { CodeChannelOf } from '../operators/code-policy.ts';
import type { LimitsOf } from '../operators/limit-overrides.ts';
import type { Provider } from '../providers/provider.ts';
import type { DataKeys } from '../sealing/data-keys.ts';
import type { Redemptions } from '../sweepstake/redemptions.ts';
import type { CaptchaGate } from './captcha.ts';
import type { Failpoint } from './failpoints.ts';

/** Hands a push to every socket of a user, on whichever node. Best effort: a push is a hint. */
export interface Pusher {
  push(operatorId: string, userId: string, name: string, body: unknown): Promise<void> | void;
}

/** The part of a logger that payments need. Fields hold ids, codes and times; never bodies. */
export interface PaymentsLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface PaymentsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly limitsOf: LimitsOf;
  /** Keys what must not lie readable in the database, such as confirmation codes; nodes that share a database share it. */
  readonly secret: string;
  /** Encrypts what is kept for long, such as saved accounts, and marks destinations. */
  readonly dataKeys: DataKeys;
  /** Which withdrawals the operator wants confirmed by a code; absent: those alone whose method says so. */
  readonly codeChannelOf?: CodeChannelOf;
  /** Asked for methods that want a captcha (ERR-5). */
  readonly captcha: CaptchaGate;
  /** Contracts of the tokens that the settings of chains name: nothing is paid out to one. Absent: the usual ones alone are known. */
  readonly tokenContracts?: readonly string[];
  /** By name. */
  readonly providers: ReadonlyMap<string, Provider>;
  readonly pusher: Pusher;
  /** What arrives of redeemed sweep coins; absent: none are redeemed. */
  readonly redemptions?: Redemptions;
  /** What the operators offer; absent: nothing. */
  readonly bonuses?: Bonuses;
  readonly logger: PaymentsLogger;
  /**
   * Where a person comes back to from the provider: the wanted address if the operator has registered its origin, else a page
   * of the cashier's own.
   */
  returnUrlOf(operatorId: string, wanted: string | undefined): string;
  /** Allows web-hooks over http; for development only. Default false. */
  readonly allowInsecureWebhooks?: boolean;
  /** Absent: no traces. */
  readonly spans?: Spans;
  /** For tests of crashes: called at named points; what it throws ends the work there as a crash would. */
  readonly failpoint?: (name: Failpoint) => void;
}

export interface PaymentsCore extends PaymentsOptions {
  readonly spans: Spans;
  /** Wakes the workers after a commit that left something to tell or to try again. */
  onChange(): void;
  /** Wakes the reader of call-backs: one has just been stored. */
  onCallback(): void;
}
