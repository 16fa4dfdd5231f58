import { expect, test } from 'vitest';
import { cellDatabasesOf } from './cells.ts';

const list = (value: string | undefined) => cellDatabasesOf({ CELL_DATABASES: value });

test('[SRV-1] the databases of cells are read with their names, and without the setting there is none', () => {
  expect(list('a=postgres://u:p%2Cq@db-a/cashier, b=postgresql://u@db-b/cashier')).toEqual([
    { name: 'a', url: 'postgres://u:p%2Cq@db-a/cashier' },
    { name: 'b', url: 'postgresql://u@db-b/cashier' },
  ]);
  expect([list(undefined), list(' ')]).toEqual([[], []]);
});

test.each([
  'postgres://u:secret@db/cashier',
  'b=mysql://u:secret@db',
  'B=postgres://u:secret@db',
  'b=postgres://[:secret',
])('[SRV-9] %s is refused by its place, and no secret is printed', (entry) => {
  const refused = () => list(`a=postgres://u@db/cashier,${entry}`);
  expect(refused).toThrow('Entry 2 of CELL_DATABASES must be <name>=postgres://…');
  expect(refused).not.toThrow('secret');
});
