/**
 * Every call of the specification (§7), by name. The widget imports single calls; servers and generators import this list.
 */
import { balancesGet } from './calls/balances-get.ts';
import { bankGet } from './calls/bank-get.ts';
import { depositCancel } from './calls/deposit-cancel.ts';
import { depositCheck } from './calls/deposit-check.ts';
import { depositComplete } from './calls/deposit-complete.ts';
import { depositCreate } from './calls/deposit-create.ts';
import { depositCreateP2p } from './calls/deposit-create-p2p.ts';
import { depositCreateSweepstake } from './calls/deposit-create-sweepstake.ts';
import { depositLimits } from './calls/deposit-limits.ts';
import { depositPrepare } from './calls/deposit-prepare.ts';
import { depositStatus } from './calls/deposit-status.ts';
import { events } from './calls/events.ts';
import { externalDepositContinue } from './calls/external-deposit-continue.ts';
import { methodsCountrySelectorV2 } from './calls/methods-country-selector-v2.ts';
import { methodsPaymentV3 } from './calls/methods-payment-v3.ts';
import { methodsPaymentV5 } from './calls/methods-payment-v5.ts';
import { methodsWithdrawal } from './calls/methods-withdrawal.ts';
import { methodsWithdrawalV4 } from './calls/methods-withdrawal-v4.ts';
import { paymentConvertV2 } from './calls/payment-convert-v2.ts';
import { payoutAccountRemove } from './calls/payout-account-remove.ts';
import { payoutAccountsGet } from './calls/payout-accounts-get.ts';
import { sessionFormOnCloseModal } from './calls/session-form-on-close-modal.ts';
import { sessionStart } from './calls/session-start.ts';
import { sweepstakeBalanceGet } from './calls/sweepstake-balance-get.ts';
import { sweepstakeBoxes } from './calls/sweepstake-boxes.ts';
import { sweepstakeRecoupSum } from './calls/sweepstake-recoup-sum.ts';
import { withdrawalCancel } from './calls/withdrawal-cancel.ts';
import { withdrawalCheck } from './calls/withdrawal-check.ts';
import { withdrawalCodeSend } from './calls/withdrawal-code-send.ts';
import { withdrawalConfirm } from './calls/withdrawal-confirm.ts';
import { withdrawalCreate } from './calls/withdrawal-create.ts';
import { withdrawalStatus } from './calls/withdrawal-status.ts';

export const calls = {
  'balances-get': balancesGet,
  'bank-get': bankGet,
  'deposit-cancel': depositCancel,
  'deposit-check': depositCheck,
  'deposit-complete': depositComplete,
  'deposit-create': depositCreate,
  'deposit-create-p2p': depositCreateP2p,
  'deposit-create-sweepstake': depositCreateSweepstake,
  'deposit-limits': depositLimits,
  'deposit-prepare': depositPrepare,
  'deposit-status': depositStatus,
  events: events,
  'external-deposit-continue': externalDepositContinue,
  'methods-country-selector-v2': methodsCountrySelectorV2,
  'methods-payment-v3': methodsPaymentV3,
  'methods-payment-v5': methodsPaymentV5,
  'methods-withdrawal': methodsWithdrawal,
  'methods-withdrawal-v4': methodsWithdrawalV4,
  'payment-convert-v2': paymentConvertV2,
  'payout-account-remove': payoutAccountRemove,
  'payout-accounts-get': payoutAccountsGet,
  'session-form-on-close-modal': sessionFormOnCloseModal,
  'session-start': sessionStart,
  'sweepstake-balance-get': sweepstakeBalanceGet,
  'sweepstake-boxes': sweepstakeBoxes,
  'sweepstake-recoup-sum': sweepstakeRecoupSum,
  'withdrawal-cancel': withdrawalCancel,
  'withdrawal-check': withdrawalCheck,
  'withdrawal-code-send': withdrawalCodeSend,
  'withdrawal-confirm': withdrawalConfirm,
  'withdrawal-create': withdrawalCreate,
  'withdrawal-status': withdrawalStatus,
} as const;
export type CallName = keyof typeof calls;
