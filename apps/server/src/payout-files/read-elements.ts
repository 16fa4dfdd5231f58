/** Reads an XML message of a bank into elements that know their line. Bounded, without document types and without foreign entities. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import sax from 'sax';
import { decodeText } from '../settlements/decode-text.ts';
import { fileFault } from '../settlements/read-line.ts';

export interface MessageElement {
  /** Without its prefix. */
  readonly name: string;
  readonly line: number;
  readonly text: string;
  readonly currency: string | undefined;
  readonly children: readonly MessageElement[];
}

/** The most bytes of a message. A statement of a hundred thousand transfers is smaller. */
export const MOST_BYTES = 12 * 1024 * 1024;
const MOST_ELEMENTS = 1_000_000;
const DEEPEST = 60;
/** Characters of one text that are kept. */
const LONGEST_TEXT = 2_000;

interface OpenElement {
  name: string;
  line: number;
  text: string;
  currency: string | undefined;
  children: MessageElement[];
}

/** @throws DomainError that names line and column, for XML that is broken, cut off, too large or has a document type */
export async function readElements(bytes: Uint8Array): Promise<MessageElement> {
  if (bytes.byteLength > MOST_BYTES) throw fileFault({ line: 1 }, 'The file is larger than 12 MiB.');
  const parser = sax.parser(true, { position: true });
  const open: OpenElement[] = [{ name: '', line: 1, text: '', currency: undefined, children: [] }];
  let count = 0;
  const refuse = (message: string): never => {
    throw fileFault({ line: parser.line + 1, column: parser.column + 1 }, message);
  };
  parser.onerror = (error) => refuse(`The XML is broken or cut off: ${error.message.split('\n')[0]}`);
  parser.ondoctype = () => refuse('A message of a bank has no document type. The file is refused.');
  parser.onopentag = ({ name, attributes }) => {
    count += 1;
    if (count > MOST_ELEMENTS || open.length > DEEPEST) refuse('The file has too many elements.');
    const currency = attributes['Ccy'];
    open.push({
      name: name.slice(name.indexOf(':') + 1),
      line: parser.line + 1,
      text: '',
      currency: typeof currency === 'string' ? currency : undefined,
      children: [],
    });
  };
  const addText = (text: string): void => {
    const top = open.at(-1);
    if (top !== undefined && top.text.length < LONGEST_TEXT) top.text += text;
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onclosetag = () => {
    const closed = open.pop();
    if (closed !== undefined) open.at(-1)?.children.push({ ...closed, text: closed.text.trim() });
  };
  for await (const text of decodeText(piecesOf(bytes), 'utf-8')) parser.write(text);
  parser.close();
  const [root] = open[0]?.children ?? [];
  return root ?? refuse('The file has no element.');
}

const PIECE_BYTES = 64 * 1024;

/** A large message piece by piece, so that payments are answered between two pieces. */
export async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) {
    if (at > 0) await nextTurn();
    yield bytes.subarray(at, at + PIECE_BYTES);
  }
}

/** The element at a path below another one; undefined where there is none. */
export function at(element: MessageElement | undefined, ...path: readonly string[]): MessageElement | undefined {
  return path.reduce<MessageElement | undefined>(
    (found, name) => found?.children.find((child) => child.name === name),
    element,
  );
}

/** The text at a path; undefined where there is none, or an empty one. */
export function textAt(element: MessageElement | undefined, ...path: readonly string[]): string | undefined {
  const text = at(element, ...path)?.text;
  return text === '' ? undefined : text;
}

/** All children of a name. */
export function allOf(element: MessageElement | undefined, name: string): readonly MessageElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}
