/** Who a message came from, after its source was checked. */
export type Sender =
  /** A window that uses `postMessage`, with the origin that the browser states. */
  | { readonly kind: 'window'; readonly origin: string }
  /** The app around a web view. Its code runs in our own page, so there is no origin to check. */
  | { readonly kind: 'native' };

/** Receives a message, whose data is not checked yet. */
export type Deliver = (data: unknown, sender: Sender) => void;

/** Why a message was dropped before its data was read. */
export type DropReason = 'source' | 'origin';

export function isSameSender(one: Sender, other: Sender): boolean {
  if (one.kind === 'native' || other.kind === 'native') return one.kind === other.kind;
  return one.origin === other.origin;
}
