import { depositCreate } from '@opencashier/contract/api';
import { answer } from './call.ts';

/** Creates a deposit, once per `depositId` (DEP-1, SRV-6). */
export const depositCreateHandler = answer(depositCreate, (request, { caller, context, signal }, { payments }) =>
  payments.createDeposit({ caller, request, language: context.language, signal }),
);
