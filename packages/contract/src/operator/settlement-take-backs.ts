/** Settlement files that were imported by mistake: one person proposes to take a file back, and another confirms it (SRV-1, SRV-2). */
import * as v from 'valibot';
import { paymentIdSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { reasonSchema, staffSchema } from './fields.ts';
import { settlementFileSchema } from './settlements.ts';

export const proposeTakeBackSchema = v.strictObject({
  /** Your idempotency key of this proposal. It is also the id of the proposal. */
  decisionId: paymentIdSchema,
  /** The member of staff who proposes it. */
  decidedBy: staffSchema,
  /** Why the file is wrong. @example "The mapping read minor units as major units." */
  reason: reasonSchema,
});
export type ProposeTakeBack = v.InferOutput<typeof proposeTakeBackSchema>;

export const proposeTakeBack = defineEndpoint({
  id: 'propose-settlement-take-back',
  method: 'POST',
  path: '/settlement-files/{fileId}/take-back',
  summary: 'Proposes to take a file back, once per `decisionId`. Nothing changes until another person confirms it.',
  params: v.object({ fileId: paymentIdSchema }),
  body: proposeTakeBackSchema,
  response: settlementFileSchema,
  errors: {
    404: '`not-found`: no such file of this operator.',
    409: '`state-conflict`: a proposal waits, or the file cannot be undone exactly. The message names what stands in the way.',
    422: '`idempotency-conflict`: another decision used this key.',
  },
});

export const decideTakeBackSchema = v.strictObject({
  /** `confirm` takes the file back. `reject` changes nothing. */
  decision: v.picklist(['confirm', 'reject']),
  /** The member of staff who decides. Nobody confirms a proposal of their own. */
  decidedBy: staffSchema,
});
export type DecideTakeBack = v.InferOutput<typeof decideTakeBackSchema>;

export const decideTakeBack = defineEndpoint({
  id: 'decide-settlement-take-back',
  method: 'POST',
  path: '/settlement-take-backs/{takeBackId}/decide',
  summary: 'Confirms a proposal, which takes the file back, or rejects it. A repeat gets the same answer.',
  params: v.object({ takeBackId: paymentIdSchema }),
  body: decideTakeBackSchema,
  response: settlementFileSchema,
  errors: {
    404: '`not-found`: no such proposal of this operator.',
    409: '`state-conflict`: it was decided otherwise, the same person (or API key, with `differentKeys`) proposed it, or the file cannot be undone exactly.',
  },
});
