/** What the life of a deposit needs of the routes of operators (SRV-4): a decision, the account of each candidate, and its health. */
import type { TryOutcome } from '@opencashier/core/routing/account-health';
import type { CandidateKey, RoutedPayment, RoutingDecision } from '@opencashier/core/routing/route';
import type { ChosenAccount } from './connected-providers.ts';

/** The routes of operators. Nothing here waits: a create call asks for each deposit. */
export interface PaymentRoutes {
  /** Decides which accounts a payment tries, and in which order. Undefined: its method has no route. */
  decide(payment: RoutedPayment): RoutingDecision | undefined;
  /** The account of a candidate, by the settings that this node knows. Undefined: it takes no payment now. */
  accountOf(operatorId: string, key: CandidateKey): ChosenAccount | undefined;
  /** A try begins. @returns tells how it ended */
  begin(operatorId: string, key: CandidateKey): (outcome: TryOutcome) => void;
  /** Reads the routes of an operator again. */
  follow(operatorId: string): Promise<void>;
}
