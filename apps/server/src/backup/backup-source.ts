/** Reads the lines of a compressed backup from a file or a stream. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { linesOf } from '../database/byte-lines.ts';
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
