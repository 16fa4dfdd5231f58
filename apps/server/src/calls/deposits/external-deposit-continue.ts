import { externalDepositContinue } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';

/** Goes on with an on-ramp at the chosen offer: where to, or why not (DEP-14). A form to post goes by its own page (DEP-3). */
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
