/** The schemas of the catalogue's JSON files, and a reader whose errors name the file and the place in it. */
import {
  amountRuleSchema,
  confirmationChannels,
  countrySchema,
  currencySchema,
  decimalStringSchema,
  feeRuleSchema,
  formFieldSchema,
  methodNameSchema,
  paymentMethodSchema,
} from '@opencashier/contract/api';
import * as v from 'valibot';

const textByLanguageSchema = v.intersect([v.object({ en: v.string() }), v.record(v.string(), v.string())]);

export const countriesFileSchema = v.pipe(
  v.array(
    v.strictObject({
      code: countrySchema,
      name: v.string(),
      currencies: v.pipe(v.array(currencySchema), v.minLength(1)),
    }),
  ),
  v.minLength(1),
);

export const groupsFileSchema = v.array(
  v.strictObject({
    name: v.string(),
    label: textByLanguageSchema,
    position: v.number(),
    display: v.picklist(['list', 'tile']),
  }),
);

/** Tiles that several methods share: the methods that name the tile in `tile`. */
export const tilesFileSchema = v.array(
  v.strictObject({
    name: v.pipe(v.string(), v.regex(/^[a-z0-9_-]{1,64}$/, 'the name of a tile')),
    text: textByLanguageSchema,
    iconIds: v.pipe(v.array(v.string()), v.minLength(1)),
  }),
);

/** The operator's suggested amounts in one currency. The widget receives them as the method's own amounts (AMT-5, AMT-6). */
const suggestedAmountsSchema = v.strictObject({
  prefilled: v.optional(decimalStringSchema),
  recommended: v.optional(v.array(decimalStringSchema)),
  fixed: v.optional(v.array(decimalStringSchema)),
});

const { recommendedAmounts: _r, fixedAmounts: _f, prefilledAmount: _p, ...sharedEntries } = paymentMethodSchema.entries;

export const methodsFileSchema = v.array(
  v.strictObject({
    ...sharedEntries,
    name: methodNameSchema,
    text: textByLanguageSchema,
    iconIds: v.pipe(v.array(v.string()), v.minLength(1)),
    amount_rules: v.record(currencySchema, amountRuleSchema),
    fees: v.optional(v.record(currencySchema, v.strictObject(feeRuleSchema.entries))),
    flags: v.optional(v.strictObject(paymentMethodSchema.entries.flags.wrapped.entries), {}),
    group: v.string(),
    provider: v.string(),
    /** Strict, unlike the contract, because a misspelt way would silently count as none. */
    way: v.optional(v.picklist(['app', 'code'])),
    /** `all`: every country of the catalogue that has a currency of the method. */
    countries: v.union([v.literal('all'), v.pipe(v.array(countrySchema), v.minLength(1))]),
    directions: v.pipe(v.array(v.picklist(['deposit', 'withdrawal'])), v.minLength(1)),
    suggested: v.optional(v.record(currencySchema, suggestedAmountsSchema), {}),
    /** The fields of `deposit-prepare`. The widget does not receive them earlier. */
    preparationFields: v.optional(v.array(formFieldSchema), []),
    /** Options for the provider only, such as the sandbox's `flow` (docs/sandbox.md). */
    providerOptions: v.optional(v.record(v.string(), v.string()), {}),
    /**
     * The payer decides the amount, as with coins sent to an address. The requested amount is the
     * minimum for a credit (CRY-1).
     */
    isOpenAmount: v.optional(v.boolean(), false),
    /** The method can buy coin boxes (SWP-1). */
    sellsBoxes: v.optional(v.boolean(), false),
    /** Steps for the payer, by language. Shown where the provider sends no instruction of its own. */
    instruction: v.optional(v.record(v.string(), v.array(v.string()))),
    /** Withdrawals by this method require a code that the operator sends by this channel (WD-2). */
    confirmationCode: v.optional(v.strictObject({ channel: v.picklist(confirmationChannels) })),
  }),
);

/** Translations by English text, for each language (UI-1). */
export const wordsSchema = v.record(v.string(), v.record(v.string(), v.pipe(v.string(), v.minLength(1))));

export type GroupEntry = v.InferOutput<typeof groupsFileSchema>[number];
export type TileEntry = v.InferOutput<typeof tilesFileSchema>[number];
export type MethodInFile = v.InferOutput<typeof methodsFileSchema>[number];
/** A method whose countries are listed. */
export type MethodEntry = Omit<MethodInFile, 'countries'> & {
  readonly countries: readonly string[];
  /** The file says `all`, so countries that an operator adds are meant, too. */
  readonly isEverywhere?: boolean;
};

/** The catalogue is invalid, so the server does not start. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';

  constructor(file: string, place: string, problem: string) {
    super(`Catalogue file ${file}${place === '' ? '' : `, at ${place}`}: ${problem}`);
  }
}

/** @throws CatalogueError with the file, the path inside it such as `3.amount_rules.INR.min`, and the problem */
export function readCatalogueFile<Schema extends v.GenericSchema>(
  file: string,
  schema: Schema,
  content: unknown,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, content);
  if (parsed.success) return parsed.output;
  const issue = parsed.issues[0];
  throw new CatalogueError(file, v.getDotPath(issue) ?? '', issue.message);
}
