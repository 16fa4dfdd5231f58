/** Encrypts the data of a webhook that must not be readable in the database, from the commit to the delivery. */
import { hkdfSync } from 'node:crypto';
import { openText, sealText } from '../sealing/sealed-text.ts';

export interface Seal {
  close(data: Readonly<Record<string, string>>): Buffer;
  /** @returns undefined if the data was sealed with another secret, or changed since */
  open(sealed: Buffer): Record<string, string> | undefined;
}

/** @param secret of the server; the same on all nodes that share a database */
export function createSeal(secret: string): Seal {
  // This label is part of the key. Another label would make the sealed data of waiting webhooks unreadable.
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'web-hook data', 32));
  return {
    close: (data) => sealText(key, JSON.stringify(data)),
    open(sealed) {
      const text = openText(key, sealed);
      return text === undefined ? undefined : (JSON.parse(text) as Record<string, string>);
    },
  };
}
