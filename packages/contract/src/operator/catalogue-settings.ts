/** What an operator can change of the shipped catalogue, and add to it. A file of `opencashier catalogue apply` has the same form. */
import * as v from 'valibot';
import { formFieldSchema } from '../api/form-field.ts';
import { cardViewTypes, feeRuleSchema, methodFlagsSchema } from '../api/payment-method.ts';
import { countrySchema, currencySchema, decimalStringSchema, methodNameSchema, textSchema } from '../api/scalar.ts';

const mostPosition = 1_000_000;
/** Its place, in rising order. @example 10 */
const positionSchema = v.pipe(v.number(), v.integer(), v.minValue(-mostPosition), v.maxValue(mostPosition));

/** The longest drawing of an icon, in characters. */
const longestIcon = 20_000;

const boundsSchema = v.strictObject({
  /** The smallest amount. Absent: the shipped limit. @example "20.00" */
  min: v.optional(decimalStringSchema),
  /** The largest amount. Absent: the shipped limit. @example "500.00" */
  max: v.optional(decimalStringSchema),
});

const languageSchema = v.pipe(
  v.string(),
  v.regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'a language such as en or pt-BR'),
);
/** @example "Card" */
const shortTextSchema = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(300),
  v.regex(/^[^\p{Cc}]*$/u, 'a text of one line'),
);
/** A text by language. A language without a text shows the English one. @example {"en": "Card", "de": "Karte"} */
export const wordsSchema = v.record(languageSchema, shortTextSchema);

/** The group on the first screen, as the catalogue names it: one that ships with the cashier, or one of yours. @example "cards" */
export const groupNameSchema = v.pipe(v.string(), v.regex(/^[a-z0-9_-]{1,64}$/, 'the name of a group'));
/** The name of an icon. @example "card" */
const iconNameSchema = v.pipe(v.string(), v.regex(/^[a-z0-9_-]{1,64}$/, 'the name of an icon'));

/** Amounts that the form offers, in one currency. */
export const suggestedSchema = v.strictObject({
  /** The amount that the field shows at first. */
  prefilled: v.optional(decimalStringSchema),
  /** Amounts that one press enters. The user can also type another amount. */
  recommended: v.optional(v.array(decimalStringSchema)),
  /** The only amounts that the user can choose. */
  fixed: v.optional(v.array(decimalStringSchema)),
});

const viewNames = Object.keys(cardViewTypes) as [keyof typeof cardViewTypes, ...(keyof typeof cardViewTypes)[]];

// As the operator writes them: a field that the contract does not have is refused.
export const ownFieldSchema = v.strictObject(formFieldSchema.entries);
export const ownFlagsSchema = v.strictObject(methodFlagsSchema.entries);
export const ownFeeSchema = v.strictObject(feeRuleSchema.entries);

/** A field that is absent keeps the shipped value, or the value of `basedOn`. */
export const methodSettingsEntries = {
  /** Of a new method: the name of the shipped method that it copies. Absent: the entry itself says everything. */
  basedOn: v.optional(methodNameSchema),
  /** `false`: users are not offered the method. */
  enabled: v.optional(v.boolean()),
  position: v.optional(positionSchema),
  group: v.optional(groupNameSchema),
  /** The provider that moves the money, as the cashier names it. @example "stripe" */
  provider: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9_-]{1,64}$/, 'the name of a provider'))),
  /** For the provider alone, such as the sandbox's `flow`. @example {"flow": "redirect"} */
  options: v.optional(v.record(v.string(), textSchema)),
  /** The page that the method's tile opens. */
  view: v.optional(v.picklist(viewNames)),
  /** The kind of the method. */
  category: v.optional(v.picklist(['fiat', 'crypto', 'onramp', 'nigerian_banks'])),
  /** Whether users can deposit, withdraw or do both with the method. */
  directions: v.optional(v.pipe(v.array(v.picklist(['deposit', 'withdrawal'])), v.minLength(1))),
  /** `all`: every country of the catalogue that has a currency of the method. */
  countries: v.optional(v.union([v.literal('all'), v.pipe(v.array(countrySchema), v.minLength(1))])),
  /** The only currencies that the method accepts. Absent: all that have limits. */
  currencies: v.optional(v.pipe(v.array(currencySchema), v.minLength(1))),
  /**
   * By currency. They replace the shipped limits. A limit beyond that of the provider is refused. A currency that the shipped method
   * does not accept needs both limits.
   */
  limits: v.optional(v.record(currencySchema, boundsSchema)),
  /** By currency. They replace all shipped fees of the method; an empty object removes the fees. */
  fees: v.optional(v.record(currencySchema, ownFeeSchema)),
  title: v.optional(wordsSchema),
  /** One line under the title, by language. @example {"en": "Visa and Mastercard"} */
  description: v.optional(wordsSchema),
  /** The icons of the tile, by their names. */
  icons: v.optional(v.pipe(v.array(iconNameSchema), v.minLength(1), v.maxLength(8))),
  /** The fields of the form, besides the amount. They replace all shipped fields. */
  fields: v.optional(v.array(ownFieldSchema)),
  /** The banks to choose from, in the method's field of the category `bank`. */
  banks: v.optional(
    v.pipe(
      v.array(
        v.strictObject({
          /** What the user sees. @example "Example Bank" */
          text: shortTextSchema,
          /** What the provider gets. @example "example-bank" */
          value: shortTextSchema,
        }),
      ),
      v.maxLength(500),
    ),
  ),
  /**
   * Steps for the payer, by language. Shown where the provider sends no instruction of its own.
   * @example {"en": ["Open the app of your bank.", "Confirm the payment."]}
   */
  instruction: v.optional(v.record(languageSchema, v.pipe(v.array(shortTextSchema), v.minLength(1), v.maxLength(20)))),
  /** Amounts that the form offers, by currency. */
  suggested: v.optional(v.record(currencySchema, suggestedSchema)),
  /** Features of the form. */
  flags: v.optional(ownFlagsSchema),
};

/** A field that is absent keeps the shipped value, or the value of `basedOn`. */
export const methodSettingsSchema = v.strictObject(methodSettingsEntries);

export const groupSettingsEntries = {
  /** `false`: users are offered none of its methods. */
  enabled: v.optional(v.boolean()),
  position: v.optional(positionSchema),
  title: v.optional(wordsSchema),
  /** `list`: the methods are on the first screen. `tile`: one tile opens them. */
  display: v.optional(v.picklist(['list', 'tile'])),
};

export const groupSettingsSchema = v.strictObject(groupSettingsEntries);

export const countrySettingsSchema = v.strictObject({
  /** `false`: the country is not offered. */
  enabled: v.optional(v.boolean()),
  /** The name in English. Needed for a new country. @example "Germany" */
  name: v.optional(shortTextSchema),
  /** In the order in which users see them. Needed for a new country. */
  currencies: v.optional(v.pipe(v.array(currencySchema), v.minLength(1))),
});

export const settingsEntries = {
  /** By the method's name. A name that does not ship with the cashier is a new method. */
  methods: v.optional(v.record(methodNameSchema, methodSettingsSchema), {}),
  /** By the group's name. A name that does not ship with the cashier is a new group. */
  groups: v.optional(v.record(groupNameSchema, groupSettingsSchema), {}),
  /** By the country's code. Countries that are not named stay as shipped. */
  countries: v.optional(v.record(countrySchema, countrySettingsSchema)),
  /** The only currencies that are offered, in every country. Absent: all. */
  currencies: v.optional(v.pipe(v.array(currencySchema), v.minLength(1))),
  /**
   * Drawings by the icon's name: SVG without scripts, links and styles. Methods name them in `icons`.
   * @example {"own-card": "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'/>"}
   */
  icons: v.optional(v.record(iconNameSchema, v.pipe(v.string(), v.maxLength(longestIcon)))),
  /**
   * `false`: the page of the widget comes without the list of methods, so nobody reads the list without a user token. The first
   * screen then takes longer. Absent: `true`.
   */
  listInPage: v.optional(v.boolean()),
};

/** What the operator sends. */
export const ownCatalogueSchema = v.strictObject(settingsEntries);
export type OwnCatalogue = v.InferOutput<typeof ownCatalogueSchema>;

/** What is stored: also the new methods that the operator has removed, because payments by them may still be open. */
export const catalogueSettingsSchema = v.strictObject({
  ...settingsEntries,
  retired: v.optional(v.record(methodNameSchema, methodSettingsSchema)),
});
/** An operator's changes to the shipped catalogue. Each change stores a new version; a stored version is never changed. */
export type CatalogueSettings = v.InferOutput<typeof catalogueSettingsSchema>;
export type MethodSettings = CatalogueSettings['methods'][string];
export type GroupSettings = CatalogueSettings['groups'][string];
export type OwnLimits = v.InferOutput<typeof boundsSchema>;
