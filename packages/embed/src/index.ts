/** The package's only entry point. */
export { type Cashier, createCashier } from './cashier.ts';
export type {
  CashierCallbacks,
  CashierEventName,
  CashierEvents,
  CashierListener,
  CashierProblem,
  LoggedMessage,
} from './events.ts';
export type { CashierOptions } from './options.ts';
export type { DepositOutcome, PaymentRequest, WithdrawalOutcome } from './payments.ts';
