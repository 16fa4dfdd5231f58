import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ListedRefund, refundOfEvent } from './refund-of-event.ts';

const refund = (id: string, amount: number, created: number, status = 'succeeded'): ListedRefund => ({
  id,
  amount,
  created,
  status,
  metadata: {},
});

describe('[SRV-4] the refund behind an event of Stripe', () => {
  test('is the right one for each of two refunds in the same second', () => {
    const both = [refund('re_b', 2000, 100), refund('re_a', 1000, 100)];
    expect(refundOfEvent(both, { at: 100, before: 0, after: 1000 })?.id).toBe('re_a');
    expect(refundOfEvent(both, { at: 100, before: 1000, after: 3000 })?.id).toBe('re_b');
  });

  test('differs for two events about equal refunds in the same second', () => {
    const both = [refund('re_b', 1000, 100), refund('re_a', 1000, 100)];
    const told = [0, 1000].map((before) => refundOfEvent(both, { at: 100, before, after: before + 1000 })?.id);
    expect(new Set(told)).toEqual(new Set(['re_a', 're_b']));
  });

  test('is the second one for the event after a refund failed and was made again', () => {
    const listed = [refund('re_1', 2500, 100, 'failed'), refund('re_2', 2500, 200)];
    expect(refundOfEvent(listed, { at: 150, before: 0, after: 2500 })?.id).toBe('re_1');
    expect(refundOfEvent(listed, { at: 250, before: 0, after: 2500 })?.id).toBe('re_2');
  });

  test('is the newest one where the event has no sums, and an error where two are equally new', () => {
    const unsaid = { at: 300, before: undefined, after: undefined };
    expect(refundOfEvent([refund('re_1', 1, 100), refund('re_2', 2, 200)], unsaid)?.id).toBe('re_2');
    expect(() => refundOfEvent([refund('re_1', 1, 200), refund('re_2', 2, 200)], unsaid)).toThrow('Several');
    expect(refundOfEvent([], unsaid)).toBeUndefined();
  });

  test('is never the same for two events, whatever the amounts and times', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ amount: fc.integer({ min: 1, max: 3 }), pause: fc.integer({ min: 0, max: 1 }) }), {
          minLength: 1,
          maxLength: 8,
        }),
        (steps) => {
          let created = 100;
          let before = 0;
          const events = steps.map(({ amount, pause }, index) => {
            created += pause;
            const event = { at: created, before, after: before + amount };
            before += amount;
            return { event, listed: refund(`re_${index}`, amount, created) };
          });
          const all = events.map(({ listed }) => listed).toReversed();
          const told = events.flatMap(({ event }) => {
            try {
              return [refundOfEvent(all, event)?.id];
            } catch {
              // Nothing tells them apart, so staff decide.
              return [];
            }
          });
          expect(new Set(told).size).toBe(told.length);
        },
      ),
    );
  });
});
