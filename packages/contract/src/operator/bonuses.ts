/** The bonuses that an operator offers with deposits, as settings (BON-1, SRV-1). A file of `opencashier bonuses apply` has the same form. */
import * as v from 'valibot';
import { bonusSchema, depositBonusDataSchema, freespinBonusDataSchema } from '../api/bonus.ts';
import { currencySchema, instantSchema } from '../api/scalar.ts';
import { wordsSchema } from './catalogue-settings.ts';
import { defineEndpoint } from './endpoint.ts';
import { askedInstantSchema, shownStaffSchema, staffSchema } from './fields.ts';
import { pageQuery, pageSchema } from './paging.ts';

/** The most bonuses of one operator, also those that have not begun or have ended. */
const mostBonuses = 200;
/** The longest round: a year. Minutes. */
const longestRound = 527_040;

export const ownBonusSchema = v.strictObject({
  /** The operator's id of the bonus. With `roundMinutes` users get it with the number of the round behind it. @example "welcome" */
  id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'letters, digits, - and _')),
  type: bonusSchema.entries.type,
  /** The currency of the deposits that get the bonus. Its amounts are in this currency, too. */
  currency: currencySchema,
  /**
   * The title by language. English (`en`) is needed. Users of another language see English.
   * @example {"en": "Welcome bonus", "de": "Willkommensbonus"}
   */
  title: wordsSchema,
  /** A second line under the title, by language. @example {"en": "We double your deposit"} */
  subtitle: v.optional(wordsSchema),
  /** The terms of bonus money. Needed when `type` is `deposit`. */
  depositBonusData: v.optional(v.strictObject(depositBonusDataSchema.entries)),
  /** The terms of free spins. Needed when `type` is `freespin`. */
  freespinBonusData: v.optional(v.strictObject(freespinBonusDataSchema.entries)),
  depositRequired: bonusSchema.entries.depositRequired,
  /** Users are not offered the bonus before. Absent: it has begun. */
  startsAt: v.optional(askedInstantSchema),
  /** Users are not offered the bonus from then on. Absent: it does not end. */
  endsAt: v.optional(askedInstantSchema),
  /**
   * The bonus is offered again every so many minutes, counted in UTC, and each round ends with its minutes. 1440: a new round every
   * day. Absent: the bonus has no rounds.
   * @example 1440
   */
  roundMinutes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(longestRound))),
});
export type OwnBonus = v.InferOutput<typeof ownBonusSchema>;

export const ownBonusesSchema = v.pipe(v.array(ownBonusSchema), v.maxLength(mostBonuses));

export const bonusSettingsRequestSchema = v.strictObject({
  /** The `version` that the operator has read; 0 if there was none. A change based on an older version is refused. @example 3 */
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
  staff: staffSchema,
  /** All bonuses, in the order in which users see them. */
  bonuses: ownBonusesSchema,
});

/** Who made a change, and when. */
const changeSchema = v.object({
  staff: shownStaffSchema,
  /** When the change was made. */
  at: instantSchema,
});

export const bonusSettingsResponseSchema = v.object({
  /** Send it with the next change. @example 3 */
  version: v.number(),
  /** Who made the last change, and when. Absent: the operator never had a bonus. */
  changed: v.optional(changeSchema),
  /** All bonuses in the order in which users see them, also those that have not begun or have ended. */
  bonuses: ownBonusesSchema,
});
export type BonusSettingsResponse = v.InferOutput<typeof bonusSettingsResponseSchema>;

export const readBonusSettings = defineEndpoint({
  id: 'read-bonus-settings',
  method: 'GET',
  path: '/bonuses',
  summary: 'The bonuses that the operator offers with deposits, also those that have not begun or have ended.',
  response: bonusSettingsResponseSchema,
});

export const putBonusSettings = defineEndpoint({
  id: 'put-bonus-settings',
  method: 'PUT',
  path: '/bonuses',
  summary:
    'Replaces all bonuses. Every node applies the change from the next call on. A deposit keeps the bonus that its user chose.',
  body: bonusSettingsRequestSchema,
  response: bonusSettingsResponseSchema,
  errors: {
    409: '`state-conflict`: the bonuses have changed since you read `version`. `params.version` is their current version.',
  },
  // Texts in many languages, with room for letters that are written as `\u0627`.
  bodyLimitBytes: 1024 * 1024,
});

export const listBonusChanges = defineEndpoint({
  id: 'list-bonus-changes',
  method: 'GET',
  path: '/bonuses/changes',
  summary: 'All changes of the bonuses, with who made them and when. Newest first, page by page.',
  query: pageQuery,
  response: pageSchema({
    /** The changes, newest first. Each has all bonuses from then on. */
    changes: v.array(
      v.object({
        /** The number of the change. @example 3 */
        version: v.number(),
        ...changeSchema.entries,
        /** The bonuses from then on. */
        bonuses: ownBonusesSchema,
      }),
    ),
  }),
});
