/** Start values and texts of the fields that the server describes (FORM-1). */
import type { DropdownItem, FormField } from '@opencashier/contract/api';
import type { Texts } from '../session/services.tsx';

/** Fields that the user sees. Hidden fields are sent with the value that the server gave them. */
export function visibleFields(fields: readonly FormField[]): FormField[] {
  return fields.filter(({ props }) => props?.isHidden !== true);
}

export function itemsOf(field: FormField): readonly DropdownItem[] {
  return field.props?.items ?? field.values ?? [];
}

/** The countries of a phone field, the user's country first; the field starts with its prefix (FORM-3). */
export function phoneCountriesOf(field: FormField, country: string) {
  const countries = field.countries ?? [];
  return [...countries.filter(({ code }) => code === country), ...countries.filter(({ code }) => code !== country)];
}

/** The value a field starts with. A network list prefers a Tron network, else takes the last (§9). */
export function startValue(field: FormField): string {
  if (field.props?.value !== undefined) return field.props.value;
  if (field.type !== 'networks') return '';
  const items = itemsOf(field);
  const tron = items.find(({ text, value }) => /trc/i.test(`${text} ${value}`));
  return (tron ?? items.at(-1))?.value ?? '';
}

/**
 * The message of a broken rule (FORM-2): the rule's own text, by key or ready. Otherwise the method's text, otherwise a general
 * one. A key is never shown.
 */
export function ruleText(message: string | undefined, method: string, texts: Texts): string {
  if (message !== undefined && texts.has(message)) return texts.translate(message);
  if (message?.includes(' ')) return message;
  const ofMethod = `paymentMethods.regex_error.${method}`;
  return texts.translate(texts.has(ofMethod) ? ofMethod : 'field.invalid');
}

export function labelOf(field: FormField, texts: Texts): string {
  const label = field.props?.label;
  const key = `field.name.${field.name}`;
  if (label !== undefined && texts.has(label)) return texts.translate(label);
  // A ready label is in English. In another language, the translated name of the field is better.
  const isRead = label !== undefined && texts.locale.startsWith('en');
  return !isRead && texts.has(key) ? texts.translate(key) : (label ?? field.name);
}

export function placeholderOf(field: FormField, texts: Texts): string | undefined {
  const { placeholder_key: key, placeholder_text: text } = field;
  return key !== undefined && texts.has(key) ? texts.translate(key) : text;
}
