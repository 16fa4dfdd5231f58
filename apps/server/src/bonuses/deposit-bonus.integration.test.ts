/** Bonuses through the whole server: offered to the operator, chosen at the create call, credited in the ledger. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { atProvider, intents, Person } from '../transports/testing/person.ts';
import { appOperatorKey, type RunningApp, startApp } from '../transports/testing/running-app.ts';

let running: RunningApp;
beforeAll(async () => {
  running = await startApp();
});
afterAll(() => running?.stop());

describe('bonuses', () => {
  const intent = { ...intents.redirect, amount: '300.00' };

  interface Offers {
    readonly bonuses: readonly { readonly id: string; readonly content: { readonly title: string } }[];
    readonly balances: unknown[];
  }

  async function offersOf(userId: string, locale = 'en'): Promise<Offers> {
    const query = new URLSearchParams({ currency: 'USD', locale });
    const response = await fetch(`${running.url}/operator/v1/users/${userId}/bonuses?${query}`, {
      headers: { authorization: `Bearer ${appOperatorKey}` },
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Offers;
  }

  test('[BON-3] the chosen bonus is credited with the deposit, in one journal and with the server’s own amount', async () => {
    const person = await Person.with(running, intent);
    const { bonuses } = await offersOf(person.userId);
    const bonusId = bonuses.find(({ id }) => id.startsWith('welcome_usd'))?.id;
    const german = await offersOf(person.userId, 'de');
    expect(german.bonuses.find(({ id }) => id === bonusId)?.content.title).toBe('Willkommensbonus');
    const depositId = randomUUID();
    const created = await person.create(depositId, { isActivatedBonus: true, bonusId });
    expect(created.status, JSON.stringify(created.error)).toBe(200);
    expect(await person.balance('bonus')).toBe(0n);
    await atProvider(running, depositId, 'pay');
    await person.becomes(depositId, { status: 1, finalAmount: '300.00' });
    // 100 % of at most 250.00, beside the money that can be withdrawn.
    expect([await person.balance(), await person.balance('bonus')]).toEqual([30_000n, 25_000n]);
    expect((await offersOf(person.userId)).balances).toEqual([{ currency: 'USD', amount: '250.00' }]);
    const journals = await running.database.query<{ lines: bigint }>({
      text: `select count(*) as lines from journal join posting on posting.journal_id = journal.id
        where journal.deposit_id = $1 group by journal.id`,
      values: [depositId],
    });
    expect(journals).toEqual([{ lines: 4n }]);

    await atProvider(running, depositId, 'take-back');
    await person.becomes(depositId, { status: 2 });
    expect([await person.balance(), await person.balance('bonus')]).toEqual([0n, 0n]);
    expect(await auditLedger(running.database)).toMatchObject({ isSound: true });
  });

  test('[BON-2] an ended, restricted or unreached bonus is never replaced: the user is asked again', async () => {
    const person = await Person.with(running, intent);
    const { bonuses } = await offersOf(person.userId);
    const bonusId = bonuses.find(({ id }) => id.startsWith('welcome_usd'))?.id ?? '';
    const lastRound = bonusId.replace(/\d+$/, (round) => String(Number(round) - 1));
    const expired = { error: { code: 'bonus-expired' }, status: 422 };
    const depositId = randomUUID();
    expect(await person.create(depositId, { isActivatedBonus: true, bonusId: lastRound })).toMatchObject(expired);
    expect(await person.create(randomUUID(), { isActivatedBonus: true, bonusId, amount: '9.00' })).toMatchObject(
      expired,
    );
    expect(await person.create(randomUUID(), { isActivatedBonus: true })).toMatchObject(expired);
    const restricted = await Person.with(running, { ...intent, method: 'webmoney_usd', country: 'RU' });
    expect(await restricted.create(randomUUID(), { isActivatedBonus: true, bonusId })).toMatchObject(expired);
    // The idempotency key is still free: the same deposit can be made without the bonus.
    expect((await person.create(depositId)).status).toBe(200);
  });

  test('without the user’s choice no bonus is credited', async () => {
    const person = await Person.with(running, intent);
    const { bonuses } = await offersOf(person.userId);
    const depositId = randomUUID();
    await person.create(depositId, { isActivatedBonus: false, bonusId: bonuses[0]?.id });
    await atProvider(running, depositId, 'pay');
    await person.becomes(depositId, { status: 1 });
    expect(await person.balance('bonus')).toBe(0n);
  });
});
