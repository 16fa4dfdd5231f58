/**
 * The payload of `loaded` (§3 'Host payload', HOST-2): every field with its default. A field of a wrong type takes its
 * default and is reported; unknown fields are dropped.
 */
import * as v from 'valibot';
import { bonusSchema } from '../api/bonus.ts';
import { hostLimits } from './limits.ts';

const text = v.pipe(v.string(), v.maxLength(hostLimits.textLength));

/** For what is written into a style sheet, where a control character may end a text. */
const controlFree = v.regex(/^\P{Cc}*$/u);

export const widgetViewTypes = ['main', 'cryptobalance', 'sweep'] as const;
export type WidgetViewType = (typeof widgetViewTypes)[number];

export const platforms = ['web', 'iframe', 'webview', 'pwa', 'android', 'ios'] as const;
export type Platform = (typeof platforms)[number];

/** What an app around the cashier does for it when it is told to, by the names of the messages (HOST-13). */
export const nativeActions = ['copy', 'share'] as const;
export type NativeAction = (typeof nativeActions)[number];

export const experimentSchema = v.object({ key: text, group: text });

/** Settings of the operator that travel with the payload. */
export const hostSchemaSchema = v.object({
  meta: v.optional(
    v.object({
      geetestCaptchaId: v.optional(text),
      isCryptoBonusAvailable: v.optional(v.boolean()),
      showCryptoInstruction: v.optional(v.boolean()),
      /** Stands in place of the empty page's hint about a VPN; an empty text leaves the hint out (NAV-6). */
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

/** Custom properties that a host may set (UI-9), by their name without the dashes: `accent`, `radius-l`. */
export const appearanceSchema = v.object({
  theme: v.optional(v.picklist(['light', 'dark', 'auto'])),
  variables: v.optional(v.record(v.string(), v.string()), {}),
  /** Those of the dark theme, above the others: what is read on white is seldom read on black. */
  darkVariables: v.optional(v.record(v.string(), v.string())),
  /** A ready look below the host's own values. */
  preset: v.optional(v.picklist(['clean', 'soft', 'sharp'])),
  /** How the list shows its methods. */
  list: v.optional(v.picklist(['tiles', 'rows'])),
  /** `plain`: marks of methods without colour. */
  icons: v.optional(v.picklist(['colour', 'plain'])),
  /** Stands above the title. `src` lies on an origin of the operator's list, or is a picture in base64. */
  logo: v.optional(
    v.object({ src: v.pipe(v.string(), v.maxLength(60_000), controlFree), name: v.pipe(text, controlFree) }),
  ),
  /** Served by the operator itself, from an origin of its list, with `Access-Control-Allow-Origin`. */
  fonts: v.optional(v.pipe(v.array(fontSchema), v.maxLength(8))),
  /** `part` or `part:state`, and a few properties of it. */
  rules: v.optional(v.record(v.string(), v.record(v.string(), v.string()))),
});
export type Appearance = v.InferOutput<typeof appearanceSchema>;

const currency = v.pipe(v.string(), v.regex(/^[A-Z0-9]{2,10}$/));

/** What a host wants to begin with: a method of the catalogue, and an amount that stands in its form. */
export const startSchema = v.object({
  method: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/))),
  /** The person may change it. */
  amount: v.optional(v.pipe(v.string(), v.regex(/^\d{1,20}(?:\.\d{1,18})?$/))),
  /** Of the amount, which stands in no form of another one. Without it: the payload's, else that of the account. */
  currency: v.optional(currency),
  /** Which forms it is for. Without it: those of the address that the cashier begins at. */
  direction: v.optional(v.picklist(['deposit', 'withdrawal'])),
});

/**
 * One schema a field, so that one bad field cannot spoil the others. `required` has no default: without it the payload is
 * `Incorrect data from host`.
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

/** The payload after reading: defaults filled in, `locale` still as the host wrote it. */
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
  /** Absent: the user's own currency as the server knows it. */
  currency?: string;
  paymentGeo: string;
  platform: Platform;
  /** Counts on the platforms `android` and `ios` alone. */
  nativeActions: NativeAction[];
  locale: string;
  appearance?: Appearance;
  start?: v.InferOutput<typeof startSchema>;
}

/** What a host writes: everything may be left out, though without `token` no call is answered. */
export type HostPayloadInput = Partial<HostPayload>;
