/**
 * Flows of withdrawals: each folder beside this file with a `withdrawal-flow.ts` (WD-1). Every other method has only the common
 * form.
 */
import type { PaymentMethod } from '@opencashier/contract/api';
import type { Flow } from '../kit/session/product.ts';

const folders = import.meta.glob<Flow>('./*/withdrawal-flow.ts', { eager: true, import: 'flow' });

export const withdrawalFlows: readonly Flow[] = Object.values(folders);

/**
 * The flow of a method by its card's view type, else by its category. Undefined for a method with only the common form (LIST-4).
 */
export function withdrawalFlowOf(
  { cardViewType, category }: Pick<PaymentMethod, 'cardViewType' | 'category'>,
  among: readonly Flow[] = withdrawalFlows,
): Flow | undefined {
  return (
    among.find((flow) => flow.cardViewTypes.includes(cardViewType)) ?? among.find((flow) => flow.category === category)
  );
}
