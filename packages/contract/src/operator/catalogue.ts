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
import { shownProviderSchema, shownStaffSchema, staffSchema } from './fields.ts';
import { pageQuery, pageSchema } from './paging.ts';

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
  /** The group under which the first screen shows the method, as `groups` names it. @example "cards" */
  group: v.string(),
  /** The countries in which it is offered. */
  countries: v.array(countrySchema),
  provider: shownProviderSchema,
  /** Whether this server has the settings that the provider needs. Without them nobody is offered the method. */
  isProviderSetUp: v.boolean(),
  /** `false`: the operator has added the method. Its `shippedLimits` are then its own. */
  isShipped: v.boolean(),
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
  /** The operator's own limits, by currency. They replace the shipped ones. @example {"EUR": {"min": "20.00"}} */
  limits: v.record(
    currencySchema,
    v.object({
      /** The smallest amount. Absent: the shipped limit. @example "20.00" */
      min: v.optional(decimalStringSchema),
      /** The largest amount. Absent: the shipped limit. @example "500.00" */
      max: v.optional(decimalStringSchema),
    }),
  ),
});

const groupSchema = v.object({
  /** The group, by its name in `groups` of the catalogue. @example "cards" */
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
    /** The setting, such as `methods.card.limits.USD.max`. @example "methods.card.limits.USD.max" */
    path: v.string(),
    /** How it differs. @example "changed" */
    kind: v.picklist(['added', 'changed', 'removed']),
    /** The present value. Absent: it is added. @example "1000.00" */
    before: v.optional(v.unknown()),
    /** The value after the change. Absent: it is removed. @example "500.00" */
    after: v.optional(v.unknown()),
  }),
);

export const previewCatalogue = defineEndpoint({
  id: 'preview-catalogue',
  method: 'POST',
  path: '/catalogue/preview',
  summary: 'Checks a catalogue as `PUT /catalogue` does, and answers what it would change. Nothing is stored.',
  body: ownCatalogueSchema,
  response: v.object({
    /** The present version. Send it with the change. @example 3 */
    version: v.number(),
    /** What the catalogue would change. Empty: nothing. */
    differences: differencesSchema,
    /** Settings that may be a mistake, such as no enabled method. @example ["No method is enabled."] */
    warnings: v.array(v.string()),
  }),
  bodyLimitBytes: largestCatalogue,
});

export const rollbackCatalogue = defineEndpoint({
  id: 'rollback-catalogue',
  method: 'POST',
  path: '/catalogue/rollback',
  summary: 'Makes a new version with the settings of an earlier one.',
  body: v.strictObject({
    ...changeEntries,
    /** The version whose settings apply again. 0: none, as shipped. @example 2 */
    to: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2_147_483_647)),
  }),
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
