/** Files that are written as a draft, and appear under their name only when they are complete. */
import { link, open } from 'node:fs/promises';

/**
 * Gives a complete draft its name. A file of this name is never overwritten. The draft keeps its own name, too.
 * @returns false if the file exists already
 */
export async function linkNew(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** So that a power cut cannot lose the names of the files. */
export async function syncFolder(folder: string): Promise<void> {
  const place = await open(folder, 'r');
  try {
    await place.sync();
  } finally {
    await place.close();
  }
}
