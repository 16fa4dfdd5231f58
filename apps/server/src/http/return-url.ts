/** Where a person goes after the provider's page: never to an address of a stranger's choice. */
import type { Operators } from '../operators/operators.ts';
import { returnPageUrl } from './return-page.ts';

/** The wanted address if it lies on the cashier or on an origin of the operator, else the cashier's own page. */
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
    // A blob: address has the origin of its maker, and one with credentials looks like another's.
    if (isKnown && href.startsWith(`${origin}/`)) return href;
  }
  return returnPageUrl(publicUrl, product);
}
