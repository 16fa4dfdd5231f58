import { lazyPart } from '../session/lazily.ts';

/** Few methods have a guide, and its link must be checked before it is offered. */
export const Guide = lazyPart(async () => (await import('./guide.tsx')).Guide);
