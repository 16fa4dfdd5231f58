import { expect, test } from 'vitest';
import { createLogger } from '../observability/logger.ts';
import { createSharedRateLimiter } from './shared-rate-limiter.ts';

const minuteMs = 60_000;

/** The part of Redis that the script uses: counts and their ends by name. Two limiters with the same Redis are two nodes. */
function setUp() {
  let time = 0;
  let isAway = false;
  let asked = 0;
  const windows = new Map<string, { used: number; endsAt: number }>();
  const redis = {
    async eval(_script: string, _keys: number, name: string, windowMs: number) {
      asked += 1;
      if (isAway) throw new Error('Command timed out');
      const known = windows.get(name);
      const window = known && known.endsAt > time ? known : { used: 0, endsAt: time + windowMs };
      window.used += 1;
      windows.set(name, window);
      return [window.used, window.endsAt - time];
    },
  };
  const log: string[] = [];
  const logger = createLogger('warn', { write: (line: string) => void log.push(line) });
  const node = () => createSharedRateLimiter(redis as never, { clock: { now: () => time }, logger });
  return {
    nodes: [node(), node()] as const,
    log,
    windows,
    asked: () => asked,
    pass: (ms: number) => {
      time += ms;
    },
    setAway: (away: boolean) => {
      isAway = away;
    },
  };
}

test('[SRV-9] two nodes count one limit, until its window ends', async () => {
  const { nodes, pass } = setUp();
  const answers = [];
  for (let use = 0; use < 6; use += 1) answers.push(await nodes[use % 2 === 0 ? 0 : 1].take('create u-1', 4, minuteMs));
  expect(answers).toEqual([0, 0, 0, 0, 60, 60]);
  expect(await nodes[1].take('create u-2', 4, minuteMs)).toBe(0);
  pass(minuteMs);
  expect(await nodes[1].take('create u-1', 4, minuteMs)).toBe(0);
});

test('[SRV-9] while Redis is away each node counts for itself, what it counted before included', async () => {
  const { nodes, setAway, log } = setUp();
  for (let use = 0; use < 3; use += 1) await nodes[0].take('create u-1', 4, minuteMs);
  setAway(true);
  const answers = [];
  for (let use = 0; use < 3; use += 1) answers.push(await nodes[0].take('create u-1', 4, minuteMs));
  expect(answers).toEqual([0, 60, 60]);
  expect(log).toHaveLength(1);
});

test('[SRV-9] Redis that does not answer is left in peace for a second, so that not every call waits for it', async () => {
  const { nodes, setAway, asked, pass } = setUp();
  setAway(true);
  for (let use = 0; use < 50; use += 1) await nodes[0].take(`create u-${use}`, 4, minuteMs);
  expect(asked()).toBe(1);
  setAway(false);
  pass(1_000);
  await nodes[0].take('create u-1', 4, minuteMs);
  expect(asked()).toBe(2);
});

test('[SRV-9] who is over the limit on one node costs Redis nothing more', async () => {
  const { nodes, asked } = setUp();
  for (let use = 0; use < 100; use += 1) await nodes[0].take('create u-1', 4, minuteMs);
  expect(asked()).toBe(4);
});

test('[NET-8] Redis does not learn whose limit it counts', async () => {
  const { nodes, windows } = setUp();
  await nodes[0].take('create demo somebody@example.com', 4, minuteMs);
  expect([...windows.keys()].join()).not.toMatch(/somebody|demo/);
});
