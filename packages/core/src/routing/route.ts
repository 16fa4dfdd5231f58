/**
 * Routes: which of an operator's accounts take the deposits of one method, and in which order (SRV-4). All types are plain data: a
 * decision is stored as JSON and decided again from it.
 */
import type { FeeRule } from '@opencashier/contract/api';
import type { RouteSettings } from '@opencashier/contract/operator';

/**
 * - `priority`: by priority. Candidates of one priority share the payments by their `share`.
 * - `volume`: by `share` alone.
 * - `cost`: the lowest cost of the payment first.
 * - `currency`: the accounts that settle the currency without a conversion first.
 * - `success-rate`: the highest share of accepted tries first; a small share of the payments explores the others.
 */
export type RouteStrategy = RouteSettings['strategy'];

/** The name of a candidate: the id of a connection, or {@link installationKey}. */
export type CandidateKey = string;

const INSTALLATION = 'installation/';

/** The key of a provider's account in the settings of the server, which belongs to no operator. */
export function installationKey(provider: string): CandidateKey {
  return `${INSTALLATION}${provider}`;
}

/** One account that a route may use. */
export interface RouteCandidate {
  readonly key: CandidateKey;
  readonly provider: string;
  /** 1 is tried first. */
  readonly priority: number;
  /** Its share of the payments, in relation to those of the others. 0: only after the others. */
  readonly share: number;
  /** What the provider charges, by currency. A currency without an entry counts as the highest cost. */
  readonly costs?: Readonly<Record<string, Omit<FeeRule, 'paidBy'>>> | undefined;
  /** The only currencies that go to the account. Absent: all that it takes. */
  readonly currencies?: readonly string[] | undefined;
  /** The currencies that the account settles without a conversion. Absent: none is known. */
  readonly settles?: readonly string[] | undefined;
  /** The only countries of payers that go to the account. Absent: all. */
  readonly countries?: readonly string[] | undefined;
  /** Decimal strings by currency. Absent: the limits of the method alone. */
  readonly limits?:
    | Readonly<Record<string, { readonly min?: string | undefined; readonly max?: string | undefined }>>
    | undefined;
  /** What the provider gets in place of the method's own options. Absent: the method's. */
  readonly options?: Readonly<Record<string, string>> | undefined;
}

/** How the deposits of one method are routed. */
export interface Route {
  readonly method: string;
  readonly strategy: RouteStrategy;
  /** With `success-rate`: the percentage of payments that begin with another account than the best, 0 to 20. */
  readonly exploration: number;
  /** True: decisions are stored, and the account is chosen as without a route. */
  readonly isShadow: boolean;
  /** How many accounts one payment may try. */
  readonly mostTries: number;
  /** `stop`: a decline ends the deposit. `next`: a decline without a cause that the payer can change is tried at the next account. */
  readonly afterDecline: 'stop' | 'next';
  readonly candidates: readonly RouteCandidate[];
}

/** Why a candidate takes no payment now, whatever the payment is. `available`: nothing speaks against it. */
export type Availability =
  | 'available'
  | 'disabled'
  | 'other-mode'
  | 'not-set-up'
  | 'currency'
  | 'own-account'
  | 'no-connection';

/** What a decision needs to know of a candidate's health. See `account-health.ts`. */
export interface HealthFacts {
  /**
   * - `well`: used as the strategy says.
   * - `demoted`: it failed. Tried only after all others.
   * - `probing`: its pause is over. A small share of the payments tries it first, the others try it last.
   */
  readonly phase: 'well' | 'demoted' | 'probing';
  /** The number of remembered tries that ended. */
  readonly tries: number;
  /** How many of them the provider accepted. */
  readonly accepted: number;
  /** True: too many tries of this node wait for an answer. Tried after those that answer. */
  readonly isSilent: boolean;
}

/** A payment that needs an account. */
export interface RoutedPayment {
  readonly operatorId: string;
  readonly method: string;
  readonly currency: string;
  /** A canonical decimal string of `currency`, such as `25.00`. */
  readonly amount: string;
  /** ISO 3166-1 alpha-2. Of the payer, as the request or the token says. */
  readonly country: string;
  /** The id of the deposit. Each random-looking choice is a function of it. */
  readonly seed: string;
}

/** The facts about one candidate at the time of the decision. */
export interface CandidateFacts {
  readonly key: CandidateKey;
  readonly availability: Availability;
  readonly health: HealthFacts;
}

/** Everything that a decision depends on. */
export interface RoutingInputs {
  readonly route: Route;
  /** The version of the operator's routes that `route` is from. */
  readonly policyVersion: number;
  readonly payment: RoutedPayment;
  /** One for each candidate of the route. A candidate without facts counts as not set up. */
  readonly facts: readonly CandidateFacts[];
}

/** Why a candidate cannot take the payment. */
export type Rejection = Exclude<Availability, 'available'> | 'country' | 'amount-min' | 'amount-max';

/** What placed a candidate. */
export interface Placement {
  readonly key: CandidateKey;
  /**
   * `strategy`: as the strategy says. `exploration`, `probe`: first, although the strategy says otherwise.
   * `silent`, `recovering`, `demoted`: after those that are well.
   */
  readonly because: 'strategy' | 'exploration' | 'probe' | 'silent' | 'recovering' | 'demoted';
  /** The estimated cost in minor units of the payment's currency, as a decimal integer. Null: it is not known. */
  readonly cost: string | null;
  /** The estimated share of tries that the provider accepts, 0 to 1. */
  readonly successRate: number;
}

/** The answer of `decide`. It is stored with the deposit, and `replay` decides again from it. */
export interface RoutingDecision {
  /** The candidates in the order in which they are tried. Empty: no account takes the payment. */
  readonly order: readonly CandidateKey[];
  /** For each candidate of `order`, in the same order. */
  readonly reasons: readonly Placement[];
  readonly rejected: readonly { readonly key: CandidateKey; readonly because: Rejection }[];
  readonly strategy: RouteStrategy;
  /** True: stored only. The account was chosen as without a route. */
  readonly isShadow: boolean;
  readonly policyVersion: number;
  readonly seed: string;
  readonly inputs: RoutingInputs;
}
