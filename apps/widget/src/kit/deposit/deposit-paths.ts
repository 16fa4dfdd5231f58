/** Where a created deposit goes on inside the widget (DEP-3). */
import type { AnswerKind, Product } from '../session/product.ts';
import type { PageStep } from './deposit-ports.ts';

interface StepPlace {
  readonly product: Pick<Product, 'answerPath'>;
  /** Address of the deposit tree. */
  readonly tree: string;
  readonly method: string;
  /** Path of the complete screen for a deposit. */
  complete(depositId: string): string;
}

/** Path of the screen of a step. The complete screen stands for every answer that no flow shows: it says the status. */
export function stepPath(step: PageStep, { product, tree, method, complete }: StepPlace): string {
  const depositId = step.depositId ?? '';
  const kind = answerKind(step);
  const path = kind && product.answerPath(kind);
  if (path === undefined) return complete(depositId);
  const network = step.kind === 'own-route' ? step.data?.network : undefined;
  const query = new URLSearchParams({ ...(network === undefined ? {} : { network }), depositId });
  return `${tree}/${path.replace(':method', encodeURIComponent(method))}?${query}`;
}

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
      // Coins are sent to an address; its page says for which network it is.
      return step.data?.depositAddress === undefined ? undefined : 'address';
    // `fields` and `failure` stay on their screen and never come here.
    default:
      return undefined;
  }
}
