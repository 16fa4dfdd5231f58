import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLastRuns } from './last-runs.mjs';

test('a later check knows how long each test file took and whether it failed, and forgets files that are gone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'last-runs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const first = openLastRuns(folder);
  first.add(
    [
      { test: 'a.test.ts', seconds: 2, failed: false },
      { test: 'gone.test.ts', seconds: 1, failed: false },
    ],
    new Set(['a.test.ts', 'gone.test.ts', 'b.test.ts']),
  );
  openLastRuns(folder).add([{ test: 'b.test.ts', seconds: 3, failed: true }], new Set(['a.test.ts', 'b.test.ts']));

  const later = openLastRuns(folder);
  expect(later.of('a.test.ts')).toEqual({ seconds: 2, failed: false });
  expect(later.of('b.test.ts')).toEqual({ seconds: 3, failed: true });
  expect(later.of('gone.test.ts')).toBeUndefined();
});
