/** The shipped catalogue, for tests without an operator's settings. */
import type { CatalogueFiles } from './bundled-files.ts';
import type { Catalogue } from './catalogue.ts';
import { createCatalogue } from './json-catalogue.ts';
import { type IsOffered, readShippedCatalogue } from './shipped-catalogue.ts';

/**
 * The same catalogue for every operator.
 * @throws CatalogueError as {@link readShippedCatalogue}
 */
export function createShippedCatalogue(files: CatalogueFiles, isOffered?: IsOffered): Catalogue {
  return createCatalogue(readShippedCatalogue(files, isOffered));
}
