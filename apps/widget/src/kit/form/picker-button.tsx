import { type KeyboardEvent, Suspense, useEffect, useRef, useState } from 'react';
import inputStyles from '../../ui/inputs/text-input.module.css';
import type { Option } from '../../ui/lists/option-list.tsx';
import { Icon } from '../../ui/marks/icon.tsx';
import { lazyPart } from '../session/lazily.ts';
import { useTexts } from '../session/services.tsx';
import styles from './picker-button.module.css';

const loadSheet = () => import('../../ui/layers/picker-sheet.tsx');
const PickerSheet = lazyPart(async () => (await loadSheet()).PickerSheet);

interface PickerButtonProps {
  readonly control: {
    readonly id?: string;
    readonly disabled: boolean;
    readonly 'aria-describedby'?: string | undefined;
    readonly 'aria-invalid'?: true | undefined;
    readonly 'data-form-field'?: string;
    /** Only where the button has no label. */
    readonly 'aria-label'?: string;
  };
  /** The title of the list. */
  readonly title: string;
  /** The text of the chosen item; undefined: nothing is chosen yet. */
  readonly text: string | undefined;
  readonly placeholder: string;
  readonly chosen: string;
  readonly items: readonly Option[];
  readonly find: (query: string) => readonly Option[];
  readonly isOpen: boolean;
  readonly isNarrow?: boolean;
  readonly onToggle: () => void;
  readonly onChoose: (value: string) => void;
  readonly onFocus: () => void;
  readonly onLeave: () => void;
}

/** A field that opens a list with a search box. Typing on it starts the search. */
export function PickerButton(props: PickerButtonProps) {
  const { control, title, text, placeholder, chosen, isOpen, onToggle, onLeave } = props;
  const { translate } = useTexts();
  const button = useRef<HTMLButtonElement>(null);
  const [query, setQuery] = useState('');
  const wasOpen = useRef(false);
  useEffect(() => {
    // The list has gone from the page, and the focus with it.
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const open = (start: string) => {
    setQuery(start);
    onToggle();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isLetter = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isLetter && event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    // The list is still loading. What the user types meanwhile belongs to the search, and must not close the list.
    if (isOpen) setQuery((typed) => typed + (isLetter ? event.key : ''));
    else open(isLetter ? event.key : '');
  };
  return (
    <span className={inputStyles.select}>
      <button
        {...control}
        ref={button}
        type="button"
        role="combobox"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${control.id ?? title}-list` : undefined}
        className={`${inputStyles.input} ${styles.button}`}
        data-empty={text === undefined ? '' : undefined}
        data-narrow={props.isNarrow ? '' : undefined}
        onClick={() => open('')}
        onKeyDown={onKeyDown}
        onPointerEnter={() => void loadSheet()}
        onFocus={() => {
          void loadSheet();
          props.onFocus();
        }}
        onBlur={() => {
          // Opening the list also blurs the button, but the user has not left the field.
          if (!isOpen) onLeave();
        }}
      >
        {text ?? placeholder}
      </button>
      <Icon name="chevron-down" size={18} />
      {isOpen && (
        <Suspense fallback={null}>
          <PickerSheet
            listId={`${control.id ?? title}-list`}
            title={title}
            closeLabel={translate('picker.close')}
            searchLabel={translate('picker.search')}
            nothingFound={(asked) => translate('picker.nothingFound', { query: asked })}
            initialQuery={query}
            find={props.find}
            chosen={chosen}
            onChoose={(value) => {
              props.onChoose(value);
              onToggle();
            }}
            onClose={onToggle}
          />
        </Suspense>
      )}
    </span>
  );
}
