import { expect, test } from 'vitest';
import { widestFrames } from './widest-frames.mjs';

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  children,
  callFrame: { functionName, url, lineNumber: 1 },
});

test('names where the processor was, without its idle time and without the start of the program', () => {
  const profile = {
    nodes: [
      node(1, '(root)', '', [2, 3, 5, 6]),
      node(2, '(idle)', ''),
      node(3, 'handler', 'file:///app/dist/main.js', [4]),
      node(4, 'writev', ''),
      node(5, 'load', 'node:internal/modules/esm/loader', [7]),
      node(6, 'handler', 'file:///app/dist/main.js'),
      node(7, 'wide', 'file:///app/dist/main.js'),
    ],
    samples: [2, 3, 4, 4, 6, 7],
    timeDeltas: [900, 10, 20, 30, 40, 500],
  };
  expect(widestFrames(profile, 5)).toEqual([
    { name: 'handler dist/main.js', share: 0.5 },
    { name: 'writev', share: 0.5 },
  ]);
  expect(widestFrames(profile, 1)).toHaveLength(1);
});
