// breaks: flows-are-islands
import type { beta } from '../beta/flow.ts';
export type X = typeof beta;
