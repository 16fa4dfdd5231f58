/** What follows a list that cannot be shown (LIST-1): an empty list, or a list that failed to load. */
import { useEffect } from 'react';
import { failureCode } from '../session/failure-code.ts';
import { useServices } from '../session/services.tsx';

/** Tells the host once that no method is offered, with the message of section 8. */
export function useEmptyNotice(isEmpty: boolean, message: string): void {
  const { post } = useServices();
  useEffect(() => {
    if (isEmpty) post({ messageType: 'error', payload: { code: 'nothing-offered', message } });
  }, [isEmpty, message, post]);
}

/** Leads to the error page, whose button leads back to `backRoute` (NAV-5). */
export function useErrorPage(failure: unknown, backRoute: string): void {
  const { navigation } = useServices();
  useEffect(() => {
    if (failure === undefined) return;
    const stacktrace = failure instanceof Error ? failure.stack : undefined;
    const code = failureCode(failure);
    // An error's message is for logs; the user sees the text of its code.
    const errorMessage = code === undefined && failure instanceof Error ? failure.message : undefined;
    navigation.go(`/error?backRoute=${encodeURIComponent(backRoute)}`, {
      replace: true,
      state: { errorMessage, stacktrace, code },
    });
  }, [failure, navigation, backRoute]);
}
