import { Field } from '../ui/field.tsx';
import { SelectInput, TextInput } from '../ui/text-input.tsx';
import styles from './dynamic-form.module.css';
import { itemsOf, labelOf, phoneCountriesOf, placeholderOf } from './form-values.ts';
import { useSession, useTexts } from './services.tsx';
import type { FieldState, Fields } from './use-fields.ts';

/** The fields of a method, one under the other (FORM-1). */
export function DynamicForm({
  fields,
  isDisabled = false,
}: {
  readonly fields: Fields;
  readonly isDisabled?: boolean;
}) {
  return fields.states.map((state) => <FormFieldView key={state.field.name} state={state} isDisabled={isDisabled} />);
}

function FormFieldView({ state, isDisabled }: { readonly state: FieldState; readonly isDisabled: boolean }) {
  const texts = useTexts();
  const { country } = useSession();
  const { field, value, prefix, shownError } = state;
  const placeholder = placeholderOf(field, texts);
  const label = labelOf(field, texts);
  const countries = phoneCountriesOf(field, country);
  const shared = {
    value,
    disabled: isDisabled || field.props?.isDisabled === true,
    name: field.name,
    onFocus: state.onFocus,
    onBlur: state.onBlur,
  };
  return (
    <Field label={label} error={shownError}>
      {(control) => {
        if (field.type === 'dropdown' || field.type === 'networks') {
          return (
            <SelectInput
              {...control}
              {...shared}
              items={itemsOf(field)}
              placeholder={value === '' ? (placeholder ?? texts.translate('field.choose')) : undefined}
              onChange={(event) => state.onChange(event.target.value)}
            />
          );
        }
        const isPhone = field.type === 'phone_with_prefix';
        const input = (
          <TextInput
            {...control}
            {...shared}
            data-form-field={field.name}
            type={isPhone ? 'tel' : 'text'}
            inputMode={field.type === 'amount' ? 'decimal' : isPhone ? 'tel' : 'text'}
            autoComplete={isPhone ? 'tel-national' : autoCompleteOf(field.name)}
            placeholder={
              placeholder ?? (isPhone ? countries.find((entry) => entry.prefix === prefix)?.example : undefined)
            }
            onChange={(event) =>
              // The prefix stands beside the field and cannot be typed over, so a plus has no place here (FORM-3).
              state.onChange(isPhone ? event.target.value.replaceAll('+', '') : event.target.value)
            }
          />
        );
        if (!isPhone || prefix === '') return input;
        return (
          <div className={styles.phone} dir="ltr">
            {countries.length > 1 ? (
              <select
                className={styles.prefix}
                aria-label={texts.translate('field.prefix', { field: label })}
                value={prefix}
                disabled={shared.disabled}
                onChange={(event) => state.onPrefix(event.target.value)}
              >
                {countries.map((entry) => (
                  <option key={entry.code} value={entry.prefix}>
                    {`${entry.prefix} ${entry.code}`}
                  </option>
                ))}
              </select>
            ) : (
              <span className={styles.prefix}>{prefix}</span>
            )}
            {input}
          </div>
        );
      }}
    </Field>
  );
}

/** What a browser may fill in by itself, for the names that mean the same everywhere (WCAG 1.3.5). */
function autoCompleteOf(name: string): string {
  const known: Readonly<Record<string, string>> = { email: 'email', phone: 'tel', name: 'name', fullName: 'name' };
  return known[name] ?? 'off';
}
