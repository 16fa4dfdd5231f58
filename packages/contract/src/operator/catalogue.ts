/** The catalogue as operators read and change it: its methods and groups, their order and their limits. */
import * as v from 'valibot';
import { amountRuleSchema } from '../api/payment-method.ts';
import { countrySchema, currencySchema, decimalStringSchema, instantSchema, methodNameSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { shownProviderSchema, shownStaffSchema, staffSchema } from './fields.ts';
import { pageQuery, pageSchema } from './paging.ts';

const mostPosition = 1_000_000;
/** The place in the list, in rising order. @example 10 */
const positionSchema = v.pipe(v.number(), v.integer(), v.minValue(-mostPosition), v.maxValue(mostPosition));

const boundsSchema = v.strictObject({
  /** The smallest amount. Absent: the shipped limit. @example "20.00" */
  min: v.optional(decimalStringSchema),
  /** The largest amount. Absent: the shipped limit. @example "500.00" */
  max: v.optional(decimalStringSchema),
});

/** A field that is absent keeps the shipped value. */
const methodSettingsEntries = {
  /** `false`: users are not offered the method. */
  enabled: v.optional(v.boolean()),
  position: v.optional(positionSchema),
  /** The operator's own limits, by currency. They can only narrow the shipped limits. @example {"EUR": {"min": "20.00", "max": "500.00"}} */
  limits: v.optional(v.record(currencySchema, boundsSchema)),
};

const groupSettingsEntries = {
  /** `false`: users are offered none of its methods. */
  enabled: v.optional(v.boolean()),
  position: v.optional(positionSchema),
};

/** The name of a group. @example "cards" */
const groupNameSchema = v.pipe(v.string(), v.regex(/^[a-z0-9_-]{1,64}$/, 'the name of a group'));

const settingsEntries = {
  /** Settings of methods, by the method's name. @example {"card": {"enabled": true, "position": 10}} */
  methods: v.optional(v.record(methodNameSchema, v.strictObject(methodSettingsEntries)), {}),
  /** Settings of groups, by the group's name. @example {"cards": {"position": 1}} */
  groups: v.optional(v.record(groupNameSchema, v.strictObject(groupSettingsEntries)), {}),
  /**
   * `false`: the page of the widget comes without the list of methods, so nobody reads the list without a user token. The first
   * screen then takes longer. Absent: `true`.
   */
  listInPage: v.optional(v.boolean()),
};

export const catalogueSettingsSchema = v.strictObject(settingsEntries);
/** An operator's changes to the shipped catalogue. Each change stores a new version; a stored version is never changed. */
export type CatalogueSettings = v.InferOutput<typeof catalogueSettingsSchema>;
export type MethodSettings = CatalogueSettings['methods'][string];
export type GroupSettings = CatalogueSettings['groups'][string];
export type OwnLimits = v.InferOutput<typeof boundsSchema>;

const changeEntries = {
  /** The `version` that the operator has read; 0 if there was none. A change based on an older version is refused. @example 3 */
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
  staff: staffSchema,
};

export const catalogueRequestSchema = v.strictObject({ ...changeEntries, ...settingsEntries });
export const methodRequestSchema = v.strictObject({ ...changeEntries, ...methodSettingsEntries });
export const groupRequestSchema = v.strictObject({ ...changeEntries, ...groupSettingsEntries });

const methodSchema = v.object({
  name: methodNameSchema,
  /** The title in English. @example "Card" */
  title: v.string(),
  /** Its kind, such as `crypto`. @example "card" */
  category: v.string(),
  /** Whether users can deposit or withdraw with the method. */
  directions: v.array(v.picklist(['deposit', 'withdrawal'])),
  /** The name of its group. @example "cards" */
  group: v.string(),
  /** The countries in which it is offered. */
  countries: v.array(countrySchema),
  provider: shownProviderSchema,
  /** Whether this server has the settings that the provider needs. Without them nobody is offered the method. */
  isProviderSetUp: v.boolean(),
  /** Whether the operator has switched the method on. */
  enabled: v.boolean(),
  /**
   * Whether users are offered the method. The method and its group are enabled, its provider is set up, and its limits allow at
   * least one amount.
   */
  isOffered: v.boolean(),
  /** Its place among all methods, in rising order. @example 10 */
  position: v.number(),
  /** Its place without the operator's settings. @example 10 */
  shippedPosition: v.number(),
  /** The limits that ship with the cashier, by currency. @example {"EUR": {"min": "10.00", "max": "1000.00"}} */
  shippedLimits: v.record(currencySchema, amountRuleSchema),
  /** The operator's own limits, by currency. The narrower of the two limits applies. @example {"EUR": {"min": "20.00"}} */
  limits: v.record(currencySchema, v.object(boundsSchema.entries)),
});

const groupSchema = v.object({
  /** The name of the group. @example "cards" */
  name: v.string(),
  /** The title in English. @example "Cards" */
  title: v.string(),
  /** Whether the operator has switched the group on. */
  enabled: v.boolean(),
  /** Its place among the groups, in rising order. @example 1 */
  position: v.number(),
  /** Its place without the operator's settings. @example 1 */
  shippedPosition: v.number(),
});

/** Who made a change, and when. */
const changeSchema = v.object({
  staff: shownStaffSchema,
  /** When the change was made. */
  at: instantSchema,
});

export const catalogueResponseSchema = v.object({
  /** Send it with the next change. @example 3 */
  version: v.number(),
  /** Who made the last change, and when. Absent: the operator has changed nothing. */
  changed: v.optional(changeSchema),
  /** Settings that may be a mistake, such as no enabled method. @example ["No method is enabled."] */
  warnings: v.array(v.string()),
  /** Whether the page of the widget comes with the list of methods. */
  listInPage: v.boolean(),
  /** The groups in the order in which users see them. */
  groups: v.array(groupSchema),
  /** The methods in the order in which users see them. */
  methods: v.array(methodSchema),
});
export type CatalogueResponse = v.InferOutput<typeof catalogueResponseSchema>;

const staleVersion =
  '`state-conflict`: the catalogue has changed since you read `version`. `params.version` is its current version.';
const nameParams = v.object({
  /** The name of the method or group. @example "card" */
  name: v.string(),
});

export const readCatalogue = defineEndpoint({
  id: 'read-catalogue',
  method: 'GET',
  path: '/catalogue',
  summary: 'Every method and group that ships with the cashier, with the operator’s own settings.',
  response: catalogueResponseSchema,
});

export const putCatalogue = defineEndpoint({
  id: 'put-catalogue',
  method: 'PUT',
  path: '/catalogue',
  summary:
    'Replaces all settings of the catalogue. What the request does not name gets the shipped value. Every node applies the change from the next call on. Payments in progress continue.',
  body: catalogueRequestSchema,
  response: catalogueResponseSchema,
  errors: { 409: staleVersion },
  // The limits of all methods in all currencies make this body larger than those of other requests.
  bodyLimitBytes: 256 * 1024,
});

export const putMethodSettings = defineEndpoint({
  id: 'put-method-settings',
  method: 'PUT',
  path: '/catalogue/methods/{name}',
  summary: 'Replaces the settings of one method. A field that is left out gets the shipped value.',
  params: nameParams,
  body: methodRequestSchema,
  response: catalogueResponseSchema,
  errors: { 404: '`not-found`: there is no such method.', 409: staleVersion },
});

export const putGroupSettings = defineEndpoint({
  id: 'put-group-settings',
  method: 'PUT',
  path: '/catalogue/groups/{name}',
  summary: 'Replaces the settings of one group. If the group is disabled, users are offered none of its methods.',
  params: nameParams,
  body: groupRequestSchema,
  response: catalogueResponseSchema,
  errors: { 404: '`not-found`: there is no such group.', 409: staleVersion },
});

export const listCatalogueChanges = defineEndpoint({
  id: 'list-catalogue-changes',
  method: 'GET',
  path: '/catalogue/changes',
  summary: 'All changes of the catalogue, with who made them and when. Newest first, page by page.',
  query: pageQuery,
  response: pageSchema({
    /** The changes, newest first. Each has all settings that were valid from then on. */
    changes: v.array(
      v.object({
        /** The number of the change. @example 3 */
        version: v.number(),
        ...changeSchema.entries,
        ...settingsEntries,
      }),
    ),
  }),
});
