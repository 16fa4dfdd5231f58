/**
 * The way to a provider that wants a form posted to it (DEP-3). The widget's own page may post to nobody but the cashier, so
 * that a script that gets into it cannot send away what a person typed. A page of one form goes between: its address holds a
 * token and nothing else, and it posts to that one provider, which may lead on to a bank's site.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { DepositResponse, RedirectForm } from '@opencashier/contract/api';
import { safeLink } from '@opencashier/core/links/safe-link';
import type { Database } from '../database/database.ts';
import { isStorableText } from '../database/storable-text.ts';

/** What the page shows and posts. */
export interface BouncedForm {
  readonly operatorId: string;
  /** Checked: https, or this very machine where the cashier itself is no more. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly language: string;
}

/** For whom a form is kept. */
export interface BounceFor {
  readonly operatorId: string;
  /** Of the page's words. */
  readonly language: string;
}

export interface Bounce {
  /** Keeps a form for one visit and answers the address that posts it. Undefined when the form leads where nobody may be led. */
  keep(visitor: BounceFor, form: Pick<RedirectForm, 'action' | 'fields'>): Promise<string | undefined>;
  /** A create answer as the widget gets it: a form to post becomes the address of its page; any other stays as it is. */
  wrap(visitor: BounceFor, response: DepositResponse): Promise<DepositResponse>;
  /** Takes a kept form out: the first visit gets it, and no other. */
  take(token: string): Promise<BouncedForm | undefined>;
}

/** Long enough for a person who hesitates, short enough for an address that was written down somewhere. Seconds. */
export const BOUNCE_LIFETIME_S = 600;
const TOKEN_BYTES = 32;
const tokenShape = /^[A-Za-z0-9_-]{43}$/;
const FALLBACK_LANGUAGE = 'en';

export function bouncePath(product: string): string {
  return `/${product}/bounce`;
}

export function createBounce({
  database,
  publicUrl,
  product,
}: {
  readonly database: Pick<Database, 'query'>;
  readonly publicUrl: string;
  readonly product: string;
}): Bounce {
  const policy = { allowLoopbackHttp: publicUrl.startsWith('http:') };

  const keep: Bounce['keep'] = async ({ operatorId, language }, { action, fields }) => {
    const href = safeLink(action, policy);
    if (href === undefined) return undefined;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    await database.query({
      name: 'bounce-keep',
      text: `with gone as (delete from bounce where expires_at < now())
        insert into bounce (token_hash, operator_id, form, language, expires_at)
        values ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
      values: [
        hashOf(token),
        operatorId,
        JSON.stringify({ action: href, fields: fields ?? {} }),
        isStorableText(language) ? language : FALLBACK_LANGUAGE,
        BOUNCE_LIFETIME_S,
      ],
    });
    return `${publicUrl}${bouncePath(product)}/${token}`;
  };

  return {
    keep,
    async wrap(visitor, response) {
      const form = postedForm(response);
      const address = form && (await keep(visitor, form));
      if (address === undefined) return response;
      return { ...response, apiResponse: { ...response.apiResponse, source: address, method: 'GET' } };
    },
    async take(token) {
      if (!tokenShape.test(token)) return undefined;
      const [row] = await database.query<{
        operator_id: string;
        form: Pick<BouncedForm, 'action' | 'fields'>;
        language: string;
      }>({
        name: 'bounce-take',
        text: `delete from bounce where token_hash = $1 and expires_at > now() returning operator_id, form, language`,
        values: [hashOf(token)],
      });
      return row && { operatorId: row.operator_id, language: row.language, ...row.form };
    },
  };
}

/** The form that an answer wants posted, if it does. */
function postedForm({ apiResponse }: DepositResponse): Pick<RedirectForm, 'action' | 'fields'> | undefined {
  const { source, method } = apiResponse;
  if (source === undefined || source === null || source === '') return undefined;
  if (typeof source !== 'string') return source.method === 'POST' ? source : undefined;
  return method === 'POST' ? { action: source, fields: {} } : undefined;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
