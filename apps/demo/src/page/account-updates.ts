/** Keeps the shown balance true: by server-sent events, and by asking again while they do not come. */

const pollMs = 4_000;

/**
 * Calls `refresh` whenever the account may have changed: after a message of the server, and when the page becomes visible. While
 * the event stream is down, it calls every few seconds.
 *
 * @returns how to stop
 */
export function followAccount(refresh: () => void): () => void {
  const stream = new EventSource('/api/events');
  let polling: ReturnType<typeof setInterval> | undefined;
  const stopPolling = () => {
    clearInterval(polling);
    polling = undefined;
  };
  stream.addEventListener('changed', refresh);
  stream.addEventListener('open', stopPolling);
  stream.addEventListener('error', () => {
    polling ??= setInterval(refresh, pollMs);
  });
  const whenSeen = () => {
    if (document.visibilityState === 'visible') refresh();
  };
  document.addEventListener('visibilitychange', whenSeen);
  return () => {
    stream.close();
    stopPolling();
    document.removeEventListener('visibilitychange', whenSeen);
  };
}
