/** Where a list leads that cannot be shown (LIST-1): an empty list, or a list that failed to load. */
import { useEffect } from 'react';
import { failureCode } from '../session/failure-code.ts';
import { useServices } from '../session/services.tsx';

/** Tells the host once, in the words of section 8, that nothing is offered. */
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
    // The message of a fault is for logs; the person sees the text of its code.
    const errorMessage = code === undefined && failure instanceof Error ? failure.message : undefined;
    navigation.go(`/error?backRoute=${encodeURIComponent(backRoute)}`, {
      replace: true,
      state: { errorMessage, stacktrace, code },
    });
  }, [failure, navigation, backRoute]);
}
