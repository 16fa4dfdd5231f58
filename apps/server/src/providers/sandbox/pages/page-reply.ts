/** Sends the sandbox's pages, and reads their forms. */
import { createHash } from 'node:crypto';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { parseDecimal, toDecimalString } from '@opencashier/core/money/money';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isSameSecret } from '../../../sealing/is-same-secret.ts';
import type { SandboxPayment } from '../payments/payment.ts';
import { type SandboxTexts, textsOf } from '../words/texts.ts';
import { pageStyles } from './page-styles.ts';
import type { RefusedAmount } from './pay-page.ts';

const styleHash = createHash('sha256').update(pageStyles).digest('base64');

/** Sends a page with its security headers. @param returnTo the address to which a form of the page may redirect */
export function send(reply: FastifyReply, body: string, returnTo?: string): FastifyReply {
  // Browsers also apply form-action to the redirect after the POST, so the policy names the return address.
  const back = returnTo === undefined ? '' : ` ${new URL(returnTo).origin}`;
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'${back}; frame-ancestors 'none'; base-uri 'none'`,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      // The widget must still see its pop-up while this page is in it, so the page keeps its opener.
      'cross-origin-opener-policy': 'unsafe-none',
    })
    .send(body);
}

/** Whether a form carries the payment's token. Another site can post a form, but does not know the token. */
export function isOurForm(form: URLSearchParams, payment: SandboxPayment): boolean {
  return isSameSecret(form.get('token') ?? '', payment.formToken);
}

/** Larger than any form of the pages. */
const FORM_LIMIT_BYTES = 16_384;

/** Makes the routes accept forms. A handler reads its form by {@link formOf}. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
}

/** The fields of a form. Empty for a body in another format. */
export const formOf = (body: unknown): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();

/** The amount of `Pay less` in minor units: above zero and below the requested amount. */
export function readPayLess(payment: SandboxPayment, typed: string, texts?: SandboxTexts): TypedAmount {
  return readBetween(payment, typed, { above: 0n, below: payment.amountMinor }, texts);
}

/** The amount of `Pay more` in minor units: above the requested amount. */
export function readPayMore(payment: SandboxPayment, typed: string): TypedAmount {
  return readBetween(payment, typed, { above: payment.amountMinor, below: MOST_MINOR });
}

/** The amount of `Money seen` in minor units: above zero. An empty field means the requested amount. */
export function readSeen(payment: SandboxPayment, typed: string): TypedAmount {
  if (typed.trim() === '') return { minor: payment.amountMinor };
  return readBetween(payment, typed, { above: 0n, below: MOST_MINOR });
}

export type TypedAmount = { readonly minor: bigint } | RefusedAmount;

/** Far above every balance, and far below the largest integer of the database. */
const MOST_MINOR = 10n ** 17n;

function readBetween(
  { currency, amountMinor }: SandboxPayment,
  typed: string,
  { above, below }: { readonly above: bigint; readonly below: bigint },
  texts = textsOf('en'),
): TypedAmount {
  const decimals = decimalsOf(currency);
  const parsed = parseDecimal(typed.trim(), decimals);
  if (!parsed.ok) {
    const example = toDecimalString(amountMinor / 2n, decimals);
    return { typed, message: texts.say('page.less.decimals', { decimals: String(decimals), example }) };
  }
  if (parsed.minor <= above || parsed.minor >= below) {
    const least = above === 0n ? '0' : toDecimalString(above, decimals);
    const most = `${toDecimalString(below, decimals)} ${currency}`;
    return { typed, message: texts.say('page.less.between', { least, most }) };
  }
  return parsed;
}
