import { expect, test } from 'vitest';
import { allOf, readElements, textAt } from './read-elements.ts';

test('[WD-2] a large message is read in pieces, and payments are answered between them', async () => {
  // Letters of two bytes, so that pieces end within letters.
  const names = Array.from({ length: 40_000 }, (_none, n) => `é${n}ü`);
  const bytes = Buffer.from(`<Document>\n${names.map((name) => `<Nm>${name}</Nm>`).join('\n')}\n</Document>`);
  let turns = 0;
  const between = setInterval(() => {
    turns += 1;
  }, 0);
  const document = await readElements(bytes);
  clearInterval(between);
  expect(allOf(document, 'Nm').map(({ text }) => text)).toEqual(names);
  expect(document.children.at(-1)?.line).toBe(names.length + 1);
  expect(textAt(document, 'Nm')).toBe('é0ü');
  expect(turns).toBeGreaterThan(3);
});
