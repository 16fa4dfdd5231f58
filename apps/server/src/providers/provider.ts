/** The interface of a provider. It is published for providers outside this repository, so the kit holds its only copy. */
import type { DepositReport as ProvidersReport } from '@opencashier/provider-kit';

export {
  MODE_REPORTS,
  type Provider,
  type ProviderContinueResult,
  type ProviderCreateResult,
  type ProviderDeposit,
  type ProviderInputResult,
  type ProviderRefund,
  type ProviderRefundResult,
  type RawCallback,
  type VerifiedCallback,
} from '@opencashier/provider-kit';

/** What a provider reported, and the operator's connection that reported it. The cashier sets the connection. */
export interface DepositReport extends ProvidersReport {
  readonly connectionId?: string;
}
