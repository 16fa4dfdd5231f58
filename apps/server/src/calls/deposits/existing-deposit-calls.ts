/** The calls about a deposit that was created. */
import {
  depositCancel,
  depositCheck,
  depositComplete,
  depositStatus,
  externalDepositContinue,
} from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';

/** The state of a deposit of this user. */
export const depositStatusHandler = answer(depositStatus, (request, { caller }, { payments }) =>
  payments.depositStatus(caller, request.depositId),
);

/** The unfinished deposit of a method, so that the person continues it instead of paying twice. */
export const depositCheckHandler = answer(depositCheck, async (request, { caller }, { payments }) => {
  const open = await payments.openDeposit(caller, request.paymentMethod);
  if (!open) return { exists: false };
  const { depositId, amount, currency, created, lifetime } = open;
  return { exists: true, depositId, amount, currency, created, ...(lifetime !== undefined && { lifetime }) };
});

/** "I have paid": asks the provider about the payment. Credits nothing by itself. */
export const depositCompleteHandler = answer(depositComplete, (request, { caller }, { payments }) =>
  payments.completeDeposit(caller, request.depositId, request),
);

/** Cancels an unpaid deposit. A cancel that comes before its create makes the create fail (DEP-11). */
export const depositCancelHandler = answer(depositCancel, async (request, { caller }, { payments }) => {
  const { depositId, ifUnknown } = request;
  return { depositId, ...(await payments.cancelDeposit(caller, depositId, { ifUnknown: ifUnknown === true })) };
});

/** Continues an on-ramp deposit with the chosen offer (DEP-14). A form to post gets a page of its own (DEP-3). */
export const externalDepositContinueHandler = answer(
  externalDepositContinue,
  async (request, { caller, context }, { payments, bounce }) => {
    const answered = await payments.continueDeposit(caller, request.depositId, request.method);
    const redirect = 'redirect' in answered ? answered.redirect : undefined;
    if (typeof redirect !== 'object' || redirect.method !== 'POST') return answered;
    const visitor = { operatorId: caller.operatorId, language: context.language };
    return { ...answered, redirect: (await bounce.keep(visitor, redirect)) ?? redirect };
  },
);
