/** What the calls of the cashier to an operator's wallet and to its bonus engine share. */
import {
  type IncomingHeaders,
  type RawBody,
  type VerifyOptions,
  verifySignature,
  WebhookVerificationError,
} from './verify-webhook.ts';

export interface IncomingCall {
  /** The bytes as they arrived, before anything has parsed them. */
  readonly body: RawBody;
  readonly headers: IncomingHeaders;
}

/** Send it as it is. */
export interface CallResponse {
  readonly status: 200 | 400 | 401;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Verifies a call and reads it. The signature shows that the cashier sent it, so it has the form of the contract. Its type may be newer
 * than this library.
 *
 * @returns the call, or the response for a call that is not the cashier's (401) or cannot be read (400)
 * @throws TypeError for a secret that is none, or a parsed body
 */
export function readSignedCall<Call extends { readonly id: string; readonly type: string }>(
  { body, headers }: IncomingCall,
  options: VerifyOptions,
): { readonly call: Call } | { readonly refusal: CallResponse } {
  let verified: ReturnType<typeof verifySignature>;
  try {
    verified = verifySignature(body, headers, options);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { refusal: respond(error.code === 'bad-body' ? 400 : 401, { code: error.code }) };
  }
  const { id, body: call } = verified;
  return call['id'] === id ? { call: call as unknown as Call } : { refusal: respond(400, { code: 'bad-body' }) };
}

export function respond(status: CallResponse['status'], body: object): CallResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
