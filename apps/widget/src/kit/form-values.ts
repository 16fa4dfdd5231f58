/** The fields that a server describes (FORM-1): their values, their rules, their words. */
import type { DropdownItem, FormField } from '@opencashier/contract/api';
import { compileRule } from '@opencashier/core/fields/regex-rule';
import type { Texts } from './services.tsx';

/** Fields that a person sees; hidden ones travel with the value that they came with. */
export function visibleFields(fields: readonly FormField[]): FormField[] {
  return fields.filter(({ props }) => props?.isHidden !== true);
}

export function itemsOf(field: FormField): readonly DropdownItem[] {
  return field.props?.items ?? field.values ?? [];
}

/** FORM-3: the prefix that the phone field of a country starts with, chosen country first. */
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
 * What is wrong with a value: a text to show, or nothing. Rules are unicode regular expressions on the trimmed value
 * (FORM-2); one that cannot be used is skipped here and decided by the server.
 */
export function fieldError(field: FormField, value: string, method: string, texts: Texts): string | undefined {
  const trimmed = value.trim();
  const rules = [
    ...(field.regex === undefined ? [] : [{ regex: field.regex, message: field.regex_error_key }]),
    ...(field.props?.validations ?? []).filter(({ isExists }) => isExists !== true || trimmed !== ''),
  ];
  if (trimmed === '') return isRequired(field) ? texts.translate('field.required') : undefined;
  for (const { regex, message } of rules) {
    const rule = regex === undefined ? undefined : compileRule(regex);
    if (rule?.ok && !rule.matches(trimmed)) return ruleText(message, method, texts);
  }
  return undefined;
}

/** A field whose every rule applies only to a value that exists may stay empty. */
function isRequired({ props, regex }: FormField): boolean {
  const validations = props?.validations ?? [];
  return regex !== undefined || validations.length === 0 || validations.some(({ isExists }) => isExists !== true);
}

/** FORM-2: the message of the rule, a key or ready words; else the method's own text; else one for all. */
function ruleText(message: string | undefined, method: string, texts: Texts): string {
  if (message !== undefined && texts.has(message)) return texts.translate(message);
  if (message?.includes(' ')) return message;
  const ofMethod = `paymentMethods.regex_error.${method}`;
  return texts.translate(texts.has(ofMethod) ? ofMethod : 'field.invalid');
}

export function labelOf(field: FormField, texts: Texts): string {
  const label = field.props?.label;
  if (label !== undefined) return texts.has(label) ? texts.translate(label) : label;
  const key = `field.name.${field.name}`;
  return texts.has(key) ? texts.translate(key) : field.name;
}

export function placeholderOf(field: FormField, texts: Texts): string | undefined {
  const { placeholder_key: key, placeholder_text: text } = field;
  return key !== undefined && texts.has(key) ? texts.translate(key) : text;
}
