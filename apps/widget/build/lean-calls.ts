import type { Plugin } from 'vite';

/** What the server checks and the reference pages print; the widget sends by types and reads answers by their schema alone. */
const ofOthers: ReadonlySet<string> = new Set(['summary', 'request', 'errors']);

/** Which field is the key, the server asks; to the widget a call is to be repeated with care unless it only reads. */
const isKeyed = /^idempotency:\s*\{\s*kind:\s*['"`]key/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Property extends Node {
  readonly key?: { readonly name?: string };
}

/** Leaves out of the contract's calls and pushes what nobody in a browser reads: it would be weighed in the first load. */
export function leanCalls(): Plugin {
  return {
    name: 'lean-calls',
    apply: 'build',
    // After types were taken away, so that what is left can be parsed.
    enforce: 'post',
    transform(code, id) {
      // Making a schema changes nothing, which no bundler can see: those of what is asked are read by the server alone.
      if (/\/packages\/contract\/src\/api\/[a-z0-9-]+\.ts$/.test(id) && !id.endsWith('/pushes.ts')) {
        return { code: code.replace(/\bv\.(?=\w+\()/g, '/* @__PURE__ */ v.'), map: null };
      }
      if (!/\/packages\/contract\/src\/api\/(?:calls\/[a-z0-9-]+|pushes)\.ts$/.test(id)) return null;
      const cuts = documented(this.parse(code)).filter(
        (property) => ofOthers.has(nameOf(property) ?? '') || isKeyed.test(code.slice(property.start, property.end)),
      );
      if (cuts.length === 0) throw new Error(`${id} documents nothing as lean-calls knows it.`);
      let lean = code;
      for (const { start, end } of cuts.toReversed()) {
        const comma = /^\s*,/.exec(lean.slice(end))?.[0].length ?? 0;
        // Lines are kept, so that the map of the source still fits.
        lean = lean.slice(0, start) + lean.slice(start, end + comma).replace(/[^\n]/g, '') + lean.slice(end + comma);
      }
      return { code: lean, map: null };
    },
  };
}

/** The properties of every object that has a summary, in the order of the file. */
function documented(node: unknown): readonly Property[] {
  if (Array.isArray(node)) return node.flatMap(documented);
  if (typeof node !== 'object' || node === null) return [];
  const properties: unknown = Reflect.get(node, 'properties');
  if (isProperties(properties) && properties.some((property) => nameOf(property) === 'summary')) return properties;
  return Object.values(node).flatMap(documented);
}

function isProperties(value: unknown): value is readonly Property[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'object' && entry !== null);
}

const nameOf = ({ key }: Property): string | undefined => key?.name;
