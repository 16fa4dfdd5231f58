/** A form field that the server describes and the widget shows (FORM-1). */
import * as v from 'valibot';
import { textSchema } from './scalar.ts';

export const fieldTypes = ['text', 'text_uppercase', 'dropdown', 'phone_with_prefix', 'networks', 'amount'] as const;

export const dropdownItemSchema = v.object({ text: textSchema, value: textSchema });
export type DropdownItem = v.InferOutput<typeof dropdownItemSchema>;

/** A country with a selectable phone prefix (FORM-3). */
export const phoneCountrySchema = v.object({
  name: v.string(),
  code: v.string(),
  /** With its plus: `+91`. */
  prefix: v.pipe(v.string(), v.regex(/^\+\d{1,4}$/)),
  /** An example number of that country without the prefix. */
  example: v.string(),
});
export type PhoneCountry = v.InferOutput<typeof phoneCountrySchema>;

export const fieldValidationSchema = v.object({
  /** A unicode regular expression, tested on the trimmed value. */
  regex: v.optional(v.string()),
  /** A key of the locale file, or a text. */
  message: v.optional(v.string()),
  /** The rule applies only to a value that is not empty. */
  isExists: v.optional(v.boolean()),
});
export type FieldValidation = v.InferOutput<typeof fieldValidationSchema>;

export const formFieldSchema = v.object({
  name: v.string(),
  /** The provider's name for the value. The request uses `name`. */
  alias: v.optional(v.string()),
  type: v.fallback(v.picklist(fieldTypes), 'text'),
  mask: v.optional(v.string()),
  placeholder_key: v.optional(v.string()),
  placeholder_text: v.optional(v.string()),
  regex: v.optional(v.string()),
  regex_error_key: v.optional(v.string()),
  /** The kind of the text, such as `email`, `iban` or `nuban`; `bank` is the bank code of the account. */
  category: v.optional(v.string()),
  values: v.optional(v.array(dropdownItemSchema)),
  countries: v.optional(v.array(phoneCountrySchema)),
  props: v.optional(
    v.object({
      label: v.optional(v.string()),
      mask: v.optional(v.string()),
      value: v.optional(v.string()),
      isHidden: v.optional(v.boolean()),
      isDisabled: v.optional(v.boolean()),
      isTriggered: v.optional(v.boolean()),
      isAdvanced: v.optional(v.boolean()),
      validations: v.optional(v.array(fieldValidationSchema)),
      items: v.optional(v.array(dropdownItemSchema)),
    }),
  ),
});
export type FormField = v.InferOutput<typeof formFieldSchema>;
