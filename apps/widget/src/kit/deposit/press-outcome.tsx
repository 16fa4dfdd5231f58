import type { PaymentMethod } from '@opencashier/contract/api';
import type { Redirect } from '@opencashier/core/deposit/next-step';
import { ProviderLink } from '../link/provider-link.tsx';
import { CheckingPage } from '../status/checking-view.tsx';
import { DepositFacts } from './deposit-facts.tsx';

interface PressOutcomeProps {
  /** The browser blocked the payment window. Without it, the outcome of the press is not known. */
  readonly link: Redirect | undefined;
  readonly onFollow: () => void;
  readonly method: PaymentMethod;
  readonly amount: string | undefined;
  readonly currency: string;
  readonly depositId: string | undefined;
}

/**
 * What replaces the form after a press: a link to the provider, or "being checked, do not pay again". It is loaded with the engine,
 * because it is needed most when the network fails.
 */
export function PressOutcome({ link, onFollow, ...facts }: PressOutcomeProps) {
  if (link !== undefined) return <ProviderLink target={link} onFollow={onFollow} />;
  return <CheckingPage details={<DepositFacts {...facts} />} />;
}
