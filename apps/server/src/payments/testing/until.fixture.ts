/** Waits in tests whose clock stands still. */
import type { TestClock } from '@opencashier/core/time/test-clock';
import { expect } from 'vitest';

/** Lets the woken workers look, until it is so. */
export async function untilSo(clock: TestClock, isSo: () => boolean | Promise<boolean>): Promise<void> {
  await expect
    .poll(async () => {
      await clock.advanceAsync(0);
      return isSo();
    })
    .toBe(true);
}
