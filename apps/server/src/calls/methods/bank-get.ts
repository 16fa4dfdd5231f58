import { bankGet } from '@opencashier/contract/api';
import { bankOfCard } from '../../catalogue/bank-bins.ts';
import { answer } from '../handler/call.ts';
import { offeredMethod } from './offered-method.ts';

/** Names the bank of a card by its first digits, where the method asks for it (FORM-12). `null`: the bank is not known. */
export const bankGetHandler = answer(bankGet, async (request, { caller }, { catalogue }) => {
  const method = await offeredMethod(catalogue, { operatorId: caller.operatorId, name: request.payment_method });
  return { bank: (method?.flags.bankLookup === true && bankOfCard(request.bin)) || null };
});
