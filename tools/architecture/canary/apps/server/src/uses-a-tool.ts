// breaks: no-tools-in-production
export { expect } from 'vitest';
