/** Plays the widget's part in a test: what it posts arrives with the source and origin of the real one, unless told otherwise. */
export const cashierUrl = 'https://pay.example.com';

export function says(
  frame: HTMLIFrameElement,
  data: unknown,
  { source = frame.contentWindow, origin = cashierUrl }: { source?: MessageEventSource | null; origin?: string } = {},
): void {
  dispatchEvent(new MessageEvent('message', { data, origin, source }));
}

export const loaded = { messageType: 'Loaded', payload: { version: 'v1.0.477', protocol: 1 } };
