/** The context of every call on either transport, beside its own request (HOST-16, NET-1 to NET-3). */
import * as v from 'valibot';

/** The HTTP header with the {@link CallContext}: JSON, percent-encoded to ASCII. */
export const extraParamsHeader = 'x-extra-params';

/** The socket's path and timeout (NET-3, §9). */
export const socketPath = '/v4/socket.io';

/** Text of up to 256 characters. @example "web" */
const shortText = v.pipe(v.string(), v.maxLength(256));

/** A language as in the name of a locale file. The server stores it with a payment, so no other text is allowed. @example "en" */
const languageSchema = v.pipe(v.string(), v.regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}$/));

/**
 * Who calls, and from where. Nothing here is trusted for money: the user comes from the token alone, and
 * `userId` must match the token.
 */
export const callContextSchema = v.object({
  /** The public name of the operator. @example "demo" */
  partnerKey: v.optional(v.fallback(shortText, ''), ''),
  /** The operator's id of the user. It must be the user of the token. @example "u-1042" */
  userId: v.optional(v.fallback(shortText, ''), ''),
  /** The origin of the page that holds the widget. @example "https://shop.example" */
  xOrigin: v.optional(v.fallback(shortText, ''), ''),
  /** The widget's language, as in the name of the locale file. */
  language: v.optional(v.fallback(languageSchema, 'en'), 'en'),
  /** Where the widget runs: `web`, `ios` or `android`. @example "web" */
  platform: v.optional(v.fallback(shortText, 'web'), 'web'),
  /** Sent only on native platforms (NET-1). */
  isNative: v.optional(v.fallback(v.boolean(), false), false),
  /** Whether the host is an installed web app. */
  pwa: v.optional(v.fallback(v.boolean(), false), false),
  /** Whether the host is a mobile app. */
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
export const handshakeAuthSchema = v.object({
  /** The user token. @example "eyJhbGciOiJIUzI1NiJ9.e30.x" */
  token: v.optional(v.string()),
});
export const handshakeQuerySchema = v.object({
  /** The public name of the operator. @example "demo" */
  partnerKey: v.optional(shortText, ''),
  /** The operator's id of the user. It must be the user of the token. @example "u-1042" */
  userId: v.optional(shortText, ''),
  /** The origin of the page that holds the widget. @example "https://shop.example" */
  xorigin: v.optional(shortText, ''),
  Language: v.optional(v.fallback(languageSchema, 'en'), 'en'),
  /** Whether the host is a native app, as text. */
  isNative: v.optional(v.picklist(['true', 'false']), 'false'),
  /** Where the widget runs: `web`, `ios` or `android`. @example "web" */
  platform: v.optional(shortText, 'web'),
  /** Whether the host is an installed web app, as text. */
  pwa: v.optional(v.picklist(['true', 'false']), 'false'),
  /** Whether the host is a mobile app, as text. */
  isMobileApp: v.optional(v.picklist(['true', 'false']), 'false'),
  /** The kind of the client. */
  cashier_type: v.optional(v.literal('widget'), 'widget'),
});
