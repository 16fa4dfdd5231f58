/** The package's door. */
export { type Cashier, type CashierOptions, createCashier } from './cashier.ts';
export type { CashierCallbacks, CashierEventName, CashierEvents, CashierListener, LoggedMessage } from './events.ts';
