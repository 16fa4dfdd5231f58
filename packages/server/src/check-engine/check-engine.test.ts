import { expect, test } from 'vitest';
import { checkEngine, type EngineReport } from './check-engine.ts';
import { engineRules } from './engine-rules.ts';
import { engineSecret, money, SmallEngine, signedAnew, spins, type WrongEngine } from './small-engine.fixture.ts';

const options = {
  url: 'http://localhost:4000/bonuses',
  secrets: [engineSecret],
  userIds: ['one', 'spins', 'none', 'many'],
  currencies: ['EUR', 'JPY', 'KWD'],
} as const;
const check = (wrong: WrongEngine, userIds: readonly [string, ...string[]] = options.userIds) => {
  const engine = new SmallEngine(wrong);
  return checkEngine({ ...options, userIds }, { fetch: engine.fetch, now: () => engine.now });
};
const failedIn = ({ rules }: EngineReport) => rules.filter(({ result }) => result === 'failed');

test('[SRV-6] an engine that keeps the contract passes every rule: no bonus, one and many, in each currency', async () => {
  const report = await check({});
  expect(report.rules.filter(({ result }) => result !== 'passed')).toEqual([]);
  expect(report.passed).toBe(true);
  expect(report.rules).toHaveLength(engineRules.length + 1);
  const seen = report.seen.map(({ userId, currency = 'all', bonuses }) => `${userId} ${currency} ${bonuses}`);
  expect(seen).toEqual(
    expect.arrayContaining(['one JPY 1', 'spins KWD 1', 'none EUR 0', 'many EUR 50', 'many all 30']),
  );
  expect(report.timing).toMatchObject({ p50Ms: 20, slowestMs: 20 });
});

const bodyOf = (text: string, init: ResponseInit = {}): WrongEngine => ({
  respond: (_question, _body, status) => (status === 200 ? new Response(text, init) : undefined),
});
const changed = (change: object): WrongEngine => ({
  respond: (_question, body, status) => (status === 200 ? Response.json({ ...body, ...change }) : undefined),
});
/** What the user sees in euros. */
const instead = (...bonuses: unknown[]): WrongEngine => ({
  bonuses: ({ userId, currency }, right) => (userId === 'one' && currency === 'EUR' ? bonuses : right),
});
const inOnly = (code: string, terms: object): WrongEngine => ({
  bonuses: ({ currency }, right) => (currency === code ? [money('b', code, terms)] : right),
});
let offers = 0;

const wrongEngines: readonly (readonly [wrong: string, rule: string, cause: RegExp, parts: WrongEngine])[] = [
  ['answers a page', 'answer', /not answered: the answer is no JSON \(<html>\)/, bodyOf('<html>')],
  ['breaks off its JSON', 'answer', /the answer is no JSON \({"bonuses":\[\)/, bodyOf('{"bonuses":[')],
  ['answers a bare list', 'answer', /no JSON object \(\[\]\)/, bodyOf('[]')],
  ['answers another field', 'answer', /no list "bonuses"/, bodyOf('{"offers":[]}')],
  ['answers null', 'answer', /no list "bonuses"/, changed({ bonuses: null })],
  ['answers no content', 'answer', /status 204/, { respond: () => new Response(null, { status: 204 }) }],
  ['redirects', 'answer', /status 302/, { respond: () => new Response(null, { status: 302 }) }],
  ['answers too much', 'answer', /larger than 64 KiB/, changed({ filler: 'x'.repeat(64 * 1024) })],
  ['compresses its answer', 'answer', /compressed \(gzip\)/, bodyOf('?', { headers: { 'content-encoding': 'gzip' } })],
  ['answers for another user', 'answer', /another userId than the question/, changed({ userId: 'somebody' })],
  ['answers for another question', 'answer', /another id than the question/, changed({ id: 'of-yesterday' })],
  [
    'takes questions without a signature',
    'unsigned',
    /without a signature was not refused with status 401: it was answered/,
    { headers: (headers, body) => ('webhook-id' in headers ? headers : signedAnew(headers, body, 1_767_225_600_000)) },
  ],
  [
    'compares no signature',
    'wrong-signature',
    /signed with another secret was not refused/,
    { headers: (headers, body) => ('webhook-id' in headers ? signedAnew(headers, body, 0) : headers) },
  ],
  ['reads no time stamp', 'old-question', /signed ten minutes ago was not refused/, { toleranceSeconds: 9e9 }],
  [
    'reads the first of two signatures',
    'secret-rotation',
    /not answered: status 401/,
    {
      headers: ({ 'webhook-signature': signature, ...headers }) =>
        signature === undefined ? headers : { ...headers, 'webhook-signature': signature.split(' ')[0] ?? '' },
    },
  ],
  ['sends a number', 'right-bonuses', /minDeposit: It must be a text/, instead(money('b', 'EUR', { minDeposit: 10 }))],
  [
    'has a field of its own',
    'right-bonuses',
    /bonuses.1.vip: The contract has no/,
    instead(money('a'), { ...money('b'), vip: 1 }),
  ],
  ['forgets the terms', 'right-bonuses', /needs it/, instead({ ...money('b'), depositBonusData: undefined })],
  ['has no English', 'right-bonuses', /no English text/, instead({ ...spins('b'), title: { de: 'Freispiele' } })],
  ['uses an id twice', 'right-bonuses', /wrong bonuses.1.id: bonuses.0 has the id b/, instead(money('b'), spins('b'))],
  [
    'offers more than 50',
    'right-bonuses',
    /has 51 bonuses/,
    instead(...Array.from({ length: 51 }, (_, n) => money(`b${n}`))),
  ],
  [
    'sends thousandths of a dinar',
    'right-bonuses',
    /KWD has 2 decimals at the cashier/,
    inOnly('KWD', { minDeposit: '1.005' }),
  ],
  [
    'answers dollars to a question about yen',
    'right-bonuses',
    /It is USD.*bonuses in JPY/,
    { bonuses: (_, right) => right.map((bonus) => (bonus.currency === 'JPY' ? { ...bonus, currency: 'USD' } : bonus)) },
  ],
  [
    'needs a currency',
    'every-currency',
    /status 500/,
    { bonuses: ({ currency }, right) => (currency === undefined ? Promise.reject(new Error()) : right) },
  ],
  ['knows no bonus', 'bonuses-seen', /No bonus was seen for one, spins, none, many/, { bonuses: () => [] }],
  [
    'fails for a stranger',
    'unknown-user',
    /for nobody-.* was not answered: status 500/,
    { bonuses: ({ userId }, right) => (userId.startsWith('nobody') ? Promise.reject(new Error()) : right) },
  ],
  [
    'offers another list each time',
    'repeat',
    /one saw 1 bonuses, and the same question brought 1, or others/,
    {
      bonuses: (_question, right) => {
        offers += 1;
        return right.map((bonus, place) => ({ ...bonus, id: `b${offers}x${place}x` }));
      },
    },
  ],
  [
    'takes every type',
    'unknown-type',
    /unknown type was not refused with status 400/,
    { respond: ({ type }) => (type === 'bonuses' ? undefined : Response.json({ bonuses: [] })) },
  ],
  ['is slow once', 'in-time', /slowest answer took 900 ms/, { takesMs: (asked) => (asked === 9 ? 900 : 20) }],
  ['is always slow', 'in-time', /Half of the answers took more than 399 ms/, { takesMs: () => 400 }],
];

test.each(wrongEngines)('[SRV-6] an engine that %s breaks the rule %s', async (_wrong, rule, cause, parts) => {
  const failed = failedIn(await check(parts));
  const broken = failed.find((result) => result.rule === rule);
  expect(broken?.cause).toMatch(cause);
  // One sentence says what is wrong, and one what to do.
  expect(broken?.remedy?.length).toBeGreaterThan(20);
  expect(failed.map((result) => result.rule)).toEqual([rule]);
});

test('an engine that nobody reaches fails the first rule, and the others are skipped', async () => {
  const refuse = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  const { passed, rules } = await checkEngine(options, { fetch: refuse, now: () => 0 });
  expect(passed).toBe(false);
  expect(rules[0]).toMatchObject({
    result: 'failed',
    cause: 'A question was not answered: no answer: ECONNREFUSED.',
    remedy: 'Is the address right, and does your engine run there?',
  });
  expect(new Set(rules.slice(1).map(({ result }) => result))).toEqual(new Set(['skipped']));
});
