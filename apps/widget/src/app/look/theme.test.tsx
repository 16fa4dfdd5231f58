// @vitest-environment jsdom
import { beforeEach, describe, expect, test } from 'vitest';
import { applyTheme, chooseTheme } from './theme.ts';

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
