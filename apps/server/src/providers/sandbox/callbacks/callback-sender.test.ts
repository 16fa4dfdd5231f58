import { createTestClock } from '@opencashier/core/time/test-clock';
import { createWebhookSignatures } from '@opencashier/provider-kit';
import { expect, test } from 'vitest';
import { createCallbackDelivery } from './callback-delivery.ts';
import type { CallbackOutbox } from './callback-outbox.ts';
import { createCallbackSender } from './callback-sender.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A sender with an empty outbox, which counts the rounds. */
function senderOf(nextDueAt: () => Promise<number | undefined> = async () => undefined) {
  const clock = createTestClock();
  let rounds = 0;
  const outbox: CallbackOutbox = {
    async claim() {
      rounds += 1;
      return [];
    },
    nextDueAt,
    finish: async () => undefined,
    retry: async () => undefined,
  };
  const log = { warn: () => undefined };
  const signatures = createWebhookSignatures([`whsec_${Buffer.alloc(32, 1).toString('base64')}`]);
  const delivery = createCallbackDelivery({
    outbox,
    endpointOf: async () => ({ url: 'http://127.0.0.1:1', signatures }),
    clock,
    log,
  });
  const sender = createCallbackSender({ outbox, delivery, clock, log });
  return { clock, sender, rounds: () => rounds };
}

test('a callback that is due after the next round costs no round of its own', async () => {
  const { clock, sender, rounds } = senderOf();
  sender.start();
  await settled();
  sender.wake(clock.now() + 600_000);
  await settled();
  expect(rounds()).toBe(1);
  clock.advance(15_000);
  await settled();
  expect(rounds()).toBe(2);
  await sender.stop();
});

test('a callback that is due before the next round gets a round at its time, and at once when it is due now', async () => {
  const { clock, sender, rounds } = senderOf();
  sender.start();
  await settled();
  sender.wake(clock.now() + 1_000);
  clock.advance(999);
  await settled();
  expect(rounds()).toBe(1);
  clock.advance(1);
  await settled();
  expect(rounds()).toBe(2);
  sender.wake();
  await settled();
  expect(rounds()).toBe(3);
  await sender.stop();
});

test('a wake during a round is kept until the end of the round', async () => {
  let release = (): void => undefined;
  const { clock, sender, rounds } = senderOf(() => new Promise((resolve) => (release = () => resolve(undefined))));
  sender.start();
  await settled();
  sender.wake(clock.now() + 2_000);
  release();
  await settled();
  clock.advance(2_000);
  await settled();
  expect(rounds()).toBe(2);
  release();
  await sender.stop();
});
