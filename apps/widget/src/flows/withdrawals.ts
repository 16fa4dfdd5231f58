/**
 * Ways to withdraw that have screens of their own: each folder beside this file with a `withdrawal-flow.ts` (WD-1). Every other
 * method has the form alone, so the tree of withdrawals, which is loaded when it is entered, has no list of names either.
 */
import type { PaymentMethod } from '@opencashier/contract/api';
import type { Flow } from '../kit/session/product.ts';

const folders = import.meta.glob<Flow>('./*/withdrawal-flow.ts', { eager: true, import: 'flow' });

export const withdrawalFlows: readonly Flow[] = Object.values(folders);

/** The flow of a method by its card's view type, else by its category; undefined where the form alone does (LIST-4). */
export function withdrawalFlowOf(
  { cardViewType, category }: Pick<PaymentMethod, 'cardViewType' | 'category'>,
  among: readonly Flow[] = withdrawalFlows,
): Flow | undefined {
  return (
    among.find((flow) => flow.cardViewTypes.includes(cardViewType)) ?? among.find((flow) => flow.category === category)
  );
}
