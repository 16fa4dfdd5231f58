/** A wait ends as soon as what it waits for is there. Vitest's own limit of a second is less than an import takes on a busy machine. */
import { vi } from 'vitest';

const patienceMs = 15_000;

// Files share this object where they share a process: the wrapper of the file before is not wrapped again.
const own = Symbol.for('opencashier.patience');
if (!Reflect.has(vi.waitFor, own)) {
  const { waitFor } = vi;
  vi.waitFor = Object.assign(
    ((callback, options) =>
      waitFor(
        callback,
        typeof options === 'number' ? options : { timeout: patienceMs, ...options },
      )) as typeof vi.waitFor,
    { [own]: true },
  );
}
