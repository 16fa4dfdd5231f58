import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { projectFiles } from './project.mjs';

const program = fileURLToPath(new URL('./main.mjs', import.meta.url));
const example = fileURLToPath(new URL('../../../examples/provider', import.meta.url));

function run(cwd: string, ...names: string[]): { readonly code: number; readonly said: string } {
  try {
    return {
      code: 0,
      said: execFileSync(process.execPath, [program, ...names], { cwd, encoding: 'utf8', stdio: 'pipe' }),
    };
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: string };
    return { code: status, said: stderr };
  }
}

describe('npm create @opencashier/provider', () => {
  test('the example is what the command makes', () => {
    const made = projectFiles('acme');
    for (const [path, content] of Object.entries(made))
      expect(readFileSync(join(example, path), 'utf8'), path).toBe(content);
    const there = readdirSync(example, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map(({ parentPath, name }) => join(parentPath, name).slice(example.length + 1));
    expect(there.toSorted()).toEqual(Object.keys(made).toSorted());
  });

  test('a name with hyphens makes valid names everywhere', () => {
    const made = projectFiles('big-bank');
    expect(JSON.parse(made['provider.json'] ?? '').name).toBe('big-bank');
    expect(made['methods.yaml']).toContain('big_bank_card:');
    expect(made['README.md']).toContain('$PROVIDER_KEY_BIG_BANK"');
    expect(Object.values(made).join('')).not.toMatch(/__\w+?__/);
  });

  test('it makes a folder once, and refuses names that no provider can have', () => {
    const folder = mkdtempSync(join(tmpdir(), 'opencashier-create-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    expect(run(folder, 'acme')).toMatchObject({ code: 0, said: expect.stringContaining('npm test') });
    expect(readdirSync(join(folder, 'acme'))).toContain('.gitignore');
    expect(run(folder, 'acme')).toMatchObject({ code: 2, said: expect.stringContaining('is there already') });
    for (const name of ['Acme', '../x', '', '1st']) expect(run(folder, name).code).toBe(2);
  });
});
