import type { NativeAction, WidgetMessage } from '@opencashier/contract/host';
import type { Services, Session } from '../session/services.tsx';
import { cashierPlace } from './way-out.ts';

/** Whether the app around the widget offers this action (HOST-13). */
export function doesNatively(session: Session, action: NativeAction): boolean {
  return cashierPlace(session) === 'app' && session.payload.nativeActions.includes(action);
}

/**
 * Asks the app to do the action.
 *
 * @returns whether the app has taken the message; if not, use the browser
 */
export function askApp(
  { session, post }: Pick<Services, 'session' | 'post'>,
  message: Extract<WidgetMessage, { messageType: NativeAction }>,
): boolean {
  return doesNatively(session.getState(), message.messageType) && post(message);
}
