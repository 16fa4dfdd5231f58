/** One signed POST as the cashier sends it, also signed wrongly on purpose. */
import { keysOf, messageSignature } from '../verify-webhook.ts';

/** How a rule sends a call otherwise than the cashier. */
export interface Otherwise {
  /** Secrets that sign, one signature each, in this order. Empty: the call has no signature headers. */
  readonly secrets?: readonly string[];
  /** How many seconds ago the call says that it was signed. Below zero: in the future. */
  readonly secondsAgo?: number;
  /** Changes the body after it was signed. */
  readonly change?: (body: string) => string;
}

/** What a test replaces. */
export interface Surroundings {
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Whom to ask, and the secrets that sign. */
export interface SignedAddress {
  readonly url: string;
  readonly secrets: readonly string[];
}

export interface SignedPost {
  readonly id: string;
  readonly body: string;
  readonly otherwise: Otherwise;
  /** More of the answer is not read. Bytes. */
  readonly mostBytes: number;
  readonly patienceMs: number;
}

export interface PostedAnswer {
  /** Undefined: no answer arrived. */
  readonly status: number | undefined;
  /** At most `mostBytes` of the body; empty without an answer. */
  readonly text: string;
  readonly isTooLong: boolean;
  /** The `content-encoding` of the answer. The cashier does not unpack an answer. */
  readonly encoding: string | null;
  /** Why no answer arrived, such as `ECONNREFUSED`. */
  readonly why: string | undefined;
  readonly ms: number;
}

/** A secret that the operator does not have. */
export const secretOfAStranger = `whsec_${Buffer.alloc(32, 0x5a).toString('base64')}`;

/** Posts once, and reads the answer. Never throws for a fault of the receiver. */
export async function postSigned(
  address: SignedAddress,
  { fetch, now }: Surroundings,
  { id, body, otherwise, mostBytes, patienceMs }: SignedPost,
): Promise<PostedAnswer> {
  const headers = {
    'content-type': 'application/json',
    // The cashier does not ask for a compressed answer.
    'accept-encoding': 'identity',
    ...signatureOf(id, body, address, otherwise, now()),
  };
  const startedAt = now();
  try {
    const response = await fetch(address.url, {
      method: 'POST',
      headers,
      body: otherwise.change?.(body) ?? body,
      // The cashier follows no redirect: it calls the registered address alone.
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    });
    const { text, isTooLong } = await readAtMost(response, mostBytes);
    const encoding = response.headers.get('content-encoding');
    return { status: response.status, text, isTooLong, encoding, why: undefined, ms: now() - startedAt };
  } catch (error) {
    const nothing = { status: undefined, text: '', isTooLong: false, encoding: null };
    return { ...nothing, why: reasonOf(error), ms: now() - startedAt };
  }
}

async function readAtMost(response: Response, mostBytes: number): Promise<{ text: string; isTooLong: boolean }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined && bytes <= mostBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    bytes += value.byteLength;
  }
  const isTooLong = bytes > mostBytes;
  if (isTooLong) await reader?.cancel();
  return { text: Buffer.concat(chunks).subarray(0, mostBytes).toString('utf8'), isTooLong };
}

function signatureOf(
  id: string,
  body: string,
  address: SignedAddress,
  { secrets = address.secrets, secondsAgo = 0 }: Otherwise,
  now: number,
): Record<string, string> {
  if (secrets.length === 0) return {};
  const at = String(Math.floor(now / 1000) - secondsAgo);
  const signatures = keysOf(secrets).map((key) => messageSignature(key, id, at, body));
  return { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures.join(' ') };
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const deepest = cause instanceof Error ? cause : error;
  const { code } = deepest as { code?: unknown };
  return typeof code === 'string' ? code : deepest instanceof Error ? deepest.message : String(deepest);
}

/** What to do about a first call that got no answer, or this HTTP status. Undefined: the status says nothing special. */
export function remedyOf(status: number | undefined, who: 'wallet' | 'engine'): string | undefined {
  if (status === undefined) return `Is the address right, and does your ${who} run there?`;
  if (status === 401 || status === 403)
    return `Your ${who} refuses the signature. Has it the same secret as this command, and does it verify the raw bytes?`;
  if (status === 404 || status === 405) return 'Is the address right? The cashier sends POST to exactly this address.';
  if (status >= 300 && status < 400) return 'The cashier follows no redirect. Give the address that answers.';
  return undefined;
}
