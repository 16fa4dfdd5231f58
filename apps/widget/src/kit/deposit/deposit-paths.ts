/** The screen of the widget on which a created deposit continues (DEP-3). */

import type { AnswerKind } from '../session/product.ts';
import { completePath, type Place } from '../session/product-context.tsx';
import type { PageStep } from './deposit-ports.ts';

/** The path of the screen for a step. If no flow shows the answer, it is the complete screen, which says the status. */
export function stepPath(step: PageStep, { product, tree }: Pick<Place, 'product' | 'tree'>, method: string): string {
  const depositId = step.depositId ?? '';
  const kind = answerKind(step);
  const path = kind && product.answerPath(kind);
  if (path === undefined) return completePath(tree, depositId, method);
  const network = step.kind === 'own-route' ? step.data?.network : undefined;
  const query = new URLSearchParams({ ...(network === undefined ? {} : { network }), depositId });
  return `${tree}/${path.replace(':method', encodeURIComponent(method))}?${query}`;
}

/** Whether a flow of the product shows the provider's page of this id. */
export const hasPageIn =
  ({ product }: Pick<Place, 'product'>) =>
  (pageId: string): boolean =>
    product.answerPath(`page:${pageId}`) !== undefined;

function answerKind(step: PageStep): AnswerKind | undefined {
  switch (step.kind) {
    case 'unified-form':
    case 'offers':
      return step.kind;
    case 'custom-page':
      return `page:${step.page}`;
    case 'host-to-host':
      return step.data.bankTransfer === true ? 'bank-transfer' : 'host-to-host';
    case 'own-route':
      // The user sends coins to an address; its page says for which network it is.
      return step.data?.depositAddress === undefined ? undefined : 'address';
    // `fields` and `failure` stay on their screen and never come here.
    default:
      return undefined;
  }
}
