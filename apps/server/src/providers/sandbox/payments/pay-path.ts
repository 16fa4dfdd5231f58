/** Where the pay page of a payment is, and in which language it speaks. */

import { type SandboxTexts, textsOf } from '../words/texts.ts';
import type { SandboxPayment } from './payment.ts';

/** The path of the page, with its language where that is not English. */
export function payPath({ ref }: Pick<SandboxPayment, 'ref'>, { language }: Pick<SandboxTexts, 'language'>): string {
  return `/sandbox/pay/${ref}${language === 'en' ? '' : `?locale=${language}`}`;
}

/**
 * The texts of the page: of the language that its address names, else of the one in which the person is to come back, which the
 * cashier's own pages name as well.
 */
export function pageTexts(asked: unknown, returnUrl = ''): SandboxTexts {
  const back = URL.canParse(returnUrl) ? new URL(returnUrl).searchParams.get('locale') : null;
  return textsOf(typeof asked === 'string' ? asked : (back ?? undefined));
}
