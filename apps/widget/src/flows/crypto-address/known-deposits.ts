/**
 * Remembers, for the life of the tab, which deposit has the address of a coin on a network. A user who opens another network and
 * comes back sees the same address, and no second deposit is created. Only ids are stored; the address comes from the server.
 */
import { readStored, store } from '../../kit/session/browser-storage.ts';

const key = 'cashier.addresses';

/** Two intents that differ here have different addresses. */
export interface AddressIntent {
  readonly method: string;
  readonly network: string | undefined;
  readonly currency: string;
  readonly country: string;
  /** The coin box that the deposit buys. */
  readonly boxId?: string | undefined;
}

export function knownDeposit(intent: AddressIntent): string | undefined {
  return readKnown()[nameOf(intent)];
}

export function rememberDeposit(intent: AddressIntent, depositId: string): void {
  write({ ...readKnown(), [nameOf(intent)]: depositId });
}

/** The deposit has ended, so the screen needs another address next time. */
export function forgetDeposit(depositId: string): void {
  write(Object.fromEntries(Object.entries(readKnown()).filter(([, known]) => known !== depositId)));
}

function nameOf({ method, network, currency, country, boxId }: AddressIntent): string {
  // An absent part becomes an empty text.
  return [method, network, currency, country, boxId].join(' ');
}

function write(known: Readonly<Record<string, string>>): void {
  store('sessionStorage', key, Object.keys(known).length === 0 ? undefined : JSON.stringify(known));
}

function readKnown(): Record<string, string> {
  const text = readStored('sessionStorage', key);
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
