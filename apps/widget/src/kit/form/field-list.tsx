import { toggledDropdown } from '@opencashier/core/fields/form-state';
import { Fragment, type KeyboardEvent, type ReactNode, useState } from 'react';
import { Field } from '../../ui/inputs/field.tsx';
import { useTexts } from '../session/services.tsx';
import { useBankName } from './bank-name.ts';
import { ChoiceField } from './choice-field.tsx';
import { kindOf } from './field-kind.ts';
import type { FieldState, Fields } from './field-state.ts';
import { labelOf } from './form-values.ts';
import { PhoneField } from './phone-field.tsx';
import { TextField } from './text-field.tsx';
import { WalletField } from './wallet-field.tsx';

/** The name of the field that a payment link's memo goes to. */
const MEMO = 'memo';

/** Something that is shown under one field of a form, such as a question about its value. */
export interface UnderField {
  /** The name of the field. */
  readonly field: string;
  readonly content: ReactNode;
}

interface FieldListProps {
  readonly fields: Fields;
  readonly isDisabled?: boolean;
  readonly under?: UnderField | undefined;
}

/** The fields of a method, one under the other. `DynamicForm` shows it once its code is there. */
export function FieldList({ fields, isDisabled = false, under }: FieldListProps) {
  // FORM-7: one list is open at a time.
  const [open, setOpen] = useState<string>();
  return fields.states.map((state, index) => {
    const { name } = state.field;
    const later = fields.states.slice(index + 1).find(({ submit }) => !submit.isFilled);
    return (
      <Fragment key={name}>
        <FormFieldView
          state={state}
          method={fields.method}
          isDisabled={isDisabled || state.field.props?.isDisabled === true}
          isOpen={open === name}
          onToggle={() => setOpen((now) => toggledDropdown(now, name))}
          next={later?.field.name}
          memo={fields.states.find(({ field }) => field.name === MEMO)}
        />
        {under?.field === name && under.content}
      </Fragment>
    );
  });
}

interface FormFieldViewProps {
  readonly state: FieldState;
  readonly method: string;
  readonly isDisabled: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** The next empty field. Enter moves the focus there instead of sending an incomplete form. */
  readonly next: string | undefined;
  readonly memo: FieldState | undefined;
}

function FormFieldView({ state, method, isDisabled, isOpen, onToggle, next, memo }: FormFieldViewProps) {
  const texts = useTexts();
  const bank = useBankName(method, state.bankOf);
  const { field } = state;
  const label = labelOf(field, texts);
  const kind = kindOf(field);
  const enter = {
    enterKeyHint: next === undefined ? ('go' as const) : ('next' as const),
    onKeyDown(event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) {
      if (event.key !== 'Enter' || next === undefined || event.nativeEvent.isComposing) return;
      const target = event.currentTarget.form?.querySelector<HTMLElement>(`[data-form-field="${CSS.escape(next)}"]`);
      if (!target) return;
      event.preventDefault();
      target.focus();
    },
  };
  return (
    <Field
      label={label}
      error={state.shownError}
      hint={bank ?? (kind === 'card' ? texts.translate('field.card.hint') : undefined)}
      sharesLine={kind === 'card'}
    >
      {(control) => {
        const shared = { ...control, name: field.name, 'data-form-field': field.name, disabled: isDisabled };
        if (kind === 'choice') {
          return <ChoiceField {...{ state, label, isOpen, onToggle }} control={shared} />;
        }
        if (kind === 'phone') {
          return <PhoneField {...{ state, label, isOpen, onToggle, enter }} control={shared} />;
        }
        if (kind === 'wallet') return <WalletField {...{ state, enter, memo }} control={shared} />;
        return <TextField {...{ state, enter }} control={shared} />;
      }}
    </Field>
  );
}
