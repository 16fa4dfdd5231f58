import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { depositRequestEntries, depositResponseSchema } from '../deposit.ts';
import type { ErrorCode } from '../error.ts';

/** What every call that creates a deposit may answer beside the general errors. */
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

/** Creates a deposit (DEP-1). A repeat under the same `depositId` answers the same (SRV-6). */
export const depositCreate = defineCall({
  name: 'deposit-create',
  method: 'POST',
  summary: 'Creates a deposit and says what the person does next.',
  request: v.object(depositRequestEntries),
  response: depositResponseSchema,
  retry: true,
  idempotency: { kind: 'key', field: 'depositId' },
  errors: depositCreateErrors,
});
