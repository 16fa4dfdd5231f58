/** The catalogue as operators' backends read and change it: `/operator/v1/catalogue`, also for its reference page. */
import {
  amountRuleSchema,
  countrySchema,
  currencySchema,
  decimalStringSchema,
  instantSchema,
  methodNameSchema,
} from '@opencashier/contract/api';
import * as v from 'valibot';
import { groupSettingsEntries, methodSettingsEntries, settingsEntries } from '../catalogue/own-settings.ts';
import { pagedList } from '../requests/page-cursor.ts';
import { staffSchema } from './review-schemas.ts';

const changeEntries = {
  /** The `version` that was read: a change of anything older is refused. 0 where there was none. */
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
  staff: staffSchema,
};

export const catalogueRequestSchema = v.strictObject({ ...changeEntries, ...settingsEntries });
export const methodRequestSchema = v.strictObject({ ...changeEntries, ...methodSettingsEntries });
export const groupRequestSchema = v.strictObject({ ...changeEntries, ...groupSettingsEntries });

const boundsSchema = v.object({ min: v.optional(decimalStringSchema), max: v.optional(decimalStringSchema) });

const methodSchema = v.object({
  name: methodNameSchema,
  /** In English. */
  title: v.string(),
  /** Its kind, such as `crypto`. */
  category: v.string(),
  directions: v.array(v.picklist(['deposit', 'withdrawal'])),
  group: v.string(),
  countries: v.array(countrySchema),
  provider: v.string(),
  /** Whether this server has what its provider needs; without it the method is offered to nobody. */
  isProviderSetUp: v.boolean(),
  enabled: v.boolean(),
  /** Whether people are offered it: enabled, its group too, its provider set up, and some amount left. */
  isOffered: v.boolean(),
  position: v.number(),
  shippedPosition: v.number(),
  shippedLimits: v.record(currencySchema, amountRuleSchema),
  /** The operator's own, by currency; what counts is the narrower of both. */
  limits: v.record(currencySchema, boundsSchema),
});

const groupSchema = v.object({
  name: v.string(),
  /** In English. */
  title: v.string(),
  enabled: v.boolean(),
  position: v.number(),
  shippedPosition: v.number(),
});

export const catalogueResponseSchema = v.object({
  /** Give it with the next change. */
  version: v.number(),
  /** Who made it what it is; absent while it is as shipped. */
  changed: v.optional(v.object({ staff: v.string(), at: instantSchema })),
  /** What may not be meant, such as that no method is left. */
  warnings: v.array(v.string()),
  /** In the order in which people see them. */
  groups: v.array(groupSchema),
  methods: v.array(methodSchema),
});
export type CatalogueResponse = v.InferOutput<typeof catalogueResponseSchema>;

export const changeList = pagedList(
  'catalogue changes',
  v.strictObject({ version: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(999_999_999)) }),
);

/** The query of `GET /operator/v1/catalogue/changes`. */
export const changesQuerySchema = v.strictObject(changeList.entries);

export const changesResponseSchema = v.object({
  /** Newest first, each with all that counted from then on. */
  changes: v.array(v.object({ version: v.number(), staff: v.string(), at: instantSchema, ...settingsEntries })),
  /** Give it as `cursor` for what is older; absent on the last page. */
  nextCursor: v.optional(v.string()),
});
