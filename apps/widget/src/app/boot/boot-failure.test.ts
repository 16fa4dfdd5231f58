import { depositStatus } from '@opencashier/contract/api';
import { expect, test, vi } from 'vitest';
import { clientOfFailedStart } from './boot-failure.ts';

const request = { depositId: '3f0c7a52-3f0b-4d1e-9a67-0f6d3a1f9b11' };

test('after a failed start the first screen that wants data starts everything anew; the error page itself does not', async () => {
  let left = false;
  const startAgain = vi.fn();
  const client = clientOfFailedStart(() => left, startAgain);
  await expect(client.call(depositStatus, request)).rejects.toMatchObject({ kind: 'network' });
  expect(startAgain).not.toHaveBeenCalled();
  left = true;
  void client.call(depositStatus, request);
  expect(startAgain).toHaveBeenCalledOnce();
});
