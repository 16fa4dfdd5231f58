import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { depositRequestEntries, depositResponseSchema } from '../deposit.ts';
import type { ErrorCode } from '../error.ts';

/** The errors of every call that creates a deposit, beside the general errors. */
export const depositCreateErrors = [
  'limit-min',
  'limit-max',
  'method-unavailable',
  'banking.paymentMethodRegex',
  'banking.merchantClientError',
  'captcha_required',
  'bonus-expired',
  'in-flight',
  'state-conflict',
  'idempotency-conflict',
  'provider-error',
  'unknown-outcome',
] as const satisfies readonly ErrorCode[];

/** Creates a deposit (DEP-1). A repeat with the same `depositId` gives the same response (SRV-6). */
export const depositCreate = defineCall({
  name: 'deposit-create',
  method: 'POST',
  summary: "Creates a deposit and returns the user's next step.",
  request: v.object(depositRequestEntries),
  response: depositResponseSchema,
  retry: true,
  idempotency: { kind: 'key', field: 'depositId' },
  errors: depositCreateErrors,
});
