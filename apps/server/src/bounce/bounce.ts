/**
 * The way to a provider that wants a form posted to it (DEP-3). The widget's page may post only to the cashier, so that an
 * injected script cannot send away what a person typed. A page between them therefore posts the form to the provider. Its
 * address holds a token and nothing else.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { DepositResponse, RedirectForm } from '@opencashier/contract/api';
import { safeLink } from '@opencashier/core/links/safe-link';
import type { Database } from '../database/database.ts';
import { isStorableText } from '../database/storable-text.ts';

/** What the page shows and posts. */
export interface BouncedForm {
  readonly operatorId: string;
  /** Checked: https, or http to this machine when the cashier itself has no https. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly language: string;
}

/** The visitor for whom a form is kept. */
export interface BounceFor {
  readonly operatorId: string;
  /** The language of the page's texts. */
  readonly language: string;
}

export interface Bounce {
  /** Keeps a form for one visit and answers the address that posts it. Undefined when the form's address is not safe. */
  keep(visitor: BounceFor, form: Pick<RedirectForm, 'action' | 'fields'>): Promise<string | undefined>;
  /** Replaces a form in a create answer with the address of the page that posts it. Leaves any other answer as it is. */
  wrap(visitor: BounceFor, response: DepositResponse): Promise<DepositResponse>;
  /** Takes a kept form out. Only the first visit gets it. */
  take(token: string): Promise<BouncedForm | undefined>;
}

/** How long a form is kept, in seconds. A person may hesitate, but an address that leaked into a log must soon be worthless. */
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

/** The form that an answer asks the widget to post, if it has one. */
function postedForm({ apiResponse }: DepositResponse): Pick<RedirectForm, 'action' | 'fields'> | undefined {
  const { source, method } = apiResponse;
  if (source === undefined || source === null || source === '') return undefined;
  if (typeof source !== 'string') return source.method === 'POST' ? source : undefined;
  return method === 'POST' ? { action: source, fields: {} } : undefined;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
