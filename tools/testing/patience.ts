/** Raises the time limit of waits: on a busy machine an import takes longer than vitest's limit of a second. */
import { vi } from 'vitest';

const patienceMs = 15_000;

// Files of a process share this object, so the wrapper must not be wrapped again.
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
