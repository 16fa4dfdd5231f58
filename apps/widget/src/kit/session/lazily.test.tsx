// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { Suspense, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { insist } from '../../api/insist.ts';
import { laterComponent, lazyPart } from './lazily.ts';

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

test('[UI-5] a loaded component is drawn in the same turn', async () => {
  const load = failing(0, () => <p>here</p>);
  const Here = laterComponent(load);
  expect(Here.isLoaded()).toBe(false);
  await Here.load();
  expect(Here.isLoaded()).toBe(true);
  render(<Here />);
  expect(screen.getByText('here')).toBeDefined();
  expect(load).toHaveBeenCalledOnce();
});

test('a component that waited for its file keeps its state when it is drawn again', async () => {
  const Counter = laterComponent(failing(0, Count));
  const page = render(
    <Suspense>
      <Counter />
    </Suspense>,
  );
  await act(() => vi.advanceTimersByTimeAsync(0));
  fireEvent.click(screen.getByRole('button', { name: '0' }));
  page.rerender(
    <Suspense>
      <Counter />
    </Suspense>,
  );
  expect(screen.getByRole('button', { name: '1' })).toBeDefined();
});

test('a file that failed ahead is loaded again when it is drawn', async () => {
  const Late = laterComponent(failing(1, () => <p>late</p>));
  await expect(Late.load()).rejects.toThrow('Failed to fetch');
  render(
    <Suspense>
      <Late />
    </Suspense>,
  );
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(screen.getByText('late')).toBeDefined();
});

function Count() {
  const [count, setCount] = useState(0);
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      {count}
    </button>
  );
}
