import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test } from 'vitest';
import type { CallbackOutbox } from './callback-outbox.ts';
import { createCallbackSender } from './callback-sender.ts';
import { createCallbackSignatures } from './callback-signature.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** An empty outbox that counts how often it is looked into. */
function senderOf(nextDueAt: () => Promise<number | undefined> = async () => undefined) {
  const clock = createTestClock();
  let looks = 0;
  const outbox: CallbackOutbox = {
    async claim() {
      looks += 1;
      return [];
    },
    nextDueAt,
    finish: async () => undefined,
    retry: async () => undefined,
  };
  const sender = createCallbackSender({
    outbox,
    signatures: createCallbackSignatures([`whsec_${Buffer.alloc(32, 1).toString('base64')}`]),
    clock,
    url: 'http://127.0.0.1:1',
    log: { warn: () => undefined },
  });
  return { clock, sender, looks: () => looks };
}

test('what falls due later than the next look costs no look of its own', async () => {
  const { clock, sender, looks } = senderOf();
  sender.start();
  await settled();
  sender.wake(clock.now() + 600_000);
  await settled();
  expect(looks()).toBe(1);
  clock.advance(15_000);
  await settled();
  expect(looks()).toBe(2);
  await sender.stop();
});

test('what falls due sooner is looked for at that time, and at once when it is due', async () => {
  const { clock, sender, looks } = senderOf();
  sender.start();
  await settled();
  sender.wake(clock.now() + 1_000);
  clock.advance(999);
  await settled();
  expect(looks()).toBe(1);
  clock.advance(1);
  await settled();
  expect(looks()).toBe(2);
  sender.wake();
  await settled();
  expect(looks()).toBe(3);
  await sender.stop();
});

test('what is told during a look is not forgotten by its end', async () => {
  let release = (): void => undefined;
  const { clock, sender, looks } = senderOf(() => new Promise((resolve) => (release = () => resolve(undefined))));
  sender.start();
  await settled();
  sender.wake(clock.now() + 2_000);
  release();
  await settled();
  clock.advance(2_000);
  await settled();
  expect(looks()).toBe(2);
  release();
  await sender.stop();
});
