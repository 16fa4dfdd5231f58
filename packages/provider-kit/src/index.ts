/** The interface between the cashier and a payment provider, and what a provider's code needs. */
export { type JsonRecord, numberIn, recordOf, recordsOf, textIn, timeIn } from './company-json.ts';
export { askCompany, type CompanyAnswer, type CompanyRequest } from './company-request.ts';
export { type CreateProvider, checkProvider, type ProviderSetup } from './create-provider.ts';
export type {
  ChainReport,
  DeclineCause,
  DepositData,
  DepositDeclineCause,
  PaymentReport,
  RedirectForm,
} from './generated/payment-types.ts';
export { createHmacVerifier, type HmacParts, type HmacScheme } from './hmac-signature.ts';
export {
  KIT_VERSION,
  ManifestError,
  OPTIONAL_METHODS,
  type OptionalMethod,
  type ProviderAccounts,
  type ProviderManifest,
  readManifest,
} from './manifest.ts';
export {
  cashierDecimals,
  fromCompanyUnits,
  fromDecimalText,
  isoDecimals,
  toCompanyUnits,
  toDecimalText,
} from './money-units.ts';
export {
  type DepositReport,
  MODE_REPORTS,
  type PaidCard,
  type Provider,
  type ProviderContinueResult,
  type ProviderCreateResult,
  type ProviderDeposit,
  type ProviderInputResult,
  type ProviderRefund,
  type ProviderRefundResult,
  type RawCallback,
  type VerifiedCallback,
} from './provider.ts';
export { isSameSecret, messageSignature, signingKeyOf } from './signatures.ts';
export { createWebhookSignatures, type WebhookSignatures } from './standard-webhooks.ts';
export {
  type ListAnswer,
  ListError,
  type ListedTransaction,
  type ListQuery,
  MOST_LISTED,
  readListAnswer,
  TRANSACTION_KINDS,
  type TransactionKind,
} from './transaction-list.ts';
export type {
  PayoutRefund,
  ProviderWithdrawal,
  ProviderWithdrawResult,
  WithdrawalProvider,
  WithdrawalReport,
} from './withdrawal-provider.ts';
