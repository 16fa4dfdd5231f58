import type { NativeAction, WidgetMessage } from '@opencashier/contract/host';
import type { Services, Session } from '../session/services.tsx';
import { cashierPlace } from './way-out.ts';

/** Whether the app around us has said that it does this for us (HOST-13). */
export function doesNatively(session: Session, action: NativeAction): boolean {
  return cashierPlace(session) === 'app' && session.payload.nativeActions.includes(action);
}

/**
 * Lets the app do it.
 *
 * @returns whether it has taken the message; otherwise the browser's own way is left
 */
export function askApp(
  { session, post }: Pick<Services, 'session' | 'post'>,
  message: Extract<WidgetMessage, { messageType: NativeAction }>,
): boolean {
  return doesNatively(session.getState(), message.messageType) && post(message);
}
