import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDataKeys, dataSecrets } from './data-keys.ts';

const old = createDataKeys(['an old secret']);
const both = createDataKeys(['a new secret', 'an old secret']);

describe('[SRV-2] what is kept encrypted', () => {
  test('opens as it was, under the newest key and under older ones, and is never readable', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, context) => {
        const sealed = old.seal(text, context);
        expect(old.open(sealed, context)).toBe(text);
        expect(both.open(sealed, context)).toBe(text);
        expect(old.open(both.seal(text, context), context)).toBeUndefined();
      }),
    );
    expect(both.seal('4081781009991000', '').sealed.toString('latin1')).not.toContain('40817810');
  });

  test('opens nowhere else, and not once a bit of it was changed', () => {
    const { keyId, sealed } = old.seal('secret words', 'ann');
    expect(old.open({ keyId, sealed }, 'bob')).toBeUndefined();
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(old.open({ keyId, sealed: changed }, 'ann')).toBeUndefined();
    }
    expect(old.open({ keyId, sealed: Buffer.alloc(3) }, 'ann')).toBeUndefined();
  });

  test('twice the same text is two different ones', () => {
    expect(old.seal('x', '').sealed.equals(old.seal('x', '').sealed)).toBe(false);
  });
});

describe('[SRV-1] marks', () => {
  test('are alike for one value, key and purpose alone; those of older keys come behind', () => {
    expect(both.marks('x', 'a')).toEqual([createDataKeys(['a new secret']).marks('x', 'a')[0], old.marks('x', 'a')[0]]);
    const different = [both.marks('x', 'a'), both.marks('x', 'b'), both.marks('y', 'a')].map(([mark]) =>
      mark.toString('hex'),
    );
    expect(new Set(different).size).toBe(3);
  });
});

test('the secret that signs tokens reads behind the keys of the settings, and writes where there are none', () => {
  expect(dataSecrets([], 'token')).toEqual(['token']);
  expect(dataSecrets(['one', 'two'], 'token')).toEqual(['one', 'two', 'token']);
});
