/** The package's only entry point. */
export { type Cashier, type CashierOptions, createCashier } from './cashier.ts';
export type {
  CashierCallbacks,
  CashierEventName,
  CashierEvents,
  CashierListener,
  CashierProblem,
  LoggedMessage,
} from './events.ts';
export type { DepositOutcome, PaymentRequest, WithdrawalOutcome } from './payments.ts';
