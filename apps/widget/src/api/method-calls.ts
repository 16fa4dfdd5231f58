import { depositLimits, methodsPaymentV5, methodsWithdrawal, sessionStart } from '@opencashier/contract/api';

/**
 * The calls of the list of methods and of an amount, in the chunk of the client: a call brings its schemas, and only an answer needs
 * them.
 */
export const calls = { depositLimits, methodsPaymentV5, methodsWithdrawal, sessionStart } as const;
