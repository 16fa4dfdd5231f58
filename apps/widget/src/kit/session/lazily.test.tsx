// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { insist } from '../../api/insist.ts';
import { lazyPart } from './lazily.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  document.head.replaceChildren();
});

/** Fails as often as told, as a line that is away for a while. */
function failing<Part>(times: number, part: Part) {
  let left = times;
  return vi.fn(async () => {
    if (left === 0) return part;
    left -= 1;
    throw new TypeError('Failed to fetch');
  });
}

test('a file that fails to load is requested again, with growing pauses, for half a minute', async () => {
  const load = failing(6, 'here');
  const found = insist(load);
  await vi.advanceTimersByTimeAsync(499);
  expect(load).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(load).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(await found).toBe('here');
  expect(load).toHaveBeenCalledTimes(7);
});

test('after the last try its error is reported', async () => {
  const load = failing(7, 'here');
  const found = insist(load);
  const told = expect(found).rejects.toThrow('Failed to fetch');
  await vi.advanceTimersByTimeAsync(32_000);
  await told;
});

test('a failed style sheet is requested again with it', async () => {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = '/lost.css';
  document.head.append(link);
  const found = insist(failing(1, 'here'));
  await vi.advanceTimersByTimeAsync(500);
  expect(await found).toBe('here');
  const [now] = document.querySelectorAll('link');
  expect(now).not.toBe(link);
  expect(now?.getAttribute('href')).toBe('/lost.css');
});

test('a part that loads late is shown late; a part that never loads leaves the screen unchanged', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const Late = lazyPart(failing(2, () => <p>late</p>));
  const Never = lazyPart(failing(99, () => <p>never</p>));
  render(
    <>
      <p>the screen</p>
      <Suspense>
        <Late />
      </Suspense>
      <Suspense>
        <Never />
      </Suspense>
    </>,
  );
  await act(() => vi.advanceTimersByTimeAsync(1500));
  expect(screen.getByText('late')).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(screen.getByText('the screen')).toBeDefined();
  expect(screen.queryByText('never')).toBeNull();
  expect(console.warn).toHaveBeenCalledOnce();
});
