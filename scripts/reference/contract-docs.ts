/**
 * Reads the comments of the contract's source, so that the reference describes each field in the words beside its schema.
 *
 * A comment costs the widget nothing, whereas `v.description` would be a part of its bundle. The reader follows names, imports,
 * spreads and valibot's calls. It knows nothing about types.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Expression, type Node, parseSync } from 'oxc-parser';
import { type Comment, readComment } from './doc-comment.ts';

/** What the source says about a schema and its parts. */
export interface Doc extends Comment {
  readonly fields?: Readonly<Record<string, Doc>>;
  /** Of the items of an array. */
  readonly item?: Doc;
  /** Of the keys and values of a record. */
  readonly key?: Doc;
  readonly value?: Doc;
  /** Of the choices of a union, in their order. */
  readonly options?: readonly Doc[];
}

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly comments: readonly { readonly start: number; readonly end: number; readonly value: string }[];
  /** Constants and functions by their name, with the position at which their declaration begins. */
  readonly declared: ReadonlyMap<string, { readonly node: Node; readonly start: number }>;
  readonly imported: ReadonlyMap<string, { readonly path: string; readonly name: string }>;
}

interface Scope {
  readonly file: SourceFile;
  /** The arguments of the function whose body is read. */
  readonly given: ReadonlyMap<string, Doc>;
}

const folder = fileURLToPath(new URL('../../packages/contract/src/', import.meta.url));
const files = new Map<string, SourceFile>();
const constants = new Map<string, Doc>();

/**
 * @param path of a file below the contract's `src`, such as `api/error.ts`
 * @param name of a constant that the file declares or exports again
 * @throws Error when there is no such constant
 */
export function docOf(path: string, name: string): Doc {
  return constantDoc(fileAt(join(folder, path)), name);
}

function constantDoc(file: SourceFile, name: string): Doc {
  const key = `${file.path} ${name}`;
  const known = constants.get(key);
  if (known !== undefined) return known;
  const declared = file.declared.get(name);
  if (declared === undefined) throw new Error(`${file.path} declares no ${name}.`);
  const doc = { ...docOfNode(declared.node, { file, given: new Map() }), ...commentBefore(file, declared.start) };
  constants.set(key, doc);
  return doc;
}

function fileAt(path: string): SourceFile {
  const known = files.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(path, 'utf8');
  const { program, comments } = parseSync(path, text);
  const declared = new Map<string, { node: Node; start: number }>();
  const imported = new Map<string, { path: string; name: string }>();
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration' && statement.source.value.startsWith('.')) {
      for (const one of statement.specifiers) {
        if (one.type !== 'ImportSpecifier' || one.imported.type !== 'Identifier') continue;
        imported.set(one.local.name, { path: join(dirname(path), statement.source.value), name: one.imported.name });
      }
    }
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type === 'FunctionDeclaration' && declaration.id) {
      declared.set(declaration.id.name, { node: declaration, start: statement.start });
    }
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type === 'Identifier' && init) declared.set(id.name, { node: init, start: statement.start });
    }
  }
  const file = { path, text, comments, declared, imported };
  files.set(path, file);
  return file;
}

/** The `/** … *\/` that ends directly before a position. */
function commentBefore(file: SourceFile, start: number): Comment {
  const comment = file.comments.findLast(({ end }) => end <= start);
  if (comment === undefined || !comment.value.startsWith('*')) return {};
  return file.text.slice(comment.end, start).trim() === '' ? readComment(comment.value) : {};
}

function docOfNode(node: Node, scope: Scope): Doc {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return docOfNode(node.expression, scope);
    case 'Identifier':
      return namedDoc(node.name, scope);
    case 'MemberExpression': {
      const object = docOfNode(node.object, scope);
      if (node.computed || node.property.type !== 'Identifier') return {};
      // The entries of an object schema are the fields that its document already has.
      return node.property.name === 'entries' ? object : (object.fields?.[node.property.name] ?? {});
    }
    case 'ObjectExpression':
      return { fields: fieldsOf(node.properties, scope) };
    case 'CallExpression':
      return callDoc(node, scope);
    default:
      return {};
  }
}

function namedDoc(name: string, scope: Scope): Doc {
  const given = scope.given.get(name);
  if (given !== undefined) return given;
  if (scope.file.declared.has(name)) return constantDoc(scope.file, name);
  const imported = scope.file.imported.get(name);
  return imported === undefined ? {} : constantDoc(fileAt(imported.path), imported.name);
}

function fieldsOf(properties: readonly Node[], scope: Scope): Record<string, Doc> {
  const fields: Record<string, Doc> = {};
  for (const property of properties) {
    if (property.type === 'SpreadElement') Object.assign(fields, docOfNode(property.argument, scope).fields);
    if (property.type !== 'Property') continue;
    const { key, value, start } = property;
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined;
    if (name !== undefined) fields[name] = { ...docOfNode(value, scope), ...commentBefore(scope.file, start) };
  }
  return fields;
}

/** Functions that declare a message: their document is the one of their argument. */
const declaring = new Set(['defineCall', 'defineEndpoint']);

function callDoc({ callee, arguments: args }: Extract<Node, { type: 'CallExpression' }>, scope: Scope): Doc {
  const nodes = args.filter((one): one is Expression => one.type !== 'SpreadElement');
  const argument = (n: number): Doc => (nodes[n] === undefined ? {} : docOfNode(nodes[n], scope));
  if (callee.type === 'Identifier') {
    return declaring.has(callee.name)
      ? argument(0)
      : functionDoc(
          callee.name,
          nodes.map((_, n) => argument(n)),
          scope,
        );
  }
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return {};
  switch (callee.property.name) {
    case 'array':
      return { item: argument(0) };
    case 'record':
      return { key: argument(0), value: argument(1) };
    case 'union':
      return { options: optionDocs(nodes[0], scope) };
    case 'variant':
      return { options: optionDocs(nodes[1], scope) };
    default:
      // Wrappers, pipes and selections: the document is the one of the schema inside.
      return argument(0);
  }
}

function optionDocs(node: Node | undefined, scope: Scope): Doc[] {
  if (node?.type !== 'ArrayExpression') return [];
  return node.elements.map((one) => (one === null || one.type === 'SpreadElement' ? {} : docOfNode(one, scope)));
}

/** What a function of the contract returns, such as the page of a list. */
function functionDoc(name: string, args: readonly Doc[], scope: Scope): Doc {
  const imported = scope.file.imported.get(name);
  const file = imported === undefined ? scope.file : fileAt(imported.path);
  const node = file.declared.get(imported?.name ?? name)?.node;
  if (node?.type !== 'FunctionDeclaration' && node?.type !== 'ArrowFunctionExpression') return {};
  const given = new Map(
    node.params.flatMap((one, n): [string, Doc][] => (one.type === 'Identifier' ? [[one.name, args[n] ?? {}]] : [])),
  );
  const body = node.body;
  if (body === null) return {};
  const inside = { file, given };
  if (body.type !== 'BlockStatement') return docOfNode(body, inside);
  const returned = body.body.find((one) => one.type === 'ReturnStatement')?.argument;
  return returned ? docOfNode(returned, inside) : {};
}
