/** The catalogue as operators read and change it: which methods and groups, in which order, within which limits. */
import * as v from 'valibot';
import { amountRuleSchema } from '../api/payment-method.ts';
import { countrySchema, currencySchema, decimalStringSchema, instantSchema, methodNameSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { staffSchema } from './fields.ts';
import { pageQuery, pageSchema } from './paging.ts';

const mostPosition = 1_000_000;
const positionSchema = v.pipe(v.number(), v.integer(), v.minValue(-mostPosition), v.maxValue(mostPosition));

const boundsSchema = v.strictObject({ min: v.optional(decimalStringSchema), max: v.optional(decimalStringSchema) });

/** Whatever is absent is as shipped. */
const methodSettingsEntries = {
  enabled: v.optional(v.boolean()),
  position: v.optional(positionSchema),
  /** By currency; within the shipped ones. */
  limits: v.optional(v.record(currencySchema, boundsSchema)),
};

const groupSettingsEntries = {
  /** Off: none of its methods is offered. */
  enabled: v.optional(v.boolean()),
  position: v.optional(positionSchema),
};

const groupNameSchema = v.pipe(v.string(), v.regex(/^[a-z0-9_-]{1,64}$/, 'the name of a group'));

const settingsEntries = {
  /** By the method's name. */
  methods: v.optional(v.record(methodNameSchema, v.strictObject(methodSettingsEntries)), {}),
  /** By the group's name. */
  groups: v.optional(v.record(groupNameSchema, v.strictObject(groupSettingsEntries)), {}),
};

export const catalogueSettingsSchema = v.strictObject(settingsEntries);
/** What an operator changed of the shipped catalogue. Never changed in place. */
export type CatalogueSettings = v.InferOutput<typeof catalogueSettingsSchema>;
export type MethodSettings = CatalogueSettings['methods'][string];
export type GroupSettings = CatalogueSettings['groups'][string];
export type OwnLimits = v.InferOutput<typeof boundsSchema>;

const changeEntries = {
  /** The `version` that was read: a change of anything older is refused. 0 where there was none. */
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
  staff: staffSchema,
};

export const catalogueRequestSchema = v.strictObject({ ...changeEntries, ...settingsEntries });
export const methodRequestSchema = v.strictObject({ ...changeEntries, ...methodSettingsEntries });
export const groupRequestSchema = v.strictObject({ ...changeEntries, ...groupSettingsEntries });

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
  /** The operator's own, by currency; the narrower of both counts. */
  limits: v.record(currencySchema, v.object(boundsSchema.entries)),
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
  /** Who made the last change; absent while the catalogue is as shipped. */
  changed: v.optional(v.object({ staff: v.string(), at: instantSchema })),
  /** What may not be meant, such as that no method is left. */
  warnings: v.array(v.string()),
  /** In the order in which people see them. */
  groups: v.array(groupSchema),
  methods: v.array(methodSchema),
});
export type CatalogueResponse = v.InferOutput<typeof catalogueResponseSchema>;

const staleVersion =
  '`state-conflict`: the catalogue has changed since `version` was read; `params.version` is the one it has now.';
const nameParams = v.object({ name: v.string() });

export const readCatalogue = defineEndpoint({
  id: 'read-catalogue',
  method: 'GET',
  path: '/catalogue',
  summary: 'Every method and group that ships with the cashier, and what the operator has made of it.',
  response: catalogueResponseSchema,
});

export const putCatalogue = defineEndpoint({
  id: 'put-catalogue',
  method: 'PUT',
  path: '/catalogue',
  summary:
    'Sets up the whole catalogue anew; what is not named is as shipped. It counts at every node from the next call on; payments in progress go on.',
  body: catalogueRequestSchema,
  response: catalogueResponseSchema,
  errors: { 409: staleVersion },
  // Limits of every method in every currency are more than other requests carry.
  bodyLimitBytes: 256 * 1024,
});

export const putMethodSettings = defineEndpoint({
  id: 'put-method-settings',
  method: 'PUT',
  path: '/catalogue/methods/{name}',
  summary: 'Sets up one method; what is left out is as shipped.',
  params: nameParams,
  body: methodRequestSchema,
  response: catalogueResponseSchema,
  errors: { 404: '`not-found`: there is no such method.', 409: staleVersion },
});

export const putGroupSettings = defineEndpoint({
  id: 'put-group-settings',
  method: 'PUT',
  path: '/catalogue/groups/{name}',
  summary: 'Sets up one group; without it none of its methods is offered.',
  params: nameParams,
  body: groupRequestSchema,
  response: catalogueResponseSchema,
  errors: { 404: '`not-found`: there is no such group.', 409: staleVersion },
});

export const listCatalogueChanges = defineEndpoint({
  id: 'list-catalogue-changes',
  method: 'GET',
  path: '/catalogue/changes',
  summary: 'Who has set up the catalogue, when, and as what; newest first, page by page.',
  query: pageQuery,
  response: pageSchema({
    /** Newest first, each with all that counted from then on. */
    changes: v.array(v.object({ version: v.number(), staff: v.string(), at: instantSchema, ...settingsEntries })),
  }),
});
