/** The package's only entry point. */
export { type BonusHandlers, handleBonusCall } from './bonus-call.ts';
export { CashierApiError, CashierError, CashierUnavailableError, type FieldProblem } from './errors.ts';
export type * from './generated/bonuses.ts';
export type * from './generated/operator-api.ts';
export type * from './generated/wallet.ts';
export type * from './generated/webhooks.ts';
export {
  type CallOptions,
  createOperatorClient,
  type OperatorClient,
  type OperatorClientOptions,
} from './operator-client.ts';
export type { CallResponse, IncomingCall } from './signed-call.ts';
export {
  type IncomingHeaders,
  type RawBody,
  type VerifiedWebhook,
  type VerifyOptions,
  verifyWebhook,
  type WebhookRefusal,
  WebhookVerificationError,
} from './verify-webhook.ts';
export {
  handleWalletCall,
  type WalletDeclined,
  type WalletDone,
  type WalletHandlers,
  type WalletResponse,
} from './wallet-call.ts';
