import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { deliveryPage, replayDelivery } from './delivery-records.ts';
import { endUndeliverable } from './end-undeliverable.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
  await opened.database.query({
    text: `insert into operator (id, partner_key, name, webhook_url, webhook_disabled_at) values
      ('none', 'none', 'None', null, null),
      ('off', 'off', 'Off', 'https://off.example/', now() - interval '40 days'),
      ('good', 'good', 'Good', 'https://good.example/', null)`,
  });
  // Two webhooks of each operator: one that has waited for 31 days, and one for 29 days.
  await opened.database.query({
    text: `with made as (
        insert into webhook_delivery (operator_id, type, body) select id, kind, '{}' from operator, unnest('{old.one,new.one}'::text[]) kind
        returning operator_id, id, type)
      insert into webhook_queue (operator_id, delivery_id, next_at)
      select operator_id, id, now() - make_interval(days => case type when 'old.one' then 31 else 29 end) from made`,
  });
});
afterAll(() => opened.drop());

const states = () =>
  opened.database.query({
    text: `select delivery.operator_id || ' ' || type as webhook, status, queue.delivery_id is not null as waits
      from webhook_delivery delivery left join webhook_queue queue on queue.delivery_id = delivery.id order by 1`,
  });

test('[SRV-5] a webhook that nobody could receive for 30 days ends, is listed and can be replayed', async () => {
  const { database } = opened;
  const facts: object[] = [];
  const lines: object[] = [];
  const counted = {
    ...database,
    transaction: (work: Parameters<typeof database.transaction>[0]) =>
      database.transaction((transaction) => work({ ...transaction, measure: (fact) => void facts.push(fact) })),
  } as typeof database;
  const work = endUndeliverable(counted, { warn: (fields) => void lines.push(fields) });
  const ended = [...(await work.claim([]))].sort((left, right) => (left.operatorId < right.operatorId ? -1 : 1));
  expect(ended).toEqual([
    { operatorId: 'none', webhooks: 1 },
    { operatorId: 'off', webhooks: 1 },
  ]);
  for (const one of ended) await work.handle(one, new AbortController().signal);
  expect(lines).toMatchObject([{ operatorId: 'none' }, { operatorId: 'off' }]);
  expect(facts).toHaveLength(2);
  expect(facts[0]).toEqual({ metric: 'webhooksEnded', labels: { end: 'undeliverable' }, value: 1 });
  expect(await work.claim([])).toEqual([]);
  expect(await states()).toEqual([
    { webhook: 'good new.one', status: 'pending', waits: true },
    { webhook: 'good old.one', status: 'pending', waits: true },
    { webhook: 'none new.one', status: 'pending', waits: true },
    { webhook: 'none old.one', status: 'undeliverable', waits: false },
    { webhook: 'off new.one', status: 'pending', waits: true },
    { webhook: 'off old.one', status: 'undeliverable', waits: false },
  ]);

  const { deliveries } = await deliveryPage(database, 'off', { status: 'undeliverable', limit: 10 });
  expect(deliveries).toMatchObject([{ type: 'old.one', isReplayable: true }]);
  const replayed = await replayDelivery(database, 'off', deliveries[0]?.id ?? '');
  expect(replayed).toMatchObject({ status: 'pending' });
  // The replay waits for 30 days again, also if the address is switched off again.
  await database.query({ text: `update operator set webhook_disabled_at = now() where id = 'off'` });
  expect(await work.claim([])).toEqual([]);
});
