/** A file of JSON lines that only grows. A line is on the disk before its writer goes on, and one writer works at a time. */
import { mkdir, open, readFile, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface DurableLines<Entry> {
  /** What the file held when it was opened, in the order of its lines. */
  readonly entries: readonly Entry[];
  /** Runs work when everything that was begun before has ended. Otherwise two requests could both read before either has written. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Call it in turn. The line is durable when it resolves. */
  append(entry: Entry): Promise<void>;
  close(): Promise<void>;
}

/** @throws when the file cannot be read or written, or a line other than a torn last one makes no sense */
export async function openLines<Entry>(file: string): Promise<DurableLines<Entry>> {
  await mkdir(dirname(file), { recursive: true });
  const entries = await readEntries<Entry>(file);
  const handle = await open(file, 'a', 0o600);
  await syncFolder(dirname(file));

  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => undefined); // The caller hears of the failure; the next in turn goes on.
    return result;
  };
  return {
    entries,
    inTurn,
    async append(entry) {
      const { size } = await handle.stat();
      try {
        await handle.appendFile(`${JSON.stringify(entry)}\n`);
        await handle.sync();
      } catch (error) {
        // Half a line would spoil the next one.
        await handle.truncate(size);
        throw error;
      }
    },
    close: () => inTurn(() => handle.close()),
  };
}

async function readEntries<Entry>(file: string): Promise<Entry[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  // A power cut tore the last line. Its sender never got an answer, so it comes again.
  if (whole.length < text.length) await truncate(file, Buffer.byteLength(whole));
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
}

/** A new file is there after a power cut only when its folder was synced as well. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
