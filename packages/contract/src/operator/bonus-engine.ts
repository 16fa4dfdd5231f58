/**
 * The question of the cashier to an operator's own bonus engine: which bonuses does this user see? An operator turns the engine on with
 * the setting `bonusEngine`. Without it the list of `/bonuses` counts.
 *
 * The cashier posts the question as JSON to `bonusEngine.url`, signed like a webhook (Standard Webhooks: `webhook-id`,
 * `webhook-timestamp`, `webhook-signature` over the raw body). `webhook-id` is the `id` of the question.
 *
 * A question is answered with HTTP 200 and a {@link BonusAnswer}. Nothing happens by a question, so it may be answered any number of
 * times. The cashier keeps an answer for a while, and never waits long for one.
 *
 * Within a version a question and its answer may only get more optional fields.
 */
import * as v from 'valibot';
import { currencySchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { ownBonusSchema } from './bonuses.ts';
import { defineEndpoint } from './endpoint.ts';
import { shownUserSchema, userIdSchema } from './fields.ts';

/** The version of the question and its answer. */
export const bonusEngineVersion = 1;

/** What users see while the engine does not answer and their last answer is too old. */
export const bonusFallbacks = ['list', 'none'] as const;
export type BonusFallback = (typeof bonusFallbacks)[number];

/** The operator's own bonus engine. */
export const bonusEngineSchema = v.strictObject({
  /** The address that is asked: https, and public. @example "https://api.example.com/cashier-bonuses" */
  url: v.pipe(v.string(), v.maxLength(2000)),
  /** `false`: nobody asks the engine, and users see the list of `/bonuses`. */
  isOn: v.boolean(),
  /** What users see while the engine does not answer and their last answer is too old: the list of `/bonuses`, or no bonus. */
  fallback: v.picklist(bonusFallbacks),
});
export type BonusEngineSetting = v.InferOutput<typeof bonusEngineSchema>;

export const bonusQuestionSchema = v.object({
  /** What the cashier asks for: the bonuses of one user. */
  type: v.literal('bonuses'),
  /** The id of the question, for your log. */
  id: paymentIdSchema,
  userId: userIdSchema,
  /** The currency in which the user deposits. Absent: bonuses in every currency. */
  currency: v.optional(currencySchema),
});
export type BonusQuestion = v.InferOutput<typeof bonusQuestionSchema>;

/** The most bonuses of one user. Further ones are left out. */
export const mostBonusesOfUser = 50;

/** The answer of an engine, with HTTP status 200. */
export const bonusAnswerSchema = v.object({
  /**
   * The bonuses that this user sees, in this order. Each has the fields of `/bonuses`. A bonus that breaks a rule is left out, and the
   * operator can read why. An open page still shows the old terms of an id, so give changed terms a new id.
   */
  bonuses: v.pipe(v.array(ownBonusSchema), v.maxLength(mostBonusesOfUser)),
  /** May repeat the question's. If it differs, the answer is not used. @example "0198c0de-5d2a-7c41-9a51-6f0e7a1b2c3d" */
  id: v.optional(v.string()),
  /** May repeat the question's. If it differs, the answer is not used. @example "u-1042" */
  userId: v.optional(v.string()),
});
export type BonusAnswer = v.InferOutput<typeof bonusAnswerSchema>;

/** How long a list of bonuses waits for an answer, in milliseconds. The question goes on, and its answer serves the next list. */
export const bonusWaitMs = 300;
/** The time limit of a question, in milliseconds. */
export const bonusTimeLimitMs = 800;
/** A longer answer is not used. */
export const mostBonusAnswerBytes = 64 * 1024;

const problemSchema = v.object({
  /** When it was last seen. */
  at: instantSchema,
  /** What is wrong, such as `status 503` or `2 bonuses were left out`. @example "timeout" */
  why: v.string(),
  /** The question: `webhook-id` in the log of your engine. */
  questionId: paymentIdSchema,
  userId: shownUserSchema,
  /** The wrong fields of the answer. Absent: there was no answer that could be read. */
  fields: v.optional(
    v.array(
      v.object({
        /** The place in the answer. @example "bonuses.1.currency" */
        path: v.string(),
        /** What is wrong. @example "The cashier does not know the currency USX." */
        message: v.string(),
      }),
    ),
  ),
});

export const bonusEngineViewSchema = v.object({
  /** Where the bonuses of this operator come from. */
  source: v.picklist(['list', 'engine']),
  /** The last problem with an answer of the engine. Absent: none since the engine was set. Recorded at most once a minute. */
  problem: v.optional(problemSchema),
});
export type BonusEngineView = v.InferOutput<typeof bonusEngineViewSchema>;

export const readBonusEngine = defineEndpoint({
  id: 'read-bonus-engine',
  method: 'GET',
  path: '/bonuses/engine',
  summary: 'Whether bonuses come from the operator’s own engine, and the last problem with its answers.',
  response: bonusEngineViewSchema,
});
