import { expect, test } from 'vitest';
import { createSeal } from './sealed-data.ts';

test('[SRV-5] sealed data opens only with its own secret, and not after a bit has changed', () => {
  const seal = createSeal('one');
  const sealed = seal.close({ code: '123456' });
  expect(sealed.toString('latin1')).not.toContain('123456');
  expect(seal.open(sealed)).toEqual({ code: '123456' });
  expect(seal.close({ code: '123456' }).equals(sealed)).toBe(false);
  expect(createSeal('another').open(sealed)).toBeUndefined();
  for (const at of [0, 12, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(seal.open(changed)).toBeUndefined();
  }
  expect(seal.open(Buffer.from('short'))).toBeUndefined();
});
