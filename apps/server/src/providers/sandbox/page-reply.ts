/** How every page of the sandbox is sent, and what their forms share. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { parseDecimal, toDecimalString } from '@opencashier/core/money/money';
import type { FastifyReply } from 'fastify';
import { pageStyles } from './page-styles.ts';
import type { RefusedAmount } from './pay-page.ts';
import type { SandboxPayment } from './payment.ts';

const styleHash = createHash('sha256').update(pageStyles).digest('base64');

export function send(reply: FastifyReply, body: string, returnTo?: string): FastifyReply {
  // A browser applies form-action to the redirect after the post too, so the way back must be named.
  const back = returnTo === undefined ? '' : ` ${new URL(returnTo).origin}`;
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'${back}; frame-ancestors 'none'; base-uri 'none'`,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      // The widget's window must go on seeing its pop-up while this page is in it, so the two are not cut apart.
      'cross-origin-opener-policy': 'unsafe-none',
    })
    .send(body);
}

/** Whether a form carries the payment's own token: another site can post a form, but cannot know it. */
export function isOurForm(form: URLSearchParams, payment: SandboxPayment): boolean {
  const left = Buffer.from(form.get('token') ?? '');
  const right = Buffer.from(payment.formToken);
  return left.length === right.length && timingSafeEqual(left, right);
}

export const formOf = (body: unknown): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();

/** The amount of `Pay less` in minor units: more than nothing and less than what was asked. */
export function readPayLess(payment: SandboxPayment, typed: string): { readonly minor: bigint } | RefusedAmount {
  const decimals = decimalsOf(payment.currency);
  const parsed = parseDecimal(typed.trim(), decimals);
  if (!parsed.ok) {
    const example = toDecimalString(payment.amountMinor / 2n, decimals);
    return { typed, message: `Enter an amount with at most ${decimals} decimals, such as ${example}` };
  }
  if (parsed.minor <= 0n || parsed.minor >= payment.amountMinor) {
    const asked = toDecimalString(payment.amountMinor, decimals);
    return { typed, message: `Enter more than 0 and less than ${asked} ${payment.currency}` };
  }
  return parsed;
}
