/** Every call that this server answers. A call of the contract that is not here is answered with `not-implemented`. */

import { depositLimitsHandler, depositPrepareHandler } from './deposits/before-deposit-calls.ts';
import { depositCreateHandler } from './deposits/deposit-create.ts';
import { depositCreateP2pHandler } from './deposits/deposit-create-p2p.ts';
import { depositCreateSweepstakeHandler } from './deposits/deposit-create-sweepstake.ts';
import {
  depositCancelHandler,
  depositCheckHandler,
  depositCompleteHandler,
  depositStatusHandler,
  externalDepositContinueHandler,
} from './deposits/existing-deposit-calls.ts';
import type { CallHandler } from './handler/call.ts';
import { bankGetHandler } from './methods/bank-get.ts';
import {
  methodsCountrySelectorV2Handler,
  methodsPaymentV3Handler,
  methodsPaymentV5Handler,
  methodsWithdrawalHandler,
  methodsWithdrawalV4Handler,
} from './methods/list-calls.ts';
import { balancesGetHandler } from './session/balances-get.ts';
import { eventsHandler, sessionFormOnCloseModalHandler } from './session/report-calls.ts';
import { sessionStartHandler } from './session/session-start.ts';
import { sweepstakeBalanceGetHandler, sweepstakeRecoupSumHandler } from './sweepstake/coin-calls.ts';
import { paymentConvertV2Handler } from './sweepstake/payment-convert-v2.ts';
import { sweepstakeBoxesHandler } from './sweepstake/sweepstake-boxes.ts';
import { payoutAccountRemoveHandler, payoutAccountsGetHandler } from './withdrawals/payout-account-calls.ts';
import {
  withdrawalCancelHandler,
  withdrawalCheckHandler,
  withdrawalCodeSendHandler,
  withdrawalConfirmHandler,
  withdrawalCreateHandler,
  withdrawalStatusHandler,
} from './withdrawals/withdrawal-calls.ts';

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
