import { needsDropdownSearch, searchDropdown } from '@opencashier/core/fields/dropdown-search';
import { TextInput } from '../../ui/inputs/text-input.tsx';
import { Flag } from '../../ui/marks/mark.tsx';
import { useLiveText } from '../amount/live-text.ts';
import { countryName } from '../format/country-name.ts';
import { useSession, useTexts } from '../session/services.tsx';
import { keyboardOf } from './field-kind.ts';
import type { FieldState } from './field-state.ts';
import { phoneCountriesOf, placeholderOf } from './form-values.ts';
import styles from './phone-field.module.css';
import { PickerButton } from './picker-button.tsx';
import type { EnterKey, NamedControl } from './text-field.tsx';

interface PhoneFieldProps {
  readonly state: FieldState;
  readonly control: NamedControl;
  readonly label: string;
  readonly enter: EnterKey;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Shows the prefix beside the number, so that the user can neither delete nor overwrite it (FORM-3). */
export function PhoneField({ state, control, label, enter, isOpen, onToggle }: PhoneFieldProps) {
  const texts = useTexts();
  const { country } = useSession();
  const live = useLiveText(state.shown, state.onEdit);
  const { field, prefix } = state;
  const countries = phoneCountriesOf(field, country);
  const example = countries.find((entry) => entry.prefix === prefix)?.example;
  const input = (
    <TextInput
      {...control}
      {...enter}
      {...keyboardOf(field)}
      {...live}
      type="tel"
      placeholder={placeholderOf(field, texts) ?? example}
      onFocus={state.onFocus}
      onBlur={state.onBlur}
    />
  );
  if (prefix === '') return input;
  const name = texts.translate('field.prefix', { field: label });
  const items = countries.map(({ code, name: english, prefix: of }) => ({
    value: of,
    text: countryName(code, texts) || english,
    detail: of,
    mark: <Flag country={code} />,
  }));
  const prefixOff = control.disabled;
  return (
    <div className={styles.phone} dir="ltr">
      {countries.length === 1 && <span className={styles.prefix}>{prefix}</span>}
      {countries.length > 1 && !needsDropdownSearch(countries.length, true) && (
        <select
          className={styles.prefix}
          aria-label={name}
          value={prefix}
          disabled={prefixOff}
          onChange={(event) => state.onPrefix(event.target.value)}
        >
          {countries.map(({ code, prefix: of }) => (
            <option key={code} value={of}>{`${of} ${code}`}</option>
          ))}
        </select>
      )}
      {needsDropdownSearch(countries.length, true) && (
        <PickerButton
          control={{ disabled: prefixOff, 'aria-label': name }}
          title={name}
          text={prefix}
          placeholder={prefix}
          chosen={prefix}
          items={items}
          find={(query) => searchDropdown(items, query, ({ text, detail }) => `${text} ${detail}`)}
          isOpen={isOpen}
          isNarrow
          onToggle={onToggle}
          onChoose={state.onPrefix}
          onFocus={() => undefined}
          onLeave={() => undefined}
        />
      )}
      {input}
    </div>
  );
}
