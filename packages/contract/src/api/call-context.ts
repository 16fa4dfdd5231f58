/** The context of every call on either transport, beside its own request (HOST-16, NET-1 to NET-3). */
import * as v from 'valibot';

/** The HTTP header with the {@link CallContext}: JSON, percent-encoded to ASCII. */
export const extraParamsHeader = 'x-extra-params';

/** The socket's path and timeout (NET-3, §9). */
export const socketPath = '/v4/socket.io';

const shortText = v.pipe(v.string(), v.maxLength(256));

/** A language as in the name of a locale file. The server stores it with a payment, so no other text is allowed. */
const languageSchema = v.pipe(v.string(), v.regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}$/));

/**
 * Who calls, and from where. Nothing here is trusted for money: the user comes from the token alone, and
 * `userId` must match the token.
 */
export const callContextSchema = v.object({
  partnerKey: v.optional(v.fallback(shortText, ''), ''),
  userId: v.optional(v.fallback(shortText, ''), ''),
  xOrigin: v.optional(v.fallback(shortText, ''), ''),
  /** The widget's language, as in the name of the locale file. */
  language: v.optional(v.fallback(languageSchema, 'en'), 'en'),
  platform: v.optional(v.fallback(shortText, 'web'), 'web'),
  /** Sent only on native platforms (NET-1). */
  isNative: v.optional(v.fallback(v.boolean(), false), false),
  pwa: v.optional(v.fallback(v.boolean(), false), false),
  isMobileApp: v.optional(v.fallback(v.boolean(), false), false),
});
export type CallContext = v.InferOutput<typeof callContextSchema>;

/** The header value of a context; {@link parseExtraParams} reads it back. */
export function formatExtraParams(context: CallContext): string {
  return encodeURIComponent(JSON.stringify(context));
}

const noContext: CallContext = Object.freeze(v.parse(callContextSchema, {}));

/** Reads the header. Any other value gives the defaults, so that a bad header never fails a call. */
export function parseExtraParams(header: string | undefined): CallContext {
  if (header === undefined) return noContext;
  const parsed = v.safeParse(callContextSchema, decodeHeader(header));
  return parsed.success ? parsed.output : v.parse(callContextSchema, {});
}

function decodeHeader(header: string | undefined): unknown {
  if (!header || header.length > 4096) return {};
  try {
    return JSON.parse(decodeURIComponent(header));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof URIError) return {};
    throw error;
  }
}

/**
 * The handshake of the socket (NET-3). The host's token is in `auth`, never in the address. The query has the fields of
 * the specification, as text.
 */
export const handshakeAuthSchema = v.object({ token: v.optional(v.string()) });
export const handshakeQuerySchema = v.object({
  partnerKey: v.optional(shortText, ''),
  userId: v.optional(shortText, ''),
  xorigin: v.optional(shortText, ''),
  Language: v.optional(v.fallback(languageSchema, 'en'), 'en'),
  isNative: v.optional(v.picklist(['true', 'false']), 'false'),
  platform: v.optional(shortText, 'web'),
  pwa: v.optional(v.picklist(['true', 'false']), 'false'),
  isMobileApp: v.optional(v.picklist(['true', 'false']), 'false'),
  cashier_type: v.optional(v.literal('widget'), 'widget'),
});
