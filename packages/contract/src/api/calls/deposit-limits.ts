import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { currencySchema, decimalStringSchema, methodNameSchema } from '../scalar.ts';

/** The server's limits. They replace the catalogue's when min or max is not zero (AMT-3). */
export const depositLimits = defineCall({
  name: 'deposit-limits',
  method: 'POST',
  summary: 'Current limits of a method in a currency for this user.',
  request: v.object({ currency: currencySchema, paymentMethod: methodNameSchema }),
  response: v.object({
    currency: currencySchema,
    /** The smallest allowed amount. @example "10.00" */
    min: decimalStringSchema,
    /** The largest allowed amount. @example "1000.00" */
    max: decimalStringSchema,
  }),
  retry: true,
  idempotency: { kind: 'read' },
  errors: ['method-unavailable'],
});
