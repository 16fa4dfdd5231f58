/** An operator's own texts of the widget: what it says in place of a shipped text, by language. */
import * as v from 'valibot';
import { instantSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { localeSchema, shownStaffSchema, staffSchema } from './fields.ts';
import { pageQuery, pageSchema } from './paging.ts';

/**
 * Texts by their key, such as `empty.hint`. Each is an ICU message (docs/languages.md).
 * @example {"empty.hint": "Ask our support."}
 */
export const ownTextsSchema = v.record(v.string(), v.string());

export const textsRequestSchema = v.strictObject({
  /** The `version` that the operator has read; 0 if there was none. A change based on an older version is refused. @example 3 */
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
  staff: staffSchema,
  texts: ownTextsSchema,
});

const ownTextSchema = v.object({
  /** The text that users see. @example "Ask our support." */
  text: v.string(),
  /** The shipped text of this language. Absent: this build has no such text. @example "Try another country." */
  replaces: v.optional(v.string()),
  /**
   * Why users do not see the text: it does not fit the texts of this build. Absent: users see it.
   * @example "The shipped text has no such placeholder."
   */
  problem: v.optional(v.string()),
});

/** Who made a change, and when. */
const changeSchema = v.object({
  staff: shownStaffSchema,
  /** When the change was made. */
  at: instantSchema,
});

export const textsResponseSchema = v.object({
  /** Counts the changes of all languages. Send it with the next change. @example 3 */
  version: v.number(),
  /** Who made the last change, and when. Absent: the operator has changed nothing. */
  changed: v.optional(changeSchema),
  /**
   * The own texts by the language, then by the key. A language without own texts is absent.
   * @example {"en": {"empty.hint": {"text": "Ask our support."}}}
   */
  locales: v.record(v.string(), v.record(v.string(), ownTextSchema)),
});
export type TextsResponse = v.InferOutput<typeof textsResponseSchema>;

export const readTexts = defineEndpoint({
  id: 'read-texts',
  method: 'GET',
  path: '/texts',
  summary: 'Every text of the widget that the operator has replaced, by language, beside the shipped text.',
  response: textsResponseSchema,
});

export const putTexts = defineEndpoint({
  id: 'put-texts',
  method: 'PUT',
  path: '/texts/{locale}',
  summary:
    'Replaces all own texts of one language. An empty object removes them. Every node shows the texts within seconds, to each page that is loaded after that.',
  params: v.object({ locale: localeSchema }),
  body: textsRequestSchema,
  response: textsResponseSchema,
  errors: {
    404: '`not-found`: the cashier has no such language.',
    409: '`state-conflict`: the texts have changed since you read `version`. `params.version` is their current version.',
  },
  // 64 kB of texts, with room for letters that are written as `\u0627`.
  bodyLimitBytes: 256 * 1024,
});

export const listTextChanges = defineEndpoint({
  id: 'list-text-changes',
  method: 'GET',
  path: '/texts/changes',
  summary: 'All changes of the own texts, with who made them and when. Newest first, page by page.',
  query: pageQuery,
  response: pageSchema({
    /** The changes, newest first. Each has all own texts of its language from then on. */
    changes: v.array(
      v.object({
        /** The number of the change. @example 3 */
        version: v.number(),
        /** The language that changed. @example "en" */
        locale: v.string(),
        ...changeSchema.entries,
        texts: ownTextsSchema,
      }),
    ),
  }),
});
