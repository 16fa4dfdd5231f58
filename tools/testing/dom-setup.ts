/**
 * Setup for tests of components: matchers for the page, and an empty page before each test. All files of a process share the page, so
 * the leftovers of a test are removed.
 */
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import { patienceNow } from './patience.ts';

// jsdom has no layout, so no element changes its size.
globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};

// jsdom has the element but not its modal methods. They are here, not in a fixture: the gallery shows fixtures in a real browser.
Object.assign(HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement) {
    this.open = true;
  },
  close(this: HTMLDialogElement) {
    this.open = false;
  },
});

// The same limit as for the waits of vitest. This file runs before each test file, so it knows the load of now.
configure({ asyncUtilTimeout: patienceNow() });

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  for (const name of document.documentElement.getAttributeNames()) document.documentElement.removeAttribute(name);
  localStorage.clear();
  sessionStorage.clear();
});
