import type { FieldValues, FormField } from '@opencashier/contract/api';

/** The field in which the kind of a Pix key is chosen. */
export const PIX_KEY_TYPE_FIELD = 'pixKeyType';
/** The tax number that every Pix payment names, and the kind of key that needs no field of its own beside it. */
const CPF = 'cpf';

/** Whether a form asks for a Pix key. */
export function hasPixKeyType(fields: readonly FormField[]): boolean {
  return fields.some(({ name }) => name === PIX_KEY_TYPE_FIELD);
}

function keyTypes(fields: readonly FormField[]): ReadonlySet<string> {
  const field = fields.find(({ name }) => name === PIX_KEY_TYPE_FIELD);
  return new Set((field?.values ?? field?.props?.items ?? []).map(({ value }) => value));
}

/**
 * The fields that are shown (FORM-6): choosing a pixKeyType hides the fields of all key types and shows cpf and the chosen
 * one. Fields that are no key types stay as they are; without a pixKeyType nothing changes.
 */
export function visiblePixFields(fields: readonly FormField[], chosenType: string | undefined): FormField[] {
  if (!hasPixKeyType(fields)) return [...fields];
  const types = keyTypes(fields);
  return fields.filter(({ name }) => name === CPF || name === chosenType || !types.has(name));
}

/**
 * What a Pix form sends (FORM-6): `pixKeyType`, `pixKey` (the value of the chosen type's field), and the tax number as
 * `numberId` with its `numberType`; the key types' own fields are not sent. Values of other fields pass as they are.
 */
export function pixFieldValues(fields: readonly FormField[], values: FieldValues): FieldValues {
  if (!hasPixKeyType(fields)) return values;
  const types = keyTypes(fields);
  const chosen = values[PIX_KEY_TYPE_FIELD];
  const others = Object.entries(values).filter(([name]) => !types.has(name) && name !== CPF);
  const key = chosen === undefined ? undefined : values[chosen];
  const cpf = values[CPF];
  return {
    ...Object.fromEntries(others),
    ...(key === undefined ? {} : { pixKey: key }),
    ...(cpf === undefined ? {} : { numberId: cpf, numberType: CPF }),
  };
}

/** The values by the names of the form's own fields: what {@link pixFieldValues} sends, read back. */
export function pixFormValues(fields: readonly FormField[], sent: FieldValues): FieldValues {
  if (!hasPixKeyType(fields)) return sent;
  const { pixKey, numberId, numberType: _numberType, ...others } = sent;
  const chosen = sent[PIX_KEY_TYPE_FIELD];
  return {
    ...others,
    ...(numberId !== undefined && { cpf: numberId }),
    ...(chosen !== undefined && pixKey !== undefined && { [chosen]: pixKey }),
  };
}
