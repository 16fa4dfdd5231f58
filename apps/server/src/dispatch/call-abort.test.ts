import { expect, test } from 'vitest';
import { CallAbort } from './call-abort.ts';

test('a signal that is asked for late, or before the abort, has the first reason', () => {
  const late = new CallAbort();
  const early = new CallAbort();
  const { signal } = early;
  const first = new Error('first');
  for (const abort of [late, early]) {
    abort.abort(first);
    abort.abort(new Error('second'));
  }
  expect(signal.aborted).toBe(true);
  expect([signal.reason, late.signal.reason, late.reason]).toEqual([first, first, first]);
});

test('nobody looks for the caller until the signal is asked for, and then once', () => {
  let looks = 0;
  const abort = new CallAbort(() => {
    looks += 1;
  });
  expect(looks).toBe(0);
  expect(abort.signal).toBe(abort.signal);
  expect(looks).toBe(1);
});

test('a watch that finds the caller gone aborts the signal at once', () => {
  const abort = new CallAbort((found) => found.abort(new Error('gone')));
  expect(abort.signal.aborted).toBe(true);
});

test('the listener hears of one abort, and of none once it is taken away', () => {
  const heard: string[] = [];
  const [kept, taken] = [new CallAbort(), new CallAbort()];
  kept.onAbort(() => heard.push('kept'));
  taken.onAbort(() => heard.push('taken'));
  taken.onAbort(undefined);
  for (const abort of [kept, kept, taken]) abort.abort(new Error('end'));
  expect(heard).toEqual(['kept']);
});
