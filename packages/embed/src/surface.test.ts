import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';
import { expect, test } from 'vitest';
import * as entry from './index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('the entry point exports exactly this', () => {
  expect(Object.keys(entry)).toEqual(['createCashier']);
});

test('both loaders stay within their limits in brotli and fetch only what is not needed at once', async () => {
  const outDir = await mkdtemp(join(tmpdir(), 'embed-'));
  try {
    for (const mode of ['production', 'global']) {
      await build({ root, mode, logLevel: 'silent', build: { outDir, emptyOutDir: false } });
    }
    for (const [name, limitBytes] of Object.entries({ 'cashier.js': 4000, 'cashier.global.js': 4000 })) {
      const text = await readFile(join(outDir, name));
      expect(brotliCompressSync(text).length, name).toBeLessThanOrEqual(limitBytes);
      expect(text.toString()).not.toMatch(/\bimport\b(?!\(`\.\/(?:payments|doctor|element-class)\.js`\))/);
      expect(text.toString().match(/import\(/g)).toHaveLength(name === 'cashier.js' ? 2 : 3);
    }
    // A part must never bring a second SDK.
    for (const part of ['payments.js', 'doctor.js', 'element-class.js']) {
      expect((await readFile(join(outDir, part))).toString(), part).not.toMatch(/\bimport\b/);
    }
    expect((await readFile(join(outDir, 'cashier.global.js'))).toString()).toMatch(/^var OpenCashier=/);
  } finally {
    await rm(outDir, { recursive: true });
  }
});
