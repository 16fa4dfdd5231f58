/** What a webhook carries that must not lie readable in the database: encrypted from the commit to the delivery. */
import { hkdfSync } from 'node:crypto';
import { openText, sealText } from '../sealing/sealed-text.ts';

export interface Seal {
  close(data: Readonly<Record<string, string>>): Buffer;
  /** Undefined where it was closed under another secret, or changed since. */
  open(sealed: Buffer): Record<string, string> | undefined;
}

/** @param secret of the server; nodes that share a database share it */
export function createSeal(secret: string): Seal {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'web-hook data', 32));
  return {
    close: (data) => sealText(key, JSON.stringify(data)),
    open(sealed) {
      const text = openText(key, sealed);
      return text === undefined ? undefined : (JSON.parse(text) as Record<string, string>);
    },
  };
}
