import { depositStatus } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';

/** The truth about a deposit of this user. */
export const depositStatusHandler = answer(depositStatus, (request, { caller }, { payments }) =>
  payments.depositStatus(caller, request.depositId),
);
