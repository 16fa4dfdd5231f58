/** The settings of an operator, and the history of every change (SRV-1). */
import * as v from 'valibot';
import { currencySchema, decimalStringSchema, instantSchema, methodNameSchema } from '../api/scalar.ts';
import { confirmationChannels } from '../api/withdrawal-confirmation.ts';
import { bonusEngineSchema } from './bonus-engine.ts';
import { defineEndpoint } from './endpoint.ts';
import { shownKeySchema, staffSchema, userIdSchema } from './fields.ts';
import { pageEntries, pageSchema } from './paging.ts';
import { walletModes } from './wallet.ts';

/** Browsers send an origin in one exact form, so any other form would never match. @example "https://www.example.com" */
export const originSchema = v.pipe(
  v.string(),
  v.maxLength(255),
  v.check(
    (text) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text,
    'an origin like https://www.example.com, without a path',
  ),
);
const mostOrigins = 200;
const originsSchema = v.pipe(v.array(originSchema), v.maxLength(mostOrigins));

/** The name of the operator, for staff. @example "Example Casino" */
export const operatorNameSchema = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1),
  v.maxLength(100),
  v.regex(/^[^\p{Cc}]*$/u, 'no control characters'),
);

/** Which withdrawals need a confirmation code, besides those whose method needs one. The first rule that fits applies. */
export const codeRuleSchema = v.strictObject({
  /** How the user gets the code. */
  channel: v.picklist(confirmationChannels),
  /** Absent: every method. */
  paymentMethod: v.optional(methodNameSchema),
  /** Absent: every currency. */
  currency: v.optional(currencySchema),
  /** The smallest amount that needs a code. It needs `currency`. */
  from: v.optional(decimalStringSchema),
});

/** Limits that replace those of the catalogue. Zero: no limit. */
export const limitOverrideSchema = v.strictObject({
  paymentMethod: methodNameSchema,
  currency: currencySchema,
  /** Absent: all users. Limits of one user are better set with `/users/{userId}`. */
  userId: v.optional(userIdSchema),
  /** The smallest amount. @example "20.00" */
  min: decimalStringSchema,
  /** The largest amount. @example "500.00" */
  max: decimalStringSchema,
});

const settingEntries = {
  name: operatorNameSchema,
  /** The sites that may show the cashier. */
  origins: originsSchema,
  /** The address that gets the webhooks. Null: none are sent. @example "https://www.example.com/cashier-webhooks" */
  webhookUrl: v.nullable(v.pipe(v.string(), v.maxLength(2000))),
  /** `false`: no new deposit starts. Payments in progress continue and are credited. */
  depositsOpen: v.boolean(),
  /** `false`: no new withdrawal starts, and none is confirmed. Submitted withdrawals continue. */
  withdrawalsOpen: v.boolean(),
  /** Which withdrawals need a confirmation code, besides those whose method needs one. The first rule that fits applies. */
  withdrawalCodes: v.pipe(v.array(codeRuleSchema), v.maxLength(200)),
  /** Limits of deposits that replace those of the catalogue. */
  depositLimits: v.pipe(v.array(limitOverrideSchema), v.maxLength(1000)),
  /** How often a granted sweep coin must be staked before it can be redeemed. @example "1" */
  playthrough: v.pipe(
    v.string(),
    v.regex(/^(?:0|[1-9]\d{0,3})(?:\.\d{1,4})?$/, 'a factor such as 1 or 2.5, below 10000'),
  ),
  /** The operator's own bonus engine. Null: none, so the list of `/bonuses` counts. */
  bonusEngine: v.nullable(bonusEngineSchema),
  /** `true`: the browser console of the widget has hooks for the operator's engineers (HOST-10). */
  isDebugAllowed: v.boolean(),
};

export const operatorSettingsSchema = v.object({
  /** The public name of the operator, which is part of the widget's address. It never changes. @example "demo" */
  operator: v.string(),
  ...settingEntries,
  /** Whose balance counts. `opencashier set-wallet` changes it. @example "cashier" */
  walletMode: v.picklist(walletModes),
  /**
   * The address of the operator's own wallet, without its query, which may hold a secret. Absent: none is stored.
   * @example "https://api.example.com/cashier-wallet"
   */
  walletUrl: v.optional(v.string()),
  /** Since then no webhook is sent, because every attempt of a delivery failed. Any replay switches the address on again. */
  webhooksOffSince: v.optional(instantSchema),
});
export type OperatorSettingsView = v.InferOutput<typeof operatorSettingsSchema>;

/** A field that is absent keeps its value. A list replaces the whole list. */
export const settingsChangeSchema = v.partial(
  v.strictObject({
    ...settingEntries,
    /** A new engine needs `url`; it is on, and its fallback is `list`, unless the request says otherwise. Null: forgets the engine. */
    bonusEngine: v.nullable(v.partial(bonusEngineSchema)),
  }),
);

export const settingsRequestSchema = v.strictObject({
  ...settingsChangeSchema.entries,
  /** Sites to add. Unlike `origins`, they do not undo the change of another person. */
  addOrigins: v.optional(originsSchema),
  /** Sites to remove. */
  removeOrigins: v.optional(originsSchema),
  /** The member of staff who makes the change, by the operator's own name; stored in the history. */
  staff: v.optional(staffSchema),
});
export type SettingsRequest = v.InferOutput<typeof settingsRequestSchema>;

export const readOperatorSettings = defineEndpoint({
  id: 'read-settings',
  method: 'GET',
  path: '/settings',
  summary:
    'The settings of the operator, except those with an endpoint of their own: catalogue, texts, approvals, debts.',
  response: operatorSettingsSchema,
});

export const patchOperatorSettings = defineEndpoint({
  id: 'change-settings',
  method: 'PATCH',
  path: '/settings',
  summary:
    'Changes the settings that the body names. This node applies them at once, every other node within ten seconds. Each change is recorded.',
  body: settingsRequestSchema,
  response: operatorSettingsSchema,
  bodyLimitBytes: 256 * 1024,
});

export const apiKeyPageSchema = v.object({
  /** Newest first. Without the keys themselves, which are never stored. */
  keys: v.array(
    v.object({
      keyId: shownKeySchema,
      /** What the operator calls the key. @example "production" */
      label: v.string(),
      /** When the key was created. */
      created: instantSchema,
      /** Until then the key works. Absent: it does not expire. */
      validUntil: v.optional(instantSchema),
      /** Whether the key works now. */
      isValid: v.boolean(),
      /** Whether this request used the key. */
      isThis: v.boolean(),
    }),
  ),
});
export type ApiKeyPage = v.InferOutput<typeof apiKeyPageSchema>;

export const listApiKeys = defineEndpoint({
  id: 'list-api-keys',
  method: 'GET',
  path: '/api-keys',
  summary: 'The API keys of the operator, by id and label. The command line creates, replaces and revokes keys.',
  response: apiKeyPageSchema,
});

export const settingChangeQuerySchema = v.strictObject({
  /** Only the changes of this setting, such as `approvals`. @example "approvals" */
  setting: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
  ...pageEntries,
});
export type SettingChangeQuery = v.InferOutput<typeof settingChangeQuerySchema>;

export const settingChangePageSchema = pageSchema({
  /** Newest first. */
  changes: v.array(
    v.object({
      /** Made by the cashier, a UUID that begins with the time of the change. The clocks of two nodes may differ. @example "0198c1f2-7a30-7c55-9b6b-3d5a0a6b7f01" */
      changeId: v.string(),
      /** Such as `approvals`, `operator.name` or `user 42`. @example "operator.name" */
      setting: v.string(),
      /**
       * Who made the change: the member of staff, or `operator-api` when the request named nobody. The command line is `opencashier`, the
       * start of the cashier `server-settings`.
       * @example "maria"
       */
      by: v.string(),
      /** The API key that sent the change. Absent: the command line or the start of the cashier. */
      keyId: v.optional(shownKeySchema),
      /** When the setting changed. */
      at: instantSchema,
      /** Only the parts that differ. Null: the setting did not exist. Secrets are never shown. @example "Example" */
      before: v.unknown(),
      /** The same parts after the change. Null: the setting no longer exists. @example "Example Casino" */
      after: v.unknown(),
    }),
  ),
});
export type SettingChangePage = v.InferOutput<typeof settingChangePageSchema>;

export const listSettingChanges = defineEndpoint({
  id: 'list-setting-changes',
  method: 'GET',
  path: '/setting-changes',
  summary: 'Every change of a setting: who, with which API key, when, before and after. Newest first, page by page.',
  query: settingChangeQuerySchema,
  response: settingChangePageSchema,
});
