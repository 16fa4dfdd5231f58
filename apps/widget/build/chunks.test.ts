import { expect, test } from 'vitest';
import { chunkGroups, laterDependencies } from './chunks.ts';

test('[UI-5] with a page come its styles and all files that it imports, except those of the first page', () => {
  const at = (file: string) => `assets/${file}`;
  const page = ['BDx3T-.css', 'fields-EFKLZN2.js', 's-Dk1b_Z2.js', 'p-form-Cgwb3Tw.js'].map(at);
  const first = [
    'react-34lYrZR.js',
    'shell-34lYrZR.js',
    'boot-34lYrZ.js',
    'form-34lYrZR.js',
    'rolldown-runtime-34lYrZR.js',
  ].map(at);

  expect(laterDependencies('', [...first, ...page])).toEqual(page);
});

test('each group takes before the next, and what boot loads before all that imports React', () => {
  const priorities = chunkGroups.map(({ priority }) => priority);

  expect(priorities).toEqual([...new Set(priorities)].sort((one, other) => other - one));
  expect(chunkGroups.map(({ name }) => name).slice(0, 5)).toEqual(['react', 'boot', 'client', 'shell', 'form']);
});
