// @vitest-environment jsdom
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { reportHeight } from './fit-height.ts';

afterEach(() => vi.unstubAllGlobals());

/** A screen whose height and observer are played by hand. */
function bench() {
  const frames: (() => void)[] = [];
  let notify = (): void => {};
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
  vi.stubGlobal('cancelAnimationFrame', () => frames.splice(0));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(reported: () => void) {
        notify = reported;
      }
      observe() {}
      disconnect() {
        notify = () => {};
      }
    },
  );
  const reported: number[] = [];
  const screen = document.createElement('div');
  let height = 0;
  screen.getBoundingClientRect = () => ({ height }) as DOMRect;
  const stop = reportHeight({
    page: document.documentElement,
    screen,
    post: (message) => message.messageType === 'resize' && reported.push(message.payload.height),
  });
  return {
    reported,
    stop,
    grow(to: number) {
      height = to;
      notify();
    },
    draw: () => {
      for (const run of frames.splice(0)) run();
    },
  };
}

test('[UI-4] the height is reported in whole pixels, rounded up, once a frame and only when it is another', () => {
  const { reported, grow, draw, stop } = bench();
  grow(400.2);
  grow(512.4);
  draw();
  expect(reported).toEqual([513]);
  grow(512.9);
  draw();
  grow(0);
  draw();
  expect(reported).toEqual([513]);
  stop();
  grow(700);
  draw();
  expect(reported).toEqual([513]);
});

test('[UI-4] whatever heights come, two in a row are never the same and none cuts the screen off', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0.1, max: 5000, noNaN: true })), (heights) => {
      const { reported, grow, draw } = bench();
      for (const height of heights) {
        grow(height);
        draw();
        expect(reported.at(-1)).toBeGreaterThanOrEqual(height);
      }
      expect(reported.some((height, index) => height === reported[index - 1])).toBe(false);
    }),
    { numRuns: 50 },
  );
});
