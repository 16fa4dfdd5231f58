/** Walks the documents of the API. */

export type Json = { readonly [name: string]: Json } & { readonly [n: number]: Json };

/** Every object of a document, with its place. */
export function* nodesOf(node: unknown, place: string): Generator<[place: string, node: Json]> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield [place, node as Json];
  for (const [name, child] of Object.entries(node)) yield* nodesOf(child, `${place}/${name}`);
}

/** Contents of bodies and answers, with their places. */
export function contentsOf(openapi: Json): (readonly [place: string, content: Json])[] {
  return [...nodesOf(openapi, '')].flatMap(([place, node]) => {
    const content = node['application/json'];
    return content === undefined ? [] : [[place, content] as const];
  });
}
