/** The half of a provider's interface that pays out, from the kit. */
export type {
  ProviderWithdrawal,
  ProviderWithdrawResult,
  WithdrawalProvider,
  WithdrawalReport,
} from '@opencashier/provider-kit';
