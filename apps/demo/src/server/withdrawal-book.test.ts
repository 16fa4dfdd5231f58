import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWithdrawalBook, type WithdrawalReport, withdrawalEvents } from './withdrawal-book.ts';

const report = (event: WithdrawalReport['event'], withdrawalId: string): WithdrawalReport => ({
  webhookId: `${withdrawalId}-${event}`,
  event,
  withdrawalId,
  userId: 'ada',
  accountType: 'main',
  amount: '20.00',
  currency: 'USD',
  paymentMethod: 'card',
  charged: event === 'settled' ? '20.00' : '0.00',
  at: '2026-01-01T00:00:00Z',
});

test('[SRV-5] the order and the repetition of webhooks do not change the result', () => {
  const told = fc.array(fc.record({ event: fc.constantFrom(...withdrawalEvents), id: fc.constantFrom('a', 'b') }), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(told, fc.infiniteStream(fc.nat()), (events, chance) => {
      const shuffled = events
        .flatMap((event) => [event, event])
        .map((event) => ({ event, by: chance.next().value ?? 0 }))
        .sort((one, other) => one.by - other.by)
        .map(({ event }) => event);
      const sumsOf = (list: typeof events) => {
        const book = createWithdrawalBook();
        for (const { event, id } of list) book.add(report(event, id));
        return book.sums('ada');
      };
      expect(sumsOf(shuffled)).toEqual(sumsOf(events));
    }),
  );
});
