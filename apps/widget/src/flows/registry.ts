/** Every flow there is. A new flow is one line here (LIST-4). */
import type { Flow } from '../kit/product.ts';
import { redirectFlow } from './redirect/flow.ts';

/** The flow of every method that no other flow claims (LIST-4). */
export const defaultFlow: Flow = redirectFlow;

export const flows: readonly Flow[] = [redirectFlow];

/** The flow that a card of this view type opens; a type that no flow claims opens the redirect page. */
export function flowOfCard(cardViewType: number, among: readonly Flow[] = flows): Flow {
  return among.find((flow) => flow.cardViewTypes.includes(cardViewType)) ?? defaultFlow;
}
