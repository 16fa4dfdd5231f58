// breaks: flows-are-islands
import { beta } from '../beta/flow.ts';
export const alpha = { beta };
