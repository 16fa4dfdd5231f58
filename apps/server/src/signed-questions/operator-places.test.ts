import { expect, test } from 'vitest';
import { createPlaces } from './operator-places.ts';

test('[SRV-2] an operator whose wallet hangs has a few places, and leaves those of others free', async () => {
  const inPlace = createPlaces(2);
  let resolve = (_answer: string): void => undefined;
  const answer = new Promise<string>((settle) => {
    resolve = settle;
  });
  const hanging = [inPlace('slow', () => answer), inPlace('slow', () => answer)];
  expect(await inPlace('slow', async () => 'asked')).toBeUndefined();
  expect(await inPlace('other', async () => 'asked')).toBe('asked');
  resolve('answered');
  expect(await Promise.all(hanging)).toEqual(['answered', 'answered']);
  expect(await inPlace('slow', async () => 'asked')).toBe('asked');
});

test('[SRV-2] a failure frees its place', async () => {
  const inPlace = createPlaces(1);
  const fail = () => inPlace('slow', () => Promise.reject(new Error('lost')));
  await expect(fail()).rejects.toThrow('lost');
  await expect(fail()).rejects.toThrow('lost');
});
