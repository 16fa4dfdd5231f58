import { depositCreateSweepstake } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';
import { noteSession } from './deposit-create.ts';

/** Buys a coin box, once per `depositId` (SWP-1, SRV-6). */
export const depositCreateSweepstakeHandler = answer(
  depositCreateSweepstake,
  async ({ boxId, boxPrice, ...request }, { caller, context, signal }, { database, payments, bounce }) => {
    await noteSession(database, caller, request.paymentSessionId, request.depositId);
    const { language } = context;
    const box = { boxId, price: boxPrice };
    const response = await payments.createDeposit({ caller, request, box, language, signal });
    return bounce.wrap({ operatorId: caller.operatorId, language }, response);
  },
);
