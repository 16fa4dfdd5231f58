import type { FieldValues, FormField } from '@opencashier/contract/api';

/** The name of the field that selects the kind of a Pix key. */
export const PIX_KEY_TYPE_FIELD = 'pixKeyType';
/** The Brazilian tax number. Every Pix payment contains it, so a key of this kind needs no second field. */
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
 * The fields to show (FORM-6). After a choice of `pixKeyType` the form shows only the field of that key type, and cpf.
 * Other fields stay as they are. Without a `pixKeyType` field nothing changes.
 */
export function visiblePixFields(fields: readonly FormField[], chosenType: string | undefined): FormField[] {
  if (!hasPixKeyType(fields)) return [...fields];
  const types = keyTypes(fields);
  return fields.filter(({ name }) => name === CPF || name === chosenType || !types.has(name));
}

/**
 * The values that a Pix form sends (FORM-6): `pixKeyType`, `pixKey`, and the tax number as `numberId` with `numberType`.
 * `pixKey` is the value of the chosen type's field. The key types' own fields are not sent; other fields stay as they are.
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

/** The reverse of {@link pixFieldValues}: the sent values under the names of the form's own fields. */
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
