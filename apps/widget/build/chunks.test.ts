import { expect, test } from 'vitest';
import { chunkGroups, laterDependencies } from './chunks.ts';

test('with a page come its styles and the large parts, not what it shares with a few others', () => {
  const [styles, ...parts] = ['BDx3T-.css', 'fields-EFKLZN2.js', 'by-hand-BF-HhCQ.js'].map((file) => `assets/${file}`);
  const others = ['s-Dk1b_Z2.js', 'withdrawal-tree-DzyHXkQ.js', 'react-34lYrZR.js', 'p-form-Cgwb3Tw.js'];

  expect(laterDependencies('', [...others.map((file) => `assets/${file}`), styles ?? '', ...parts])).toEqual([
    styles,
    ...parts,
  ]);
});

test('each group takes before the next, and what boot loads before all that imports React', () => {
  const priorities = chunkGroups.map(({ priority }) => priority);

  expect(priorities).toEqual([...new Set(priorities)].sort((one, other) => other - one));
  expect(chunkGroups.map(({ name }) => name).slice(0, 4)).toEqual(['react', 'boot', 'client', 'shell']);
});
