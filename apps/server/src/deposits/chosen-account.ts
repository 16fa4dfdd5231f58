/** The account for a new deposit: by the route of its method, or the account of the method's provider (SRV-4). */
import type { CandidateKey, RoutedPayment, RoutingDecision } from '@opencashier/core/routing/route';
import { type Accounts, type ChosenAccount, chooseAccount } from '../payment-ports/connected-providers.ts';
import type { PaymentRoutes } from '../payment-ports/payment-routes.ts';

type Options = Readonly<Record<string, string>>;

/** How a route chose the account of a deposit, and what the next accounts need. */
export interface RoutedChoice {
  readonly decision: RoutingDecision;
  /** The candidate of the account. Absent: shadow mode, in which the decision is only stored. */
  readonly key?: CandidateKey;
  /** What a provider gets, unless the candidate has options of its own. */
  readonly methodOptions: Options;
}

export interface AccountChoice {
  readonly account: ChosenAccount;
  /** What the provider of the account gets. */
  readonly options: Options;
  /** Absent: the method has no route. */
  readonly route?: RoutedChoice;
}

interface RoutedMethod {
  readonly provider: string;
  readonly providerOptions?: Options;
}

/** Chooses the account. Undefined: none takes the payment. */
export function accountForDeposit(
  { routes, ...accounts }: Accounts & { readonly routes?: PaymentRoutes },
  { provider, providerOptions: methodOptions = {} }: RoutedMethod,
  payment: RoutedPayment,
): AccountChoice | undefined {
  const decision = routes?.decide(payment);
  if (routes === undefined || decision === undefined || decision.isShadow) {
    const account = chooseAccount(accounts, payment.operatorId, provider, payment.currency);
    const shadow = decision && { route: { decision, methodOptions } };
    return account && { account, options: methodOptions, ...shadow };
  }
  for (const key of decision.order) {
    const account = routes.accountOf(payment.operatorId, key);
    if (account === undefined) continue;
    return {
      account,
      options: candidateOptions(decision, key) ?? methodOptions,
      route: { decision, key, methodOptions },
    };
  }
  return undefined;
}

/** What the provider of a candidate gets in place of the method's options. Undefined: those of the method. */
export function candidateOptions({ inputs }: RoutingDecision, wanted: CandidateKey): Options | undefined {
  return inputs.route.candidates.find(({ key }) => key === wanted)?.options;
}
