/** A file of JSON lines that only grows. A line is on the disk before its writer goes on, and one writer works at a time. */
import { mkdir, open, readFile, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Opens the file, or makes it. A line that a crash has torn is removed: its sender never got an answer, so it comes again.
 *
 * @template Entry
 * @param {string} path of the file
 * @throws when the file cannot be read or written, or a line other than a torn last one is no JSON
 */
export async function openLines(path) {
  await mkdir(dirname(path), { recursive: true });
  /** @type {Entry[]} what the file held when it was opened, in the order of its lines */
  const entries = await readEntries(path);
  const file = await open(path, 'a', 0o600);
  await syncFolder(dirname(path));

  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  /**
   * Runs work when everything that was begun before has ended. Otherwise two requests could both read before either has written.
   *
   * @template Result
   * @param {() => Promise<Result>} work
   * @returns {Promise<Result>}
   */
  const inTurn = (work) => {
    const result = last.then(work);
    // The caller hears of the failure; the next in turn goes on.
    last = result.catch(() => undefined);
    return result;
  };
  return {
    entries,
    inTurn,
    /**
     * Call it in turn. The line is durable when it resolves.
     *
     * @param {Entry} entry
     * @returns {Promise<void>}
     */
    async append(entry) {
      const { size } = await file.stat();
      try {
        await file.appendFile(`${JSON.stringify(entry)}\n`);
        await file.sync();
      } catch (error) {
        // Half a line would spoil the next one.
        await file.truncate(size);
        throw error;
      }
    },
    close: () => inTurn(() => file.close()),
  };
}

/** @param {string} path */
async function readEntries(path) {
  let text;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) await truncate(path, Buffer.byteLength(whole));
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/**
 * A new file is there after a power cut only when its folder was synced as well.
 *
 * @param {string} folder
 */
async function syncFolder(folder) {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
