import { expect, test } from 'vitest';
import { compareVersions, headerOf, headerProblem, newestOf } from './migration-header.ts';

const written = (kind: string, version: string, sql: string) => ({
  name: '0007_tried',
  sql: `-- class: ${kind}\n-- compatible-with: ${version}\n-- Why: we drop table names of no use.\n${sql}`,
});

test('[SRV-7] a migration says its class and the oldest version that works after it', () => {
  expect(headerOf(written('expand', '0.1.0', 'create table tried (n int)').sql)).toEqual({
    class: 'expand',
    compatibleWith: '0.1.0',
  });
  expect(headerOf(written('contract', '0.2.0', '').sql)?.class).toBe('contract');
  for (const sql of [
    'create table tried (n int)',
    '-- class: expand\nselect 1',
    '-- class: odd\n-- compatible-with: 0.1.0\n',
  ])
    expect(headerOf(sql)).toBeUndefined();
});

test('[SRV-7] a migration without these lines, or for a version to come, is refused', () => {
  expect(headerProblem({ name: '0007_tried', sql: 'select 1' }, '0.2.0')).toContain('must begin with the lines');
  expect(headerProblem(written('expand', '0.3.0', ''), '0.2.0')).toContain('newer than this build (0.2.0)');
  expect(headerProblem(written('contract', '0.1.0', 'drop table tried'), '0.2.0')).toBeUndefined();
});

test.each([
  'drop table tried',
  'alter table tried drop column n',
  'alter table tried rename to other',
  'alter table tried alter column n type bigint',
  'alter table tried alter column n set not null',
  'delete from tried',
  'DROP  VIEW tried',
])('[SRV-7] an expand migration takes nothing away: %s', (sql) => {
  expect(headerProblem(written('expand', '0.1.0', sql), '0.2.0')).toContain('make it a contract migration');
});

test('[SRV-7] an expand migration adds tables, columns with defaults and indexes', () => {
  const sql = `create table tried (n int not null); alter table tried add column m int not null default 0;
    create index on tried (n); insert into tried values (1)`;
  expect(headerProblem(written('expand', '0.1.0', sql), '0.2.0')).toBeUndefined();
});

test('versions are compared by number, and a suffix does not count', () => {
  expect(compareVersions('0.10.0', '0.9.9')).toBeGreaterThan(0);
  expect(compareVersions('1.0.0-rc.1', '1.0.0')).toBe(0);
  expect(compareVersions('0.1.2', '0.2.0')).toBeLessThan(0);
  expect(newestOf(['0.9.0', '0.10.0', '0.2.0'])).toBe('0.10.0');
  expect(newestOf([])).toBeUndefined();
  expect(() => compareVersions('1', '1.0.0')).toThrow('is not a version');
});
