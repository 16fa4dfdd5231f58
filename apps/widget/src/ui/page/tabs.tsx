import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import styles from './tabs.module.css';

interface TabsProps {
  /** Names the row of tabs. */
  readonly label: string;
  readonly tabs: readonly { readonly value: string; readonly text: string }[];
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
  readonly isRightToLeft: boolean;
  /** The content of the chosen tab. */
  readonly children: ReactNode;
}

/** Tabs, one of them shown (WAI-ARIA: tabs). Arrow keys show the next tab at once, in the direction of the text. */
export function Tabs({ label, tabs, chosen, onChoose, isRightToLeft, children }: TabsProps) {
  const id = useId();
  const row = useRef<HTMLDivElement>(null);
  const show = (index: number) => {
    const at = (index + tabs.length) % tabs.length;
    const tab = tabs[at];
    if (tab === undefined) return;
    row.current?.querySelectorAll('button')[at]?.focus();
    if (tab.value !== chosen) onChoose(tab.value);
  };
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const forward = isRightToLeft ? -1 : 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowRight: index + forward,
      ArrowLeft: index - forward,
      Home: 0,
      End: tabs.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    show(target);
  };
  return (
    <>
      <div className={styles.row}>
        <div ref={row} role="tablist" aria-label={label} className={styles.tabs}>
          {tabs.map(({ value, text }, index) => (
            <button
              key={value}
              type="button"
              role="tab"
              id={`${id}-${value}`}
              aria-selected={value === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={value === chosen ? 0 : -1}
              className={styles.tab}
              data-part="tab"
              onClick={() => show(index)}
              onKeyDown={(event) => onKeyDown(event, index)}
            >
              {text}
            </button>
          ))}
        </div>
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} className={styles.panel}>
        {children}
      </div>
    </>
  );
}
