/** A form field that the server describes and the widget shows (FORM-1). */
import * as v from 'valibot';
import { textSchema } from './scalar.ts';

export const fieldTypes = ['text', 'text_uppercase', 'dropdown', 'phone_with_prefix', 'networks', 'amount'] as const;

export const dropdownItemSchema = v.object({
  /** What the user sees. @example "Example Bank" */
  text: textSchema,
  /** What the request sends. @example "example-bank" */
  value: textSchema,
});
export type DropdownItem = v.InferOutput<typeof dropdownItemSchema>;

/** A country with a selectable phone prefix (FORM-3). */
export const phoneCountrySchema = v.object({
  /** What the user reads for the country. @example "Germany" */
  name: v.string(),
  /** The country, as two capital letters. @example "DE" */
  code: v.string(),
  /** With its plus: `+91`. @example "+49" */
  prefix: v.pipe(v.string(), v.regex(/^\+\d{1,4}$/)),
  /** An example number of that country without the prefix. @example "15112345678" */
  example: v.string(),
});
export type PhoneCountry = v.InferOutput<typeof phoneCountrySchema>;

export const fieldValidationSchema = v.object({
  /** A unicode regular expression, tested on the trimmed value. @example "^\\d{6}$" */
  regex: v.optional(v.string()),
  /** A key of the locale file, or a text. @example "field.error.code" */
  message: v.optional(v.string()),
  /** The rule applies only to a value that is not empty. */
  isExists: v.optional(v.boolean()),
});
export type FieldValidation = v.InferOutput<typeof fieldValidationSchema>;

export const formFieldSchema = v.object({
  /** The name of the field in `fields` of the request. @example "email" */
  name: v.string(),
  /** The provider's name for the value. The request uses `name`. @example "customer_email" */
  alias: v.optional(v.string()),
  /** The kind of the input. A kind that the widget does not know is shown as `text`. */
  type: v.fallback(v.picklist(fieldTypes), 'text'),
  /** How the widget groups the typed characters. @example "#### ####" */
  mask: v.optional(v.string()),
  /** The locale key of the label. @example "field.email" */
  placeholder_key: v.optional(v.string()),
  /** The label, when no locale has it. @example "E-mail" */
  placeholder_text: v.optional(v.string()),
  /** The rule of the trimmed value, as a regular expression. @example "^.+@.+$" */
  regex: v.optional(v.string()),
  /** The locale key of the text that explains a broken rule. @example "field.error.email" */
  regex_error_key: v.optional(v.string()),
  /** The kind of the text, such as `email`, `iban` or `nuban`; `bank` is the bank code of the account. @example "email" */
  category: v.optional(v.string()),
  /** The choices of a dropdown. */
  values: v.optional(v.array(dropdownItemSchema)),
  /** The countries of a phone field. */
  countries: v.optional(v.array(phoneCountrySchema)),
  /** More properties of the input. */
  props: v.optional(
    v.object({
      /** The label of the input. @example "E-mail" */
      label: v.optional(v.string()),
      /** How the widget groups the typed characters. @example "#### ####" */
      mask: v.optional(v.string()),
      /** The value at the start. @example "payer@example.com" */
      value: v.optional(v.string()),
      /** Whether the user does not see the field. */
      isHidden: v.optional(v.boolean()),
      /** Whether the user cannot change the value. */
      isDisabled: v.optional(v.boolean()),
      /** Whether a change of the value asks the server for further fields. */
      isTriggered: v.optional(v.boolean()),
      /** Whether the field is behind a button that shows further fields. */
      isAdvanced: v.optional(v.boolean()),
      /** Further rules of the value, in their order. */
      validations: v.optional(v.array(fieldValidationSchema)),
      /** The choices of a dropdown, in place of `values`. */
      items: v.optional(v.array(dropdownItemSchema)),
    }),
  ),
});
export type FormField = v.InferOutput<typeof formFieldSchema>;
