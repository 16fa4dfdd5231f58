/** An operator's catalogue settings: which methods and groups, in which order, within which limits. */
import { currencySchema, decimalStringSchema, methodNameSchema } from '@opencashier/contract/api';
import * as v from 'valibot';

const mostPosition = 1_000_000;
const positionSchema = v.pipe(v.number(), v.integer(), v.minValue(-mostPosition), v.maxValue(mostPosition));

const ownLimitsSchema = v.strictObject({
  min: v.optional(decimalStringSchema),
  max: v.optional(decimalStringSchema),
});

/** An absent setting has the shipped value. */
export const methodSettingsEntries = {
  enabled: v.optional(v.boolean()),
  position: v.optional(positionSchema),
  /** By currency; within the shipped limits. */
  limits: v.optional(v.record(currencySchema, ownLimitsSchema)),
};
const methodSettingsSchema = v.strictObject(methodSettingsEntries);

export const groupSettingsEntries = {
  /** False: none of its methods is offered. */
  enabled: v.optional(v.boolean()),
  position: v.optional(positionSchema),
};
const groupSettingsSchema = v.strictObject(groupSettingsEntries);

const groupNameSchema = v.pipe(v.string(), v.regex(/^[a-z0-9_-]{1,64}$/, 'the name of a group'));

export const settingsEntries = {
  /** By method name. */
  methods: v.optional(v.record(methodNameSchema, methodSettingsSchema), {}),
  /** By group name. */
  groups: v.optional(v.record(groupNameSchema, groupSettingsSchema), {}),
};
export const catalogueSettingsSchema = v.strictObject(settingsEntries);

export type OwnLimits = v.InferOutput<typeof ownLimitsSchema>;
export type MethodSettings = v.InferOutput<typeof methodSettingsSchema>;
export type GroupSettings = v.InferOutput<typeof groupSettingsSchema>;
/** Never changed in place. */
export type CatalogueSettings = v.InferOutput<typeof catalogueSettingsSchema>;

export const noSettings: CatalogueSettings = { methods: {}, groups: {} };

/** The settings of one name. A name such as `constructor` has none. */
export function settingOf<Setting>(settings: Readonly<Record<string, Setting>>, name: string): Setting | undefined {
  return Object.hasOwn(settings, name) ? settings[name] : undefined;
}
