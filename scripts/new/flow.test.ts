import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';

const run = (name?: string): { readonly code: number; readonly said: string } => {
  try {
    execFileSync(process.execPath, ['scripts/new/flow.mjs', ...(name === undefined ? [] : [name])], { stdio: 'pipe' });
    return { code: 0, said: '' };
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: Buffer };
    return { code: status, said: String(stderr) };
  }
};

describe('npm run new:flow', () => {
  test.each([undefined, '', 'Voucher', '../pix', 'a--b', 'x'.repeat(31)])('refuses the name %s', (name) => {
    expect(run(name)).toEqual({ code: 2, said: expect.stringContaining('small letters, digits and hyphens') });
  });

  test('never writes over a flow that is there', () => {
    expect(run('pix')).toEqual({ code: 2, said: 'There is already apps/widget/src/flows/pix.\n' });
  });
});
