/** The parts that a start has opened. They are closed in the opposite order, also when the start fails half-way. */
import type { Logger } from '../observability/logger.ts';

export interface Closers {
  add(close: () => Promise<unknown> | unknown): void;
  /** Closes each part once. A part that fails is logged; the others are closed all the same. */
  closeAll(): Promise<void>;
}

export function createClosers(logger: Logger): Closers {
  const closers: (() => Promise<unknown> | unknown)[] = [];
  return {
    add: (close) => closers.push(close),
    async closeAll() {
      for (const close of closers.splice(0).reverse()) {
        try {
          await close();
        } catch (error) {
          logger.error({ err: error }, 'closing failed');
        }
      }
    },
  };
}
