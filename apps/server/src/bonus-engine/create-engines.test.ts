/** An engine over a real connection, and a clock that only the test moves. */
import { bonusWaitMs } from '@opencashier/contract/operator';
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import { beforeEach, expect, test } from 'vitest';
import type { BonusEngines } from '../bonuses/bonuses.ts';
import type { Database, Statement } from '../database/database.ts';
import { createBonusEngines, type Engine, FRESH_MS, LAST_ANSWER_MS } from './create-engines.ts';
import {
  type EngineBehaviour,
  engineBonus,
  engineSecret,
  type FakeEngine,
  openFakeEngine,
  withFakeEngine,
} from './fake-engine.fixture.ts';

let clock: TestClock;
let engines: BonusEngines;
let inMemory: Map<string, Engine>;
let engine: FakeEngine;
let stored: Statement[];
let outcomes: (string | undefined)[];
withFakeEngine((opened) => {
  engine = opened;
});
beforeEach(() => {
  clock = createTestClock();
  stored = [];
  outcomes = [];
  const database: Database = {
    kind: 'embedded',
    query: async (statement) => {
      stored.push(statement);
      return [];
    },
    measure: ({ labels }) => outcomes.push(labels['outcome']),
    transaction: () => Promise.reject(new Error('no transaction here')),
    ping: async () => undefined,
    close: async () => undefined,
  };
  inMemory = new Map();
  engines = createBonusEngines({ clock, database, logger: { warn: () => undefined }, allowInsecure: true }, inMemory);
});

const ask = (userId = 'ann', { operatorId = 'op', url = engine.url, isForChoice = false } = {}) =>
  engines.answerFor(
    { operatorId, userId, currency: 'INR', engine: { url, isOn: true, fallback: 'none', secrets: [engineSecret] } },
    isForChoice,
  );
const idsOf = async (asked: ReturnType<typeof ask>) => {
  const answer = await asked;
  return answer && [answer.isCurrent, ...answer.bonuses.map(({ id }) => id)];
};
/** A question that the engine takes and does not answer. */
async function hanging(userId?: string): Promise<ReturnType<typeof ask>[]> {
  engine.behaviour = 'hang';
  const arrived = engine.asked();
  const asked = ask(userId);
  await arrived;
  return [asked];
}

test('[BON-1] an answer counts for a minute, for its own user', async () => {
  engine.bonuses.set('ann', [engineBonus('one')]);
  expect(await idsOf(ask())).toEqual([true, 'one']);
  engine.bonuses.set('ann', [engineBonus('two')]);
  clock.advance(FRESH_MS - 1);
  expect(await idsOf(ask())).toEqual([true, 'one']);
  expect(await idsOf(ask('bob'))).toEqual([true]);
  clock.advance(1);
  expect(await idsOf(ask())).toEqual([true, 'two']);
  expect(engine.questions).toMatchObject([{ userId: 'ann', currency: 'INR' }, { userId: 'bob' }, { userId: 'ann' }]);
});

test('[BON-2] a choice that the kept answer does not have is asked for again, unless the answer is seconds old', async () => {
  await ask();
  await ask('ann', { isForChoice: true });
  expect(engine.questions).toHaveLength(1);
  clock.advance(2_000);
  engine.bonuses.set('ann', [engineBonus('new')]);
  expect(await idsOf(ask())).toEqual([true]);
  expect(await idsOf(ask('ann', { isForChoice: true }))).toEqual([true, 'new']);
});

test('[SRV-2] a list waits for 300 ms, and the late answer serves the next list', async () => {
  engine.bonuses.set('ann', [engineBonus('late')]);
  const [first] = await hanging();
  const second = ask();
  clock.advance(bonusWaitMs);
  expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
  // Both lists wait for the same question.
  expect(engine.questions).toHaveLength(1);
  const third = ask();
  engine.release();
  expect(await idsOf(third)).toEqual([true, 'late']);
  expect(engine.questions).toHaveLength(1);
});

test('[SRV-2] a question ends after 800 ms, and four of them pause the engine', async () => {
  for (const userId of ['a', 'b', 'c', 'd']) {
    const [asked] = await hanging(userId);
    clock.advance(bonusWaitMs);
    expect(await asked).toBeUndefined();
    await clock.advanceAsync(500);
  }
  expect(engine.questions).toHaveLength(4);
  // Nobody waits for an engine in its pause.
  expect(await ask('e')).toBeUndefined();
  expect(engine.questions).toHaveLength(4);
  engine.behaviour = 'answer';
  clock.advance(10_000);
  expect(await idsOf(ask('e'))).toEqual([true]);
  expect(outcomes).toEqual(['no-answer', 'no-answer', 'no-answer', 'no-answer', 'paused', 'answered']);
  expect(clock.pending()).toBe(0);
});

test.each<EngineBehaviour>(['broken', 'garbage', 'huge', 'other-user', 'drop'])(
  '[SRV-2] the last answer counts for half an hour while the engine is %s',
  async (behaviour) => {
    engine.bonuses.set('ann', [engineBonus('kept')]);
    await ask();
    engine.behaviour = behaviour;
    clock.advance(FRESH_MS);
    expect(await idsOf(ask())).toEqual([false, 'kept']);
    expect(await ask('new')).toBeUndefined();
    clock.advance(LAST_ANSWER_MS - FRESH_MS);
    expect(await ask()).toBeUndefined();
    // Also an engine that lies is paused.
    await ask('fourth');
    await ask('fifth');
    expect(outcomes.at(-1)).toBe('paused');
  },
);

test('[SRV-2] an engine that nobody reaches costs no waiting', async () => {
  expect(await ask('ann', { url: 'http://127.0.0.1:9/bonuses' })).toBeUndefined();
  expect(await ask('ann', { url: 'ftp://127.0.0.1/bonuses' })).toBeUndefined();
});

test('[SRV-2] an operator whose engine hangs takes neither places nor kept answers from another', async () => {
  const second = await openFakeEngine();
  const other = { operatorId: 'other', url: second.url };
  second.bonuses.set('ann', [engineBonus('mine')]);
  await ask('ann', other);
  engine.behaviour = 'hang';
  const hangs = Array.from({ length: 100 }, (_, n) => ask(`user-${n}`));
  expect(await idsOf(ask('ann', other))).toEqual([true, 'mine']);
  expect(await idsOf(ask('bob', other))).toEqual([true]);
  clock.advance(bonusWaitMs);
  expect(await Promise.all(hangs)).toEqual(hangs.map(() => undefined));
  expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(36);
  await second.close();
});

test('[SRV-2] failures of one moment pause the engine once', async () => {
  engine.behaviour = 'broken';
  await Promise.all(Array.from({ length: 40 }, (_, n) => ask(`user-${n}`)));
  engine.behaviour = 'answer';
  clock.advance(10_000);
  expect(await idsOf(ask('after'))).toEqual([true]);
});

test('another address of the operator starts without the answers of the old one', async () => {
  engine.bonuses.set('ann', [engineBonus('old')]);
  await ask();
  engine.bonuses.set('ann', [engineBonus('new')]);
  expect(await idsOf(ask('ann', { url: `${engine.url}/v2` }))).toEqual([true, 'new']);
});

test('[SRV-2] an engine that nobody has asked for half an hour is forgotten, and no other one', async () => {
  const askFor = (operatorId: string) => ask('ann', { operatorId });
  for (const operatorId of ['idle', 'rare', 'busy']) await askFor(operatorId);
  clock.advance(LAST_ANSWER_MS - 1);
  // A use counts, also if it comes after those of all others.
  await askFor('rare');
  await askFor('busy');
  expect([...inMemory.keys()]).toEqual(['idle', 'rare', 'busy']);
  clock.advance(1);
  await askFor('busy');
  expect([...inMemory.keys()]).toEqual(['rare', 'busy']);
  // An engine that comes back has no answers of before.
  engine.behaviour = 'broken';
  expect(await askFor('idle')).toBeUndefined();
  clock.advance(LAST_ANSWER_MS);
  await askFor('busy');
  expect([...inMemory.keys()]).toEqual(['busy']);
});

test('[SRV-1] a problem is stored for the operator, at most once a minute', async () => {
  engine.bonuses.set('ann', [engineBonus('good'), { ...engineBonus('wrong'), currency: 'USX' }]);
  expect(await idsOf(ask())).toEqual([true, 'good']);
  engine.behaviour = 'broken';
  await ask('bob');
  expect(stored).toHaveLength(1);
  const [first] = stored;
  expect(first?.values?.slice(0, 2)).toEqual(['op', 'bonuses were left out']);
  expect(String(first?.values?.[4])).toContain('bonuses.1.currency');
  clock.advance(60_000);
  await ask('carl');
  expect(stored[1]?.values).toMatchObject(['op', 'status 500', expect.any(String), 'carl', '[]', 50]);
});
