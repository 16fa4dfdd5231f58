/**
 * What every test of a component needs: matchers that read as a person would, and an empty page before each test. The page is the
 * same one for all files of a process, so what a test leaves on it is taken away.
 */
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// jsdom lays nothing out, so nothing changes its size.
globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};

// As tools/testing/patience.ts has it for the waits of vitest.
configure({ asyncUtilTimeout: 15_000 });

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  for (const name of document.documentElement.getAttributeNames()) document.documentElement.removeAttribute(name);
  localStorage.clear();
  sessionStorage.clear();
});
