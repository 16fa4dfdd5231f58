import { lazyPart } from '../session/lazily.ts';

/** The other methods of a shared tile. Few methods have one, so few lists load it. */
export const TileChoices = lazyPart(async () => (await import('./tile-choices.tsx')).TileChoices);
