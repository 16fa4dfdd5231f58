/** Runs test files in the order of a file, one path in each line. `npm run check` writes it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { root } from '../machine/paths.mjs';

export class GivenOrder extends BaseSequencer {
  /** @param {import('vitest/node').TestSpecification[]} specifications */
  async sort(specifications) {
    const lines = readFileSync(process.env['TEST_ORDER'], 'utf8').split('\n');
    const place = new Map(lines.map((path, at) => [join(root, path), at]));
    const placeOf = ({ moduleId }) => place.get(moduleId) ?? lines.length;
    return [...specifications].sort((a, b) => placeOf(a) - placeOf(b));
  }
}
