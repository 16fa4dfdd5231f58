/** The catalogue as operators read and change it: its methods and groups, their order and their limits. */
import * as v from 'valibot';
import { amountRuleSchema } from '../api/payment-method.ts';
import { countrySchema, currencySchema, decimalStringSchema, instantSchema, methodNameSchema } from '../api/scalar.ts';
import {
  groupNameSchema,
  groupSettingsEntries,
  methodSettingsEntries,
  ownCatalogueSchema,
  settingsEntries,
} from './catalogue-settings.ts';
import { defineEndpoint } from './endpoint.ts';
import { staffSchema } from './fields.ts';
import { pageQuery, pageSchema } from './paging.ts';

const changeEntries = {
  /** The `version` that the operator has read; 0 if there was none. A change based on an older version is refused. */
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
  /** Whether this server has the settings that the provider needs. Without them nobody is offered the method. */
  isProviderSetUp: v.boolean(),
  /** `false`: the operator has added the method. Its `shippedLimits` are then its own. */
  isShipped: v.boolean(),
  enabled: v.boolean(),
  /**
   * Whether users are offered the method. The method and its group are enabled, its provider is set up, and its limits allow at
   * least one amount.
   */
  isOffered: v.boolean(),
  position: v.number(),
  shippedPosition: v.number(),
  shippedLimits: v.record(currencySchema, amountRuleSchema),
  /** The operator's own limits, by currency. They replace the shipped ones. */
  limits: v.record(
    currencySchema,
    v.object({ min: v.optional(decimalStringSchema), max: v.optional(decimalStringSchema) }),
  ),
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
  /** Send it with the next change. */
  version: v.number(),
  /** Who made the last change, and when. Absent: the operator has changed nothing. */
  changed: v.optional(v.object({ staff: v.string(), at: instantSchema })),
  /** Settings that may be a mistake, such as no enabled method. */
  warnings: v.array(v.string()),
  /** Whether the page of the widget comes with the list of methods. */
  listInPage: v.boolean(),
  /** In the order in which users see them. */
  groups: v.array(groupSchema),
  methods: v.array(methodSchema),
  /** The operator's own catalogue, as `PUT /catalogue` takes it. */
  own: ownCatalogueSchema,
});
export type CatalogueResponse = v.InferOutput<typeof catalogueResponseSchema>;

/** Bytes. The limits of all methods in all currencies, and drawings, make a catalogue larger than other bodies. */
const largestCatalogue = 1024 * 1024;

const staleVersion =
  '`state-conflict`: the catalogue has changed since you read `version`. `params.version` is its current version.';

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
  bodyLimitBytes: largestCatalogue,
});

export const putMethodSettings = defineEndpoint({
  id: 'put-method-settings',
  method: 'PUT',
  path: '/catalogue/methods/{name}',
  summary:
    'Replaces the settings of one method, or adds a new method. A field that is left out gets the shipped value.',
  params: v.object({ name: methodNameSchema }),
  body: methodRequestSchema,
  response: catalogueResponseSchema,
  errors: { 404: '`not-found`: there is no such method.', 409: staleVersion },
});

export const putGroupSettings = defineEndpoint({
  id: 'put-group-settings',
  method: 'PUT',
  path: '/catalogue/groups/{name}',
  summary:
    'Replaces the settings of one group, or adds a new group. If the group is disabled, users are offered none of its methods.',
  params: v.object({ name: groupNameSchema }),
  body: groupRequestSchema,
  response: catalogueResponseSchema,
  errors: { 404: '`not-found`: there is no such group.', 409: staleVersion },
});

const differencesSchema = v.array(
  v.object({
    /** Such as `methods.card.limits.USD.max`. */
    path: v.string(),
    kind: v.picklist(['added', 'changed', 'removed']),
    before: v.optional(v.unknown()),
    after: v.optional(v.unknown()),
  }),
);

export const previewCatalogue = defineEndpoint({
  id: 'preview-catalogue',
  method: 'POST',
  path: '/catalogue/preview',
  summary: 'Checks a catalogue as `PUT /catalogue` does, and answers what it would change. Nothing is stored.',
  body: ownCatalogueSchema,
  response: v.object({ version: v.number(), differences: differencesSchema, warnings: v.array(v.string()) }),
  bodyLimitBytes: largestCatalogue,
});

export const rollbackCatalogue = defineEndpoint({
  id: 'rollback-catalogue',
  method: 'POST',
  path: '/catalogue/rollback',
  summary: 'Makes a new version with the settings of an earlier one.',
  body: v.strictObject({ ...changeEntries, to: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  response: catalogueResponseSchema,
  errors: { 404: '`not-found`: there is no such version.', 409: staleVersion },
});

export const listCatalogueChanges = defineEndpoint({
  id: 'list-catalogue-changes',
  method: 'GET',
  path: '/catalogue/changes',
  summary: 'All changes of the catalogue, with who made them and when. Newest first, page by page.',
  query: pageQuery,
  response: pageSchema({
    /** Newest first. Each has all settings that were valid from then on. */
    changes: v.array(v.object({ version: v.number(), staff: v.string(), at: instantSchema, ...settingsEntries })),
  }),
});
