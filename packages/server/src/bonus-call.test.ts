import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { type BonusHandlers, handleBonusCall } from './bonus-call.ts';
import type { OwnBonus } from './generated/operator-api.ts';

const key = Buffer.alloc(32, 7);
const secrets = `whsec_${key.toString('base64')}`;
const now = 1_767_225_600_000;
const id = '00000000-0000-4000-8000-000000000001';
const question = { type: 'bonuses', id, userId: 'u-1042', currency: 'EUR' };
const spins: OwnBonus = {
  id: 'spins',
  type: 'freespin',
  currency: 'EUR',
  title: { en: 'Free spins' },
  freespinBonusData: { count: 10, minDeposit: '10', maxSpinWin: '1', payoutMultiplier: 1, wagerMultiplier: 1 },
};

function signed(call: object, signedId = id) {
  const body = JSON.stringify(call);
  const at = String(now / 1000);
  const mac = createHmac('sha256', key).update(`${signedId}.${at}.${body}`).digest('base64');
  return { body, headers: { 'webhook-id': signedId, 'webhook-timestamp': at, 'webhook-signature': `v1,${mac}` } };
}

test('[SRV-1] a question reaches the function, and its answer has the shape of the contract', async () => {
  const bonuses = vi.fn<BonusHandlers['bonuses']>(async () => [spins]);
  const { status, body } = await handleBonusCall(signed(question), { bonuses, secrets, now });
  expect(bonuses).toHaveBeenCalledWith(question);
  expect([status, JSON.parse(body)]).toEqual([200, { bonuses: [spins], id, userId: 'u-1042' }]);
});

test('a stranger, a changed body, another id and another question reach no function', async () => {
  const bonuses = vi.fn<BonusHandlers['bonuses']>(() => []);
  const statusOf = async (call: Parameters<typeof handleBonusCall>[0]) =>
    (await handleBonusCall(call, { bonuses, secrets, now })).status;
  const good = signed(question);
  expect(await statusOf({ ...good, body: good.body.replace('u-1042', 'u-1043') })).toBe(401);
  expect(await statusOf({ ...good, headers: {} })).toBe(401);
  expect(await statusOf(signed(question, 'another'))).toBe(400);
  expect(await statusOf(signed({ ...question, type: 'debit' }))).toBe(400);
  expect(bonuses).not.toHaveBeenCalled();
});

test('an engine that does not know throws, so that nobody takes an empty list for its answer', async () => {
  const bonuses = () => Promise.reject(new Error('down'));
  await expect(handleBonusCall(signed(question), { bonuses, secrets, now })).rejects.toThrow('down');
});

interface Vector {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly now: number;
  readonly bonuses: readonly OwnBonus[] | 'throws';
  readonly reaches?: object;
  readonly expect: object | 'unknown' | 'bad-secret';
}

const vectors = JSON.parse(
  readFileSync(new URL('../../../sdks/vectors/bonus-questions.json', import.meta.url), 'utf8'),
) as Vector[];

test.each(vectors)('[SRV-1] the shared question: $name', async (vector) => {
  const bonuses = vi.fn<BonusHandlers['bonuses']>(() => {
    if (vector.bonuses === 'throws') throw new Error('unknown');
    return vector.bonuses;
  });
  const { secrets: known, body, headers } = vector;
  const found = await handleBonusCall({ body, headers }, { bonuses, secrets: known, now: vector.now * 1000 }).then(
    (response) => ({ status: response.status, body: JSON.parse(response.body) as unknown }),
    (error: Error) => (error instanceof TypeError ? 'bad-secret' : error.message),
  );
  expect(found).toEqual(vector.expect);
  expect(bonuses.mock.calls).toMatchObject(vector.reaches === undefined ? [] : [[vector.reaches]]);
});
