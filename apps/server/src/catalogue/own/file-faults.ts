/** All faults of a catalogue's file: of its shape, and of its meaning as far as its shape is sound. */
import { checkSettings } from '../check-settings.ts';
import type { ShippedCatalogue } from '../shipped-catalogue.ts';
import type { FileFault, OwnFile } from './own-file.ts';

/** @returns the faults in the order of the file; empty: the catalogue can be stored */
export function faultsOfFile(shipped: ShippedCatalogue, file: OwnFile): readonly FileFault[] {
  if (file.kind === 'read')
    return checkSettings(shipped, file.catalogue).map((issue) => ({ ...issue, ...file.placeOf(issue.path) }));
  const { faults, sound } = file;
  if (sound === undefined) return faults;
  // Methods name groups, countries and icons. Where one of these was taken out, a method may only seem to be wrong.
  const isWholeAround = sound.removed.every((path) => path.startsWith('methods.') || path === 'baseVersion');
  const ofMeaning = checkSettings(shipped, sound.catalogue)
    .filter(({ path }) => isWholeAround || !path.startsWith('methods.'))
    .filter(({ path }) => !sound.misspelt.some((place) => mayComeFrom(place, path)))
    .map((issue) => ({ ...issue, ...sound.placeOf(issue.path) }));
  return [...faults, ...ofMeaning].sort((a, b) => a.line - b.line || a.column - b.column);
}

/** Whether a fault at `path` may only say that a field is missing whose misspelt name was taken out of `place`. */
function mayComeFrom(place: string, path: string): boolean {
  const [section, name, ...inside] = place.split('.');
  return path === `${section}.${name}` || (inside.length > 0 && `${path}.`.startsWith(`${place}.`));
}
