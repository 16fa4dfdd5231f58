import { needsDropdownSearch, searchDropdown } from '@opencashier/core/fields/dropdown-search';
import { SelectInput } from '../../ui/inputs/text-input.tsx';
import { useTexts } from '../session/services.tsx';
import type { FieldState } from './field-state.ts';
import { itemsOf, placeholderOf } from './form-values.ts';
import { PickerButton } from './picker-button.tsx';
import type { NamedControl } from './text-field.tsx';

interface ChoiceFieldProps {
  readonly state: FieldState;
  readonly control: NamedControl;
  readonly label: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** A choice (FORM-7): the platform's own list for a few items, a sheet with a search box for many. */
export function ChoiceField({ state, control, label, isOpen, onToggle }: ChoiceFieldProps) {
  const texts = useTexts();
  const items = itemsOf(state.field);
  const placeholder = placeholderOf(state.field, texts) ?? texts.translate('field.choose');
  if (!needsDropdownSearch(items.length, true)) {
    return (
      <SelectInput
        {...control}
        value={state.shown}
        items={items}
        placeholder={state.shown === '' ? placeholder : undefined}
        onChange={(event) => state.onChoose(event.target.value)}
        onFocus={state.onFocus}
        onBlur={state.onBlur}
      />
    );
  }
  return (
    <PickerButton
      control={control}
      title={label}
      text={items.find(({ value }) => value === state.shown)?.text}
      placeholder={placeholder}
      chosen={state.shown}
      items={items}
      find={(query) => searchDropdown(items, query)}
      isOpen={isOpen}
      onToggle={onToggle}
      onChoose={state.onChoose}
      onFocus={state.onFocus}
      onLeave={state.onBlur}
    />
  );
}
