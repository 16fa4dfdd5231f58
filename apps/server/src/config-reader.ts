/** Reads one setting at a time from the environment, and keeps what is wrong with each. */

export type Environment = Readonly<Record<string, string | undefined>>;

export interface SettingsReader {
  /** A line for each wrong setting; none repeats a value, which may be a secret. */
  readonly problems: string[];
  /** The names that were asked for so far. */
  names(): ReadonlySet<string>;
  fail(name: string, expected: string): void;
  /** Without spaces around it; `undefined` where it is empty or not set. */
  text(name: string): string | undefined;
  /** What stands between commas. */
  list(name: string): string[];
  /** 1 or 0, with their usual words. */
  flag(name: string, fallback: boolean): boolean;
  whole(
    name: string,
    range: { readonly least: number; readonly most: number; readonly fallback: number },
    expected: string,
  ): number;
  address(name: string, protocols: readonly string[]): string | undefined;
  secret(name: string): string | undefined;
  origins(name: string, example: string): string[];
}

export const leastSecretLength = 32;

export function settingsReader(environment: Environment): SettingsReader {
  const problems: string[] = [];
  const asked = new Set<string>();
  const fail = (name: string, expected: string): void => {
    problems.push(`${name} must be ${expected}.`);
  };
  const text = (name: string): string | undefined => {
    asked.add(name);
    return environment[name]?.trim() || undefined;
  };
  const list = (name: string): string[] => (text(name) ?? '').split(',').flatMap((part) => part.trim() || []);
  return {
    problems,
    names: () => asked,
    fail,
    text,
    list,
    flag(name, fallback) {
      const value = text(name);
      if (value === undefined) return fallback;
      if (['1', 'true', 'on'].includes(value)) return true;
      if (!['0', 'false', 'off'].includes(value)) fail(name, '1 or 0');
      return false;
    },
    whole(name, { least, most, fallback }, expected) {
      const value = Number(text(name) ?? fallback);
      if (!Number.isInteger(value) || value < least || value > most) fail(name, expected);
      return value;
    },
    address(name, protocols) {
      const value = text(name);
      if (value === undefined) return undefined;
      if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
        fail(name, `an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
      }
      return value;
    },
    secret(name) {
      const value = text(name);
      if (value !== undefined && value.length < leastSecretLength) {
        fail(name, `at least ${leastSecretLength} characters long`);
      }
      return value;
    },
    origins(name, example) {
      const found = list(name);
      for (const origin of found) {
        if (!URL.canParse(origin) || new URL(origin).origin !== origin || !/^https?:/.test(origin)) {
          fail(name, `origins such as ${example}, with a comma between two and no path`);
        }
      }
      return found;
    },
  };
}
