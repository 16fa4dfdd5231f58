/** The interface of a provider. It is published for providers outside this repository, so the kit holds its only copy. */
export {
  type DepositReport,
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
