import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPageSheets } from './page-sheets.ts';

test('[UI-5] a drawn page brings the sheets of its classes, except those that the built page has', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'page-sheets-'));
  try {
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), '<style>@layer ui{._here{}}</style><style>._also{}</style>');
    await writeFile(join(folder, 'assets/a.css'), '@layer kit{._field{}._field:hover{}}\n');
    await writeFile(join(folder, 'assets/b.css'), '._other ._line{}');
    await writeFile(join(folder, 'assets/c.css'), '._also{}');
    const sheets = await readPageSheets(folder);
    expect(sheets.of('<p class="_here _field"></p><p class="_field _unknown"></p>')).toEqual([
      '@layer kit{._field{}._field:hover{}}',
    ]);
    expect(sheets.of('<p class="_line"></p><b class="_field">')).toHaveLength(2);
    expect(sheets.of('<p class="_also">_line</p>')).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
