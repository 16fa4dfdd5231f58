/** The interface of a provider. It is published for providers outside this repository, so the kit holds its only copy. */
import type { Provider as KitProvider, DepositReport as ProvidersReport } from '@opencashier/provider-kit';

export {
  MODE_REPORTS,
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

/** A provider, as the cashier asks it. */
export interface Provider extends KitProvider {
  /**
   * The account of the installation, whose calls count as those of one operator: in its share, and after a crash of a package's process.
   * Absent: it does not matter whose calls they are.
   */
  readonly forOperator?: (operatorId: string) => Provider;
}
