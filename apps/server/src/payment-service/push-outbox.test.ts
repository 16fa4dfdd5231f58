import { expect, test } from 'vitest';
import type { QueuedPush } from '../outbox/queued-push.ts';
import { pushSenderOf } from './push-outbox.ts';

const pushOf = (id: number): QueuedPush => ({
  id: BigInt(id),
  operatorId: 'op',
  userId: 'ann',
  name: 'deposit.status',
  body: {},
  attempts: 1,
});
const pushes = (count: number): QueuedPush[] => Array.from({ length: count }, (_, id) => pushOf(id));

function senderWith(inHand: readonly (readonly QueuedPush[])[] | undefined) {
  const taken: (readonly (readonly QueuedPush[])[])[] = [];
  const sender = pushSenderOf(() => ({ inHand: () => inHand, take: (items) => void taken.push(items) }));
  return { sender, taken };
}

test('[SRV-5] pushes are leased to a node only while its worker runs', () => {
  expect(senderWith(undefined).sender.hasPlace()).toBe(false);
  expect(senderWith([]).sender.hasPlace()).toBe(true);
});

test('[SRV-5] pushes wait in the table while 2,000 are in hand, so that slow sending takes no memory', () => {
  expect(senderWith([pushes(1_000), pushes(999)]).sender.hasPlace()).toBe(true);
  expect(senderWith([pushes(1_000), pushes(1_000)]).sender.hasPlace()).toBe(false);
});

test('[SRV-5] the pushes of a transaction are one item, so that a user gets them in their order', () => {
  const { sender, taken } = senderWith([]);
  const queued = pushes(3);
  sender.take(queued);
  sender.take([]);
  expect(taken).toEqual([[queued]]);
});
