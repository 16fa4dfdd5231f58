/** Every call that this server answers. A call of the contract that is not here is answered with `not-implemented`. */

import { depositCancelHandler } from './deposits/deposit-cancel.ts';
import { depositCheckHandler } from './deposits/deposit-check.ts';
import { depositCompleteHandler } from './deposits/deposit-complete.ts';
import { depositCreateHandler } from './deposits/deposit-create.ts';
import { depositCreateP2pHandler } from './deposits/deposit-create-p2p.ts';
import { depositCreateSweepstakeHandler } from './deposits/deposit-create-sweepstake.ts';
import { depositLimitsHandler } from './deposits/deposit-limits.ts';
import { depositPrepareHandler } from './deposits/deposit-prepare.ts';
import { depositStatusHandler } from './deposits/deposit-status.ts';
import { externalDepositContinueHandler } from './deposits/external-deposit-continue.ts';
import type { CallHandler } from './handler/call.ts';
import { bankGetHandler } from './methods/bank-get.ts';
import { methodsCountrySelectorV2Handler } from './methods/methods-country-selector-v2.ts';
import { methodsPaymentV3Handler } from './methods/methods-payment-v3.ts';
import { methodsPaymentV5Handler } from './methods/methods-payment-v5.ts';
import { methodsWithdrawalHandler } from './methods/methods-withdrawal.ts';
import { methodsWithdrawalV4Handler } from './methods/methods-withdrawal-v4.ts';
import { balancesGetHandler } from './session/balances-get.ts';
import { eventsHandler } from './session/events.ts';
import { sessionFormOnCloseModalHandler } from './session/session-form-on-close-modal.ts';
import { sessionStartHandler } from './session/session-start.ts';
import { paymentConvertV2Handler } from './sweepstake/payment-convert-v2.ts';
import { sweepstakeBalanceGetHandler } from './sweepstake/sweepstake-balance-get.ts';
import { sweepstakeBoxesHandler } from './sweepstake/sweepstake-boxes.ts';
import { sweepstakeRecoupSumHandler } from './sweepstake/sweepstake-recoup-sum.ts';
import { payoutAccountRemoveHandler } from './withdrawals/payout-account-remove.ts';
import { payoutAccountsGetHandler } from './withdrawals/payout-accounts-get.ts';
import { withdrawalCancelHandler } from './withdrawals/withdrawal-cancel.ts';
import { withdrawalCheckHandler } from './withdrawals/withdrawal-check.ts';
import { withdrawalCodeSendHandler } from './withdrawals/withdrawal-code-send.ts';
import { withdrawalConfirmHandler } from './withdrawals/withdrawal-confirm.ts';
import { withdrawalCreateHandler } from './withdrawals/withdrawal-create.ts';
import { withdrawalStatusHandler } from './withdrawals/withdrawal-status.ts';

const all: readonly CallHandler[] = [
  balancesGetHandler,
  bankGetHandler,
  depositCancelHandler,
  depositCheckHandler,
  depositCompleteHandler,
  depositCreateHandler,
  depositCreateP2pHandler,
  depositCreateSweepstakeHandler,
  depositLimitsHandler,
  depositPrepareHandler,
  depositStatusHandler,
  eventsHandler,
  externalDepositContinueHandler,
  methodsCountrySelectorV2Handler,
  methodsPaymentV3Handler,
  methodsPaymentV5Handler,
  methodsWithdrawalHandler,
  methodsWithdrawalV4Handler,
  paymentConvertV2Handler,
  sessionFormOnCloseModalHandler,
  sessionStartHandler,
  sweepstakeBalanceGetHandler,
  sweepstakeBoxesHandler,
  sweepstakeRecoupSumHandler,
  withdrawalCancelHandler,
  withdrawalCheckHandler,
  withdrawalCodeSendHandler,
  withdrawalConfirmHandler,
  withdrawalCreateHandler,
  payoutAccountRemoveHandler,
  payoutAccountsGetHandler,
  withdrawalStatusHandler,
];

/** By the call's name. */
export const handlers: ReadonlyMap<string, CallHandler> = new Map(all.map((handler) => [handler.call.name, handler]));
