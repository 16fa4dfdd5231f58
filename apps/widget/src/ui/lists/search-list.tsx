import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { SearchInput } from '../inputs/search-input.tsx';
import { Icon } from '../marks/icon.tsx';
import optionStyles from './option-list.module.css';
import type { Option } from './option-list.tsx';
import styles from './search-list.module.css';

export interface SearchListProps {
  readonly listId: string;
  readonly title: string;
  readonly searchLabel: string;
  readonly nothingFound: (query: string) => string;
  readonly initialQuery: string;
  readonly find: (query: string) => readonly Option[];
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
}

/**
 * A search box over a list of options, inside a sheet. The focus stays in the box, arrow keys move through the list, and Enter
 * chooses the active option (WAI-ARIA: combobox with a list box).
 */
export function SearchList(props: SearchListProps) {
  const { listId, title, find, chosen, onChoose } = props;
  const [query, setQuery] = useState(props.initialQuery);
  const found = find(query);
  const [active, setActive] = useState<string | undefined>(chosen === '' ? undefined : chosen);
  const activeIndex = found.findIndex(({ value }) => value === active);
  const search = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const optionId = useId();
  useEffect(() => {
    // On a touch screen, focus would open a keyboard over half of the list, so focus only when the person has typed.
    const isTouch = globalThis.matchMedia?.('(pointer: coarse)').matches === true;
    if (!isTouch || props.initialQuery !== '') search.current?.focus();
  }, [props.initialQuery]);
  useEffect(() => {
    list.current?.children[activeIndex]?.scrollIntoView?.({ block: 'nearest' });
  }, [activeIndex]);
  const move = (to: number) => setActive(found[Math.min(Math.max(to, 0), found.length - 1)]?.value);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      move(activeIndex < 0 && step < 0 ? found.length - 1 : activeIndex + step);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const taken = found[activeIndex] ?? (found.length === 1 ? found[0] : undefined);
      if (taken) onChoose(taken.value);
    }
  };
  return (
    <>
      <div className={styles.search}>
        <SearchInput
          ref={search}
          label={props.searchLabel}
          value={query}
          role="combobox"
          aria-expanded={true}
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={activeIndex < 0 ? undefined : `${optionId}${activeIndex}`}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setQuery(event.target.value);
            setActive(event.target.value === '' ? undefined : find(event.target.value)[0]?.value);
          }}
        />
      </div>
      <div ref={list} id={listId} role="listbox" aria-label={title} className={`${optionStyles.list} ${styles.list}`}>
        {found.map(({ value, text, detail, mark }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the search box's, where the focus stays
          <div
            key={`${value} ${text}`}
            id={`${optionId}${index}`}
            role="option"
            aria-selected={value === chosen}
            tabIndex={-1}
            data-active={index === activeIndex ? '' : undefined}
            className={`${optionStyles.option} ${styles.option}`}
            onClick={() => onChoose(value)}
          >
            {mark}
            <span className={optionStyles.text}>
              {text}
              {detail && (
                <span className={optionStyles.detail}>
                  <bdi dir="ltr">{detail}</bdi>
                </span>
              )}
            </span>
            {value === chosen && <Icon name="check" />}
          </div>
        ))}
      </div>
      <p className={styles.none} role="status">
        {found.length === 0 && props.nothingFound(query)}
      </p>
    </>
  );
}
