/** What accompanies every call on either transport, beside its own request (HOST-16, NET-1 to NET-3). */
import * as v from 'valibot';

/** HTTP header that carries {@link CallContext}: JSON, percent-encoded so that it is ASCII. */
export const extraParamsHeader = 'x-extra-params';

/** The socket's path and time limit (NET-3, §9). */
export const socketPath = '/v4/socket.io';

const shortText = v.pipe(v.string(), v.maxLength(256));

/** A language as in the locale file's name; it is kept beside a payment, so it is nothing else. */
const languageSchema = v.pipe(v.string(), v.regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}$/));

/**
 * Who calls, from where. None of it is trusted for money: the user comes from the token alone, and `userId` must agree
 * with it.
 */
export const callContextSchema = v.object({
  partnerKey: v.optional(v.fallback(shortText, ''), ''),
  userId: v.optional(v.fallback(shortText, ''), ''),
  xOrigin: v.optional(v.fallback(shortText, ''), ''),
  /** The widget's language, as in the locale file's name. */
  language: v.optional(v.fallback(languageSchema, 'en'), 'en'),
  platform: v.optional(v.fallback(shortText, 'web'), 'web'),
  /** Sent on native platforms only (NET-1). */
  isNative: v.optional(v.fallback(v.boolean(), false), false),
  pwa: v.optional(v.fallback(v.boolean(), false), false),
  isMobileApp: v.optional(v.fallback(v.boolean(), false), false),
});
export type CallContext = v.InferOutput<typeof callContextSchema>;

/** Header value for a context; see {@link parseExtraParams} for the way back. */
export function formatExtraParams(context: CallContext): string {
  return encodeURIComponent(JSON.stringify(context));
}

/** Reads the header; anything that is not such a value gives the defaults, so a bad header never fails a call. */
export function parseExtraParams(header: string | undefined): CallContext {
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
 * The socket's handshake (NET-3). The host's token travels in `auth`, never in the address; the query holds what the
 * specification lists, as text.
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
