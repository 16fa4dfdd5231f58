import { describe, expect, test } from 'vitest';
import { createTurns, type TurnOptions } from './turns.ts';

function setUp(options: TurnOptions = {}) {
  const planned: (() => void)[] = [];
  const opened: string[] = [];
  const turns = createTurns({ mostOfTurn: 2, nextTurn: (run) => void planned.push(run), ...options });
  return {
    opened,
    take: (name: string, lane = 'a') => turns.take(lane, () => void opened.push(name)),
    turn: () => planned.splice(0).forEach((run) => void run()),
    isQuiet: () => planned.length === 0,
  };
}

describe('[SRV-9] sockets that come back at once', () => {
  test('one that waits for nobody opens at once', () => {
    const { take, opened } = setUp();
    expect(take('1')).toBe(true);
    expect(opened).toEqual(['1']);
  });

  test('each turn of the event loop opens a few, in their order', () => {
    const { take, turn, opened } = setUp();
    for (const name of ['1', '2', '3', '4', '5']) take(name);
    expect(opened).toEqual(['1', '2']);
    turn();
    expect(opened).toEqual(['1', '2', '3', '4']);
    take('6');
    expect(opened).toHaveLength(4);
    turn();
    expect(opened).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  test('the many of one operator do not keep another out', () => {
    const { take, turn, opened } = setUp();
    for (const name of ['1', '2', '3', '4', '5', '6', '7']) take(name, 'large');
    take('other', 'small');
    turn();
    expect(opened).toEqual(['1', '2', '3', 'other']);
  });

  test('too many are refused, and a place is free again later', () => {
    const { take, turn, opened, isQuiet } = setUp({ mostWaiting: 1 });
    expect(['1', '2', '3', '4'].map((name) => take(name))).toEqual([true, true, true, false]);
    turn();
    turn();
    expect(take('5')).toBe(true);
    expect(opened).toEqual(['1', '2', '3', '5']);
    turn();
    turn();
    expect(isQuiet()).toBe(true);
  });
});
