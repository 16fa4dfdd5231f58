/** Where a person goes after the provider's page. A stranger must not choose this address (open redirect). */
import type { Operators } from '../operators/operators.ts';
import { returnPageUrl } from './return-page.ts';

/** The wanted address when it has the cashier's origin or an origin of the operator, else the cashier's own page. */
export function returnUrlOf(
  operators: Pick<Operators, 'byId'>,
  publicUrl: string,
  product: string,
  operatorId: string,
  wanted: string | undefined,
): string {
  if (wanted !== undefined && URL.canParse(wanted)) {
    const { origin, href } = new URL(wanted);
    const isKnown = origin === new URL(publicUrl).origin || operators.byId(operatorId)?.allowedOrigins.includes(origin);
    // A blob: address has its creator's origin, and an address with credentials looks like another site's.
    if (isKnown && href.startsWith(`${origin}/`)) return href;
  }
  return returnPageUrl(publicUrl, product);
}
