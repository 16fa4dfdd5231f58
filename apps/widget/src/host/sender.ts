/** Who a message came from, after its source was checked. */
export type Sender =
  /** A window that we talk to by `postMessage`, with its origin as the browser vouches for it. */
  | { readonly kind: 'window'; readonly origin: string }
  /** The app around a web view: code of our own page speaks for it, so there is no origin to check. */
  | { readonly kind: 'native' };

/** Takes what arrived; nothing about `data` is known yet. */
export type Deliver = (data: unknown, sender: Sender) => void;

/** Why something that arrived was not even looked into. */
export type DropReason = 'source' | 'origin';

export function isSameSender(one: Sender, other: Sender): boolean {
  if (one.kind === 'native' || other.kind === 'native') return one.kind === other.kind;
  return one.origin === other.origin;
}
