/** The half of a provider's interface that pays out, from the kit. */
import type { WithdrawalReport as ProvidersReport } from '@opencashier/provider-kit';

export type { ProviderWithdrawal, ProviderWithdrawResult, WithdrawalProvider } from '@opencashier/provider-kit';

/** What a provider reported of a payout, and the operator's connection that reported it. The cashier sets the connection. */
export interface WithdrawalReport extends ProvidersReport {
  readonly connectionId?: string;
}
