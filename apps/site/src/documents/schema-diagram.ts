/** The Mermaid diagram of docs/reference/schema.md as cards, one for each table. The code host draws it; the site needs no script for it. */

interface Table {
  readonly name: string;
  readonly columns: { readonly type: string; readonly name: string; readonly keys: string }[];
  readonly refersTo: string[];
}

/** @returns HTML, or undefined when the text is another kind of diagram */
export function schemaCards(mermaid: string): string | undefined {
  if (!mermaid.startsWith('erDiagram')) return undefined;
  const tables = [...mermaid.matchAll(/^ {2}(\w+) \{\n([\s\S]*?)^ {2}\}/gm)].map(
    ([, name = '', body = '']): Table => ({ name, columns: columnsOf(body), refersTo: [] }),
  );
  for (const [, target = '', line = '', source = ''] of mermaid.matchAll(
    /^ {2}(\w+) [|o}]{2}(--|\.\.)[|o{]{2} (\w+)/gm,
  )) {
    tables.find(({ name }) => name === source)?.refersTo.push(line === '--' ? target : `${target} (no foreign key)`);
  }
  return `<div class="schema-diagram">${tables.map(card).join('')}</div>`;
}

function columnsOf(body: string): Table['columns'] {
  return [...body.matchAll(/^ {4}(\S+) (\w+)(?: (.+))?$/gm)].map(([, type = '', name = '', keys = '']) => ({
    type,
    name,
    keys,
  }));
}

function card({ name, columns, refersTo }: Table): string {
  const rows = columns.map(
    (column) =>
      `<li><code>${column.name}</code><small>${column.type}${column.keys && ` · ${column.keys}`}</small></li>`,
  );
  const references = [...new Set(refersTo)];
  return `<section><b>${name}</b><ul>${rows.join('')}</ul>${
    references.length > 0 ? `<p>Refers to ${references.join(', ')}</p>` : ''
  }</section>`;
}
