/** Messages as the build has compiled them (`packages/messages`). Nothing is parsed here, because bytes count. */

/** A pattern such as `Pay {amount}`; or a choice by the parameter `name`, with a whole sentence for each of its cases. */
export type Message = string | readonly [name: string, cases: Readonly<Record<string, Message>>];

export type Dictionary = Readonly<Record<string, Message>>;

type Params = Readonly<Record<string, string | number>>;

/**
 * The sentence of a message. A number chooses by itself (`=0`), then by its plural form; any other value by its name. An unknown
 * value takes the case `other`. A name without a value stays as it is.
 *
 * @param locale the language of the message
 * @param formatLocale the locale in which numbers are written
 */
export function formatMessage(message: Message, params: Params = {}, locale: string, formatLocale: string): string {
  if (typeof message !== 'string') {
    const [name, cases] = message;
    const value = params[name];
    const form = typeof value === 'number' ? pluralForm(value, locale) : value;
    const chosen = [`=${value}`, `${form}`].find((key) => Object.hasOwn(cases, key)) ?? 'other';
    return formatMessage(cases[chosen] ?? '', params, locale, formatLocale);
  }
  return message.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : whole;
    return typeof value === 'number' ? new Intl.NumberFormat(formatLocale).format(value) : `${value}`;
  });
}

const rules: Record<string, Intl.PluralRules> = {};

function pluralForm(value: number, locale: string): string {
  // A language that the browser lacks, such as Tajik, would get the rules of the browser's own language. Of our languages, those that
  // browsers lack have the forms of English.
  rules[locale] ??= new Intl.PluralRules([locale, 'en'], { localeMatcher: 'lookup' });
  return rules[locale].select(value);
}

/** @throws for what is no object of texts. The texts are not read: they are of the same build. */
export function readDictionary(value: unknown): Dictionary {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('A language is not an object of texts.');
  return value as Dictionary;
}
