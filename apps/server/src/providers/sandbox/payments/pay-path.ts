/** The address and the language of a payment's pay page. */

import { type SandboxTexts, textsOf } from '../words/texts.ts';
import type { SandboxPayment } from './payment.ts';

/** The path of the page. It names the language, except English. */
export function payPath({ ref }: Pick<SandboxPayment, 'ref'>, { language }: Pick<SandboxTexts, 'language'>): string {
  return `/sandbox/pay/${ref}${language === 'en' ? '' : `?locale=${language}`}`;
}

/**
 * The texts of the page. The page's own address may name the language. Otherwise the return address does, because the cashier's pages
 * name it there.
 */
export function pageTexts(asked: unknown, returnUrl = ''): SandboxTexts {
  const back = URL.canParse(returnUrl) ? new URL(returnUrl).searchParams.get('locale') : null;
  return textsOf(typeof asked === 'string' ? asked : (back ?? undefined));
}
