/**
 * The payload of `loaded` (§3 'Host payload', HOST-2): every field with its default. A field with a wrong type gets its
 * default and is reported. Unknown fields are dropped.
 */
import * as v from 'valibot';
import { bonusSchema } from '../api/bonus.ts';
import { hostLimits } from './limits.ts';

const text = v.pipe(v.string(), v.maxLength(hostLimits.textLength));

/** For text that is written into a style sheet, where a control character may end a string. */
const controlFree = v.regex(/^\P{Cc}*$/u);

export const widgetViewTypes = ['main', 'cryptobalance', 'sweep'] as const;
export type WidgetViewType = (typeof widgetViewTypes)[number];

export const platforms = ['web', 'iframe', 'webview', 'pwa', 'android', 'ios'] as const;
export type Platform = (typeof platforms)[number];

/** Actions that an app around the cashier performs on request, by the names of the messages (HOST-13). */
export const nativeActions = ['copy', 'share'] as const;
export type NativeAction = (typeof nativeActions)[number];

export const experimentSchema = v.object({ key: text, group: text });

/** The operator's settings in the payload. */
export const hostSchemaSchema = v.object({
  meta: v.optional(
    v.object({
      geetestCaptchaId: v.optional(text),
      isCryptoBonusAvailable: v.optional(v.boolean()),
      showCryptoInstruction: v.optional(v.boolean()),
      /** Replaces the VPN hint of the empty page. An empty text removes the hint (NAV-6). */
      emptyPageHint: v.optional(v.pipe(v.string(), v.maxLength(300))),
    }),
    {},
  ),
  assets: v.optional(v.record(v.string(), v.unknown()), {}),
});

const fontSchema = v.object({
  family: v.pipe(v.string(), v.regex(/^[\w -]{1,60}$/)),
  src: v.pipe(text, controlFree),
  weight: v.optional(v.pipe(v.string(), v.regex(/^\d{3}(?: \d{3})?$/))),
  style: v.optional(v.picklist(['normal', 'italic'])),
  unicodeRange: v.optional(v.pipe(v.string(), v.regex(/^[\dA-Fa-fUu+?, -]{1,400}$/))),
});

/** Custom properties that a host may set (UI-9), by name without the dashes: `accent`, `radius-l`. */
export const appearanceSchema = v.object({
  theme: v.optional(v.picklist(['light', 'dark', 'auto'])),
  variables: v.optional(v.record(v.string(), v.string()), {}),
  /** The properties of the dark theme, which override the others: colours for white are rarely readable on black. */
  darkVariables: v.optional(v.record(v.string(), v.string())),
  /** A ready-made look, below the host's own values. */
  preset: v.optional(v.picklist(['clean', 'soft', 'sharp'])),
  /** How the list shows its methods. */
  list: v.optional(v.picklist(['tiles', 'rows'])),
  /** `plain`: method icons without colour. */
  icons: v.optional(v.picklist(['colour', 'plain'])),
  /** The logo above the title. `src` is on an origin of the operator's list, or a base64 picture. */
  logo: v.optional(
    v.object({ src: v.pipe(v.string(), v.maxLength(60_000), controlFree), name: v.pipe(text, controlFree) }),
  ),
  /** Served by the operator from an origin of its list, with `Access-Control-Allow-Origin`. */
  fonts: v.optional(v.pipe(v.array(fontSchema), v.maxLength(8))),
  /** `part` or `part:state`, with a few properties. */
  rules: v.optional(v.record(v.string(), v.record(v.string(), v.string()))),
});
export type Appearance = v.InferOutput<typeof appearanceSchema>;

const currency = v.pipe(v.string(), v.regex(/^[A-Z0-9]{2,10}$/));

/** The start that a host wants: a method of the catalogue, and an amount in its form. */
export const startSchema = v.object({
  method: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/))),
  /** The user may change it. */
  amount: v.optional(v.pipe(v.string(), v.regex(/^\d{1,20}(?:\.\d{1,18})?$/))),
  /**
   * The currency of the amount; the amount appears in no form of another currency. Default: the payload's
   * currency, or else the account's.
   */
  currency: v.optional(currency),
  /** The forms that the start is for. Default: the forms of the address at which the cashier starts. */
  direction: v.optional(v.picklist(['deposit', 'withdrawal'])),
});

/**
 * One schema per field, so that one bad field cannot affect the others. `required` has no default: without it the
 * payload is `Incorrect data from host`.
 */
export const payloadFields = {
  bonusId: { schema: text, fallback: undefined },
  bonusList: { schema: v.array(bonusSchema), fallback: [] },
  closingButton: { schema: v.boolean(), fallback: true },
  experiments: { schema: v.array(experimentSchema), fallback: [] },
  host: { schema: text, fallback: undefined },
  schema: { schema: hostSchemaSchema, fallback: { meta: {}, assets: {} } },
  token: { schema: v.pipe(v.string(), v.minLength(1), v.maxLength(hostLimits.tokenLength)), fallback: undefined },
  xOrigin: { schema: text, fallback: undefined },
  userId: { schema: text, fallback: undefined },
  partnerKey: { schema: text, fallback: undefined },
  widgetViewType: { schema: v.picklist(widgetViewTypes), fallback: 'main' },
  transport: { schema: v.picklist(['socket', 'http']), fallback: 'socket' },
  platformVersion: { schema: text, fallback: 'redesign' },
  pwa: { schema: v.boolean(), fallback: false },
  isMobileApp: { schema: v.boolean(), fallback: false },
  currency: { schema: currency, fallback: undefined },
  paymentGeo: { schema: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)), fallback: 'RU' },
  platform: { schema: v.picklist(platforms), fallback: 'web' },
  nativeActions: { schema: v.array(v.picklist(nativeActions)), fallback: [] },
  locale: { schema: v.pipe(v.string(), v.maxLength(35)), fallback: 'en-US' },
  appearance: { schema: appearanceSchema, fallback: undefined },
  start: { schema: startSchema, fallback: undefined },
} as const satisfies Record<string, { schema: v.GenericSchema; fallback: unknown }>;

export type PayloadField = keyof typeof payloadFields;

/** The parsed payload with its defaults; `locale` is still as the host wrote it. */
export interface HostPayload {
  bonusId?: string;
  bonusList: v.InferOutput<typeof bonusSchema>[];
  closingButton: boolean;
  experiments: v.InferOutput<typeof experimentSchema>[];
  host?: string;
  schema: v.InferOutput<typeof hostSchemaSchema>;
  token?: string;
  xOrigin?: string;
  userId?: string;
  partnerKey?: string;
  widgetViewType: WidgetViewType;
  transport: 'socket' | 'http';
  platformVersion: string;
  pwa: boolean;
  isMobileApp: boolean;
  /** Absent: the user's currency on the server. */
  currency?: string;
  paymentGeo: string;
  platform: Platform;
  /** Used only on the platforms `android` and `ios`. */
  nativeActions: NativeAction[];
  locale: string;
  appearance?: Appearance;
  start?: v.InferOutput<typeof startSchema>;
}

/** A host's payload. Every field is optional, but without `token` no call succeeds. */
export type HostPayloadInput = Partial<HostPayload>;
