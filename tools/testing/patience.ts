/**
 * Time limits for busy machines: the more programs want the processor, the longer a test and a wait may take. So load alone fails no
 * test. Each project of vitest.config.ts gives its limit for an idle machine.
 */
import { vi } from 'vitest';
import { slowness } from '../../scripts/machine/slowness.mjs';

// On an idle machine an import may still take longer than vitest's limit of a second.
const patienceMs = 15_000;

const limit = Number(process.env['TEST_LIMIT_MS']);
if (limit > 0) vi.setConfig({ testTimeout: limit * slowness(), hookTimeout: limit * slowness() });

/** For waits that start now, in milliseconds. */
export const patienceNow = (): number => patienceMs * slowness();

// Files of a process share this object, so the wrapper must not be wrapped again.
const own = Symbol.for('opencashier.patience');
if (!Reflect.has(vi.waitFor, own)) {
  const { waitFor } = vi;
  vi.waitFor = Object.assign(
    ((callback, options) =>
      waitFor(
        callback,
        typeof options === 'number' ? options : { timeout: patienceNow(), ...options },
      )) as typeof vi.waitFor,
    { [own]: true },
  );
}
