import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test, vi } from 'vitest';
import type { Queryable } from '../database/database.ts';
import { followClock } from './followed-clock.ts';
import type { ClockMove } from './move-clock.ts';

async function bench() {
  const machine = createTestClock(1_000_000);
  const stored: ClockMove[] = [];
  const state = { isDown: false };
  const database: Queryable = {
    // Newest first, as the statement sorts them.
    query: <Row>() =>
      state.isDown ? Promise.reject(new Error('down')) : Promise.resolve([...stored].reverse() as unknown as Row[]),
  };
  const onError = vi.fn();
  const clock = await followClock(database, machine, onError);
  const onMove = vi.fn();
  clock.onMove(onMove);
  return { machine, stored, state, onError, clock, onMove };
}

test('[SRV-3] every node changes its time at the same moment, and looks for due work then', async () => {
  const { machine, stored, clock, onMove } = await bench();
  stored.push({ since: machine.now() + 2_000, aheadMs: 7_200_000 });
  await machine.advanceAsync(1_999);
  expect(clock.now()).toBe(machine.now());
  expect(onMove).not.toHaveBeenCalled();
  await machine.advanceAsync(1);
  expect(clock.now()).toBe(machine.now() + 7_200_000);
  await machine.advanceAsync(10_000);
  expect(onMove).toHaveBeenCalledTimes(1);
  // A reset is a move, too.
  stored.push({ since: machine.now() + 2_000, aheadMs: 0 });
  await machine.advanceAsync(2_000);
  expect(clock.now()).toBe(machine.now());
  clock.stop();
  expect(machine.pending()).toBe(0);
});

test('[SRV-3] while the database does not answer, the clock keeps its time', async () => {
  const { machine, stored, state, onError, clock } = await bench();
  stored.push({ since: machine.now() + 2_000, aheadMs: 60_000 });
  await machine.advanceAsync(3_000);
  state.isDown = true;
  await machine.advanceAsync(5_000);
  expect(onError).toHaveBeenCalledWith(new Error('down'));
  expect(clock.now()).toBe(machine.now() + 60_000);
  clock.stop();
});

test('timers keep their delays when the time is moved', async () => {
  const { machine, stored, clock } = await bench();
  const run = vi.fn();
  clock.setTimer(run, 60_000);
  stored.push({ since: machine.now() + 2_000, aheadMs: 7_200_000 });
  await machine.advanceAsync(59_999);
  expect(run).not.toHaveBeenCalled();
  await machine.advanceAsync(1);
  expect(run).toHaveBeenCalledTimes(1);
  clock.stop();
});
