/**
 * Files that import each other in a circle may run before what they need exists, and then a page dies the moment it is opened:
 * such a build fails. The modules have no circle of their own; only how they are put into files can make one.
 */
import type { Plugin } from 'vite';

export function noChunkCycles(): Plugin {
  return {
    name: 'no-chunk-cycles',
    generateBundle(_options, bundle) {
      const imports = new Map<string, readonly string[]>();
      for (const file of Object.values(bundle)) if (file.type === 'chunk') imports.set(file.fileName, file.imports);
      const circle = findCircle(imports);
      if (circle !== undefined) this.error(`Files import each other in a circle: ${circle.join(' > ')}`);
    },
  };
}

/** The first circle of a graph, from a file back to itself; undefined when there is none. */
export function findCircle(imports: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const way: string[] = [];
  const walk = (file: string): readonly string[] | undefined => {
    const seenAt = way.indexOf(file);
    if (seenAt >= 0) return [...way.slice(seenAt), file];
    if (done.has(file)) return undefined;
    way.push(file);
    for (const next of imports.get(file) ?? []) {
      const found = walk(next);
      if (found !== undefined) return found;
    }
    way.pop();
    done.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const found = walk(file);
    if (found !== undefined) return found;
  }
  return undefined;
}
