import { RFC_EMAIL_REGEX } from 'valibot';

/** RFC 5321: the greatest length of a path without brackets, and of the part before the at sign, in bytes. */
const LONGEST_ADDRESS = 254;
const LONGEST_LOCAL_PART = 64;

/** Letters of a domain in any script. Joiners belong to words in Persian and in scripts of India. */
const DOMAIN = /^(?:[\p{L}\p{M}\p{N}.-]|\u200c|\u200d)+$/u;
/** A reachable mail domain ends in letters, or in the ASCII form (`xn--`) of other letters. */
const ENDS_IN_LETTERS = /\.(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$/;
const DOTS_AT_FAULT = /^\.|\.$|\.\./;
const LETTER_BEYOND_ASCII = /[^\p{ASCII}]/u;

/**
 * Whether a text is an e-mail address (FORM-4), as HTML defines it, with a domain that mail can reach.
 * Domains in other scripts (IDN) are checked in their ASCII form, as the platform writes it.
 * Other letters before the at sign are allowed (RFC 6531).
 * `mailto:a@b.c`, `a@b` and `a@example..com` are not addresses.
 */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const domain = at < 0 ? undefined : asciiDomain(text.slice(at + 1));
  if (domain === undefined || !ENDS_IN_LETTERS.test(domain)) return false;
  if (DOTS_AT_FAULT.test(local) || new TextEncoder().encode(local).length > LONGEST_LOCAL_PART) return false;
  const plain = local.replace(/[\p{L}\p{M}\p{N}]/gu, (char) => (LETTER_BEYOND_ASCII.test(char) ? 'x' : char));
  return local.length + 1 + domain.length <= LONGEST_ADDRESS && RFC_EMAIL_REGEX.test(`${plain}@${domain}`);
}

function asciiDomain(domain: string): string | undefined {
  if (!DOMAIN.test(domain) || DOTS_AT_FAULT.test(domain)) return undefined;
  const address = `http://${domain}`;
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}
