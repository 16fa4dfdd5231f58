/**
 * Writes the small drawings of a drawn list into the list itself. Each would be a request of its own, in the moment when the
 * network has to bring the code (NET-7).
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A larger drawing, such as a flag with a coat of arms, comes by itself. */
const mostBytes = 1500;
/** All drawings of a page. */
const mostBytesOfPage = 12_000;

const source = /src="([^"]*\/(static\/icons\/[a-z0-9_-]+\.svg))"/g;

/** @param folder the widget's build, whose files never change under their names while it is served */
export function createIconInliner(folder: string): (html: string) => Promise<string> {
  const drawings = new Map<string, Promise<string | undefined>>();
  const drawingOf = (file: string): Promise<string | undefined> => {
    const known = drawings.get(file);
    if (known) return known;
    const read = readFile(join(folder, file), 'utf8').then(
      (svg) => (svg.length > mostBytes ? undefined : addressOf(svg)),
      (error: NodeJS.ErrnoException) => {
        // The catalogue may name an icon that nobody has drawn. The widget shows letters then.
        if (error.code === 'ENOENT') return undefined;
        drawings.delete(file);
        throw error;
      },
    );
    drawings.set(file, read);
    return read;
  };
  return async (html) => {
    const files = [...new Set([...html.matchAll(source)].map(([, , file = '']) => file))];
    const inlined = new Map<string, string>();
    let left = mostBytesOfPage;
    for (const file of files) {
      const address = await drawingOf(file);
      if (address === undefined || address.length > left) continue;
      left -= address.length;
      inlined.set(file, address);
    }
    return html.replace(source, (whole, _address: string, file: string) => {
      const address = inlined.get(file);
      return address === undefined ? whole : `src="${address}"`;
    });
  };
}

/** A drawing as an address of its own, safe inside double quotes. */
function addressOf(svg: string): string {
  return `data:image/svg+xml,${svg.replace(/[%#"&<>\n\r]/g, (character) => encodeURIComponent(character))}`;
}
