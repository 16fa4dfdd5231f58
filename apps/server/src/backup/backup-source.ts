/** Reads the lines of a compressed backup from a file or a stream. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BackupFileError, type BackupPart, readParts } from './backup-format.ts';

/**
 * The parts of a backup.
 * @param source a path, or an open stream
 * @throws BackupFileError when the file is damaged; the system's error when it cannot be read
 */
export async function* partsOf(source: string | Readable): AsyncGenerator<BackupPart> {
  const input = typeof source === 'string' ? createReadStream(source) : source;
  const unpacked = createGunzip();
  // An error of the input must reach the reader of the lines.
  input.once('error', (error: Error) => unpacked.destroy(error));
  input.pipe(unpacked);
  try {
    yield* readParts(linesOf(unpacked));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!code.startsWith('Z_')) throw error;
    throw new BackupFileError('This file is no complete backup of OpenCashier: it cannot be unpacked.', {
      cause: error,
    });
  } finally {
    input.destroy();
  }
}

const LINE_END = 0x0a;

/** `node:readline` would also end a line at characters that a text of a user may hold (U+2028). */
async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pending: Buffer[] = [];
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
      yield Buffer.concat([...pending, chunk.subarray(start, end)]).toString('utf8');
      pending = [];
      start = end + 1;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
}
