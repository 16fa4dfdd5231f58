/** The package's only entry point. */
export { CashierApiError, CashierError, CashierUnavailableError, type FieldProblem } from './errors.ts';
export type * from './generated/operator-api.ts';
export type * from './generated/wallet.ts';
export type * from './generated/webhooks.ts';
export {
  type CallOptions,
  createOperatorClient,
  type OperatorClient,
  type OperatorClientOptions,
} from './operator-client.ts';
export {
  type IncomingHeaders,
  type VerifiedWebhook,
  type VerifyOptions,
  verifyWebhook,
  type WebhookRefusal,
  WebhookVerificationError,
} from './verify-webhook.ts';
export {
  handleWalletCall,
  type IncomingCall,
  type WalletDeclined,
  type WalletDone,
  type WalletHandlers,
  type WalletResponse,
} from './wallet-call.ts';
