/**
 * All flows: each folder beside this file with a `flow.ts` (LIST-4). A new flow is a new folder; this file does not change. A
 * `flow.ts` is plain data and part of the first load. Its screens are loaded when they are needed.
 */
import type { Flow, Product } from '../kit/session/product.ts';
import { flow as redirectFlow } from './redirect/flow.ts';

const folders = import.meta.glob<Flow>('./*/flow.ts', { eager: true, import: 'flow' });

/** The flow of every method that no other flow claims (LIST-4). */
export const defaultFlow: Flow = redirectFlow;

export const flows: readonly Flow[] = Object.values(folders);

/** The flow of a method: by its card's view type, else by its category, else the redirect page (LIST-4). */
export function flowOfMethod(
  { cardViewType, category }: { readonly cardViewType: number; readonly category: string },
  among: readonly Flow[] = flows,
): Flow {
  const byCard = flowOfCard(cardViewType, among);
  return (byCard === defaultFlow && among.find((flow) => flow.category === category)) || byCard;
}

/** The screen that shows an answer to a create: its path below a deposit tree (DEP-3). */
export const answerPath: Product['answerPath'] = (kind) =>
  flows.map(({ answers }) => answers?.[kind]).find((path) => path !== undefined);

/** The flow that a card of this view type opens; a type that no flow claims opens the redirect page. */
export function flowOfCard(cardViewType: number, among: readonly Flow[] = flows): Flow {
  return among.find((flow) => flow.cardViewTypes.includes(cardViewType)) ?? defaultFlow;
}
