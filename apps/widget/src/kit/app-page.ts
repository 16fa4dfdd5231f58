import type { Session } from './services.tsx';

/**
 * Whether an app shows the cashier as its own page (HOST-13): there payments take its place (DEP-2), and the app can be asked. In a
 * frame, whatever platform is named, a bank's page would refuse to stand in the cashier's place, and a page would be asked.
 */
export function isAppPage({ isNative }: Pick<Session, 'isNative'>): boolean {
  return isNative && window.parent === window;
}
