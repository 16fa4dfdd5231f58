/** The calls about a withdrawal, in the order in which a widget makes them. */
import {
  withdrawalCancel,
  withdrawalCheck,
  withdrawalCodeSend,
  withdrawalConfirm,
  withdrawalCreate,
  withdrawalStatus,
} from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';

/** The withdrawal that this user has created and not confirmed (WD-2). */
export const withdrawalCheckHandler = answer(withdrawalCheck, async (request, { caller }, { withdrawals }) => {
  const withdrawal = await withdrawals.unconfirmed(caller, request.currency);
  return withdrawal ? { withdrawal } : {};
});

/** Holds the amount, once per `withdrawalId` (WD-2). */
export const withdrawalCreateHandler = answer(withdrawalCreate, (request, { caller, context }, { withdrawals }) =>
  withdrawals.create({ caller, request, language: context.language }),
);

/** Sends another confirmation code, when the withdrawal needs one (WD-2). */
export const withdrawalCodeSendHandler = answer(withdrawalCodeSend, (request, { caller }, { withdrawals }) =>
  withdrawals.sendCode(caller, request.withdrawalId),
);

/** Submits a held withdrawal (WD-2), with the confirmation code when it needs one. */
export const withdrawalConfirmHandler = answer(withdrawalConfirm, async (request, { caller }, { withdrawals }) => {
  const { withdrawalId, status } = await withdrawals.confirm(caller, request.withdrawalId, request.code);
  return { withdrawalId, status };
});

/** Cancels a withdrawal that was not submitted, and returns the held amount (WD-2). */
export const withdrawalCancelHandler = answer(withdrawalCancel, (request, { caller }, { withdrawals }) =>
  withdrawals.cancel(caller, request.withdrawalId, { ifUnknown: request.ifUnknown === true }),
);

/** The state of a withdrawal of this user. */
export const withdrawalStatusHandler = answer(withdrawalStatus, (request, { caller }, { withdrawals }) =>
  withdrawals.status(caller, request.withdrawalId),
);
