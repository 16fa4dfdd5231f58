/** The two functions of a test runner: `import { describe, test } from 'vitest'`, or from `node:test`. */
export interface TestRunner {
  describe(name: string, register: () => void): unknown;
  test(name: string, run: () => Promise<void>): unknown;
}
