import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';

const run = (name: string): { readonly code: number; readonly said: string } => {
  try {
    execFileSync(process.execPath, ['scripts/new/provider.mjs', name], { stdio: 'pipe' });
    return { code: 0, said: '' };
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: Buffer };
    return { code: status, said: String(stderr) };
  }
};

describe('npm run new:provider', () => {
  test('refuses a name that cannot be a folder', () => {
    expect(run('Acme Ltd')).toEqual({ code: 2, said: expect.stringContaining('small letters, digits and hyphens') });
  });

  test('never writes over a provider that is there', () => {
    expect(run('stripe')).toEqual({ code: 2, said: 'There is already apps/server/src/providers/stripe.\n' });
  });
});
