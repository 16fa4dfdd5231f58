/** Every call that this server answers. A call of the contract that is not here is answered with `not-implemented`. */
import { balancesGetHandler } from './balances-get.ts';
import { bankGetHandler } from './bank-get.ts';
import type { CallHandler } from './call.ts';
import { depositCancelHandler } from './deposit-cancel.ts';
import { depositCheckHandler } from './deposit-check.ts';
import { depositCompleteHandler } from './deposit-complete.ts';
import { depositCreateHandler } from './deposit-create.ts';
import { depositCreateP2pHandler } from './deposit-create-p2p.ts';
import { depositCreateSweepstakeHandler } from './deposit-create-sweepstake.ts';
import { depositLimitsHandler } from './deposit-limits.ts';
import { depositPrepareHandler } from './deposit-prepare.ts';
import { depositStatusHandler } from './deposit-status.ts';
import { eventsHandler } from './events.ts';
import { externalDepositContinueHandler } from './external-deposit-continue.ts';
import { methodsCountrySelectorV2Handler } from './methods-country-selector-v2.ts';
import { methodsPaymentV3Handler } from './methods-payment-v3.ts';
import { methodsPaymentV5Handler } from './methods-payment-v5.ts';
import { methodsWithdrawalHandler } from './methods-withdrawal.ts';
import { methodsWithdrawalV4Handler } from './methods-withdrawal-v4.ts';
import { paymentConvertV2Handler } from './payment-convert-v2.ts';
import { payoutAccountRemoveHandler } from './payout-account-remove.ts';
import { payoutAccountsGetHandler } from './payout-accounts-get.ts';
import { sessionFormOnCloseModalHandler } from './session-form-on-close-modal.ts';
import { sessionStartHandler } from './session-start.ts';
import { sweepstakeBalanceGetHandler } from './sweepstake-balance-get.ts';
import { sweepstakeBoxesHandler } from './sweepstake-boxes.ts';
import { sweepstakeRecoupSumHandler } from './sweepstake-recoup-sum.ts';
import { withdrawalCancelHandler } from './withdrawal-cancel.ts';
import { withdrawalCheckHandler } from './withdrawal-check.ts';
import { withdrawalCodeSendHandler } from './withdrawal-code-send.ts';
import { withdrawalConfirmHandler } from './withdrawal-confirm.ts';
import { withdrawalCreateHandler } from './withdrawal-create.ts';
import { withdrawalStatusHandler } from './withdrawal-status.ts';

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
