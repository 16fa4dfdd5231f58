// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { appearanceVariables, applyAppearance, applyTheme, chooseTheme, isSafeValue } from './theme.ts';

const root = document.documentElement;
beforeEach(() => {
  root.removeAttribute('style');
  delete root.dataset['theme'];
});

function device(matches: boolean) {
  const listeners = new Set<() => void>();
  return {
    matches,
    listeners,
    addEventListener: (_type: string, listen: () => void) => void listeners.add(listen),
    removeEventListener: (_type: string, listen: () => void) => void listeners.delete(listen),
  };
}

describe('theme', () => {
  test('[HOST-13] apps are dark and the rest is light, unless the address or, before it, the host says otherwise', () => {
    expect(chooseTheme(true, undefined, undefined)).toBe('dark');
    expect(chooseTheme(false, undefined, undefined)).toBe('light');
    expect(chooseTheme(true, undefined, 'light')).toBe('light');
    expect(chooseTheme(true, { theme: 'auto', variables: {} }, 'light')).toBe('auto');
  });

  test('auto follows the device until it is told to stop', () => {
    const prefersDark = device(true);
    const stop = applyTheme({ root, prefersDark: prefersDark as unknown as MediaQueryList }, 'auto');
    expect(root.dataset['theme']).toBe('dark');
    prefersDark.matches = false;
    for (const listen of prefersDark.listeners) listen();
    expect(root.dataset['theme']).toBe('light');
    stop();
    expect(prefersDark.listeners.size).toBe(0);
  });
});

describe('appearance', () => {
  test('sets the listed variables and refuses names and values that could do more than colour', () => {
    const variables = {
      accent: '#e11d48',
      'radius-m': '4px',
      'on-accent': 'white; background: url(https://evil.example)',
      surface: 'URL (https://evil.example)',
      text: 'red}body{display:none',
      line: 'image-set("https://evil.example" 1x)',
      muted: '\\75rl(https://evil.example)',
      position: 'fixed',
    };
    expect(applyAppearance(root, { variables })).toEqual(['on-accent', 'surface', 'text', 'line', 'muted', 'position']);
    expect(root.style.getPropertyValue('--accent')).toBe('#e11d48');
    expect(root.style.getPropertyValue('--radius-m')).toBe('4px');
    expect(root.style).toHaveLength(2);
  });

  test('no accepted value can close its declaration or name an address', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (value) => {
        if (isSafeValue(value)) expect(value).not.toMatch(/[;{}\\]|url\s*\(/i);
      }),
    );
  });

  test('every name that a host may set is one that the look hangs on', () => {
    const tokens = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
    expect([...appearanceVariables].filter((name) => !tokens.includes(`--${name}:`))).toEqual([]);
  });
});
