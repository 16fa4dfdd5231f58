/**
 * The JSON of answers. The shared part of a joined answer is written and compressed once, and then copied. The caller's own part
 * follows it. In the compressed form the own part is stored as it is, so its length says nothing about the text beside it.
 */
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { partsOf } from '../calls/handler/joined-answer.ts';

/** The JSON of a shared part up to its last brace, in the forms that have been asked for. */
interface OpenJson {
  readonly text: string;
  bytes?: Buffer;
  deflated?: Buffer;
  crc?: number;
}

/** Lists differ by country, currency, language and operator. All forms of a list take about 40 kB. */
const mostKept = 500;
/** The length of a stored block of deflate has 16 bits. */
const mostStored = 0xffff;
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

const kept = new Map<object, OpenJson>();

function openJsonOf(shared: object): OpenJson {
  const known = kept.get(shared);
  if (known !== undefined) return known;
  const open: OpenJson = { text: JSON.stringify(shared).slice(0, -1) };
  // A map keeps the order of insertion, so its first is the oldest.
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size >= mostKept) kept.delete(oldest);
  kept.set(shared, open);
  return open;
}

/** What follows the shared part: the own fields and the last brace. */
function endOf(open: OpenJson, own: object): string {
  const json = JSON.stringify(own);
  return json === '{}' || open.text === '{' ? json.slice(1) : `,${json.slice(1)}`;
}

/** The JSON of a joined answer; undefined for any other, which is written as usual. */
export function joinedText(answer: unknown): string | undefined {
  const parts = partsOf(answer);
  if (parts === undefined) return undefined;
  const open = openJsonOf(parts.shared);
  return open.text + endOf(open, parts.own);
}

export interface AnswerBytes {
  readonly body: Buffer;
  readonly isGzip: boolean;
}

/** As {@link joinedText}, in bytes. */
export function joinedBytes(answer: unknown, mayGzip: boolean): AnswerBytes | undefined {
  const parts = partsOf(answer);
  if (parts === undefined) return undefined;
  const open = openJsonOf(parts.shared);
  open.bytes ??= Buffer.from(open.text);
  const end = endOf(open, parts.own);
  if (!mayGzip) return { body: joined(open.bytes, end), isGzip: false };
  const endBytes = Buffer.from(end);
  if (endBytes.length > mostStored) return { body: Buffer.concat([open.bytes, endBytes]), isGzip: false };
  return { body: gzipOf(open, open.bytes, endBytes), isGzip: true };
}

function joined(bytes: Buffer, end: string): Buffer {
  const body = Buffer.allocUnsafe(bytes.length + Buffer.byteLength(end));
  bytes.copy(body);
  body.write(end, bytes.length);
  return body;
}

/** RFC 1952: a head, blocks of deflate (RFC 1951), and the checksum and length of the content. */
function gzipOf(open: OpenJson, bytes: Buffer, end: Buffer): Buffer {
  // A flush ends at a whole byte, and another block may follow.
  open.deflated ??= deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_SYNC_FLUSH });
  open.crc ??= crc32(bytes);
  const tail = Buffer.allocUnsafe(5 + end.length + 8);
  tail[0] = 1; // The last block, stored.
  tail.writeUInt16LE(end.length, 1);
  tail.writeUInt16LE(end.length ^ mostStored, 3);
  end.copy(tail, 5);
  tail.writeUInt32LE(crc32(end, open.crc), 5 + end.length);
  tail.writeUInt32LE((bytes.length + end.length) >>> 0, 9 + end.length);
  return Buffer.concat([gzipHead, open.deflated, tail]);
}
