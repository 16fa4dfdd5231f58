import { type DepositResponse, depositCreateP2p, type ResponseOf } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';
import { offeredMethod } from '../methods/offered-method.ts';
import { noteSession } from './deposit-create.ts';

/**
 * Creates a peer-to-peer deposit, or continues the open one (DEP-11). A field that the provider left out is left out here too,
 * and the widget reports that it is missing.
 */
export const depositCreateP2pHandler = answer(
  depositCreateP2p,
  async ({ paymentMethod, bank, checkScore: _checkScore, ...request }, scope, { catalogue, database, payments }) => {
    const { caller, context, signal } = scope;
    await noteSession(database, caller, request.paymentSessionId, request.depositId);
    const method = await offeredMethod(catalogue, { operatorId: caller.operatorId, name: paymentMethod });
    // The person chose the bank on a page of its own. A method may ask for the bank as a field of its form.
    const asksBank = bank !== undefined && method?.fields.some(({ name }) => name === 'bank') === true;
    const fields = asksBank ? { bank, ...request.fields } : request.fields;
    const response = await payments.createDeposit({
      caller,
      request: { ...request, fields, paymentType: paymentMethod },
      p2p: bank === undefined ? {} : { bank },
      language: context.language,
      signal,
    });
    return p2pResponse(response);
  },
);

function p2pResponse({ apiResponse, fields }: DepositResponse): ResponseOf<typeof depositCreateP2p> {
  const { depositId, data, isFieldsRequired } = apiResponse;
  const asked = {
    depositId,
    ...(isFieldsRequired !== undefined && { isFieldsRequired }),
    ...(fields !== undefined && { fields }),
  };
  if (data === undefined || data === null) return asked;
  const {
    card,
    created,
    payment_amount,
    payment_currency,
    timeout_minutes,
    passedAmount,
    passedCurrency,
    processingAmount,
    processingCurrency,
    unifiedFlow,
    exists,
    requisites,
    instruction,
    serverTime,
  } = data;
  return {
    ...asked,
    ...(card !== undefined && { card }),
    ...(created !== undefined && { created }),
    ...(payment_amount !== undefined && { payment_amount }),
    ...(payment_currency !== undefined && { payment_currency }),
    ...(timeout_minutes !== undefined && { timeout_minutes }),
    ...(passedAmount !== undefined && { passedAmount }),
    ...(passedCurrency !== undefined && { passedCurrency }),
    ...(processingAmount !== undefined && { processingAmount }),
    ...(processingCurrency !== undefined && { processingCurrency }),
    ...(unifiedFlow !== undefined && { unifiedFlow }),
    ...(exists !== undefined && { exists }),
    ...(requisites !== undefined && { requisites }),
    ...(instruction !== undefined && { instruction }),
    ...(serverTime !== undefined && { serverTime }),
  };
}
