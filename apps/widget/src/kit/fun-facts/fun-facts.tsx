import { useEffect, useState } from 'react';
import { Button } from '../../ui/buttons/button.tsx';
import { useServices, useTexts } from '../session/services.tsx';
import styles from './fun-facts.module.css';

/** A quick creation shows no facts (§9). */
export const factsDelayMs = 3000;
export const factEveryMs = 6000;

const facts = ['facts.1', 'facts.2', 'facts.3', 'facts.4', 'facts.5', 'facts.6'] as const;

/**
 * Something to read while a deposit is being created (DEP-17). The user can stop the changing texts (WCAG 2.2.2). They do not
 * start for a user who prefers reduced motion. A screen reader does not announce them, because the line beside the button already
 * says what is happening.
 */
export function FunFacts() {
  const { clock } = useServices();
  const { translate } = useTexts();
  const [shown, setShown] = useState(-1);
  const [isPaused, setPaused] = useState(prefersStillness);
  useEffect(() => clock.setTimer(() => setShown(0), factsDelayMs), [clock]);
  const isShown = shown >= 0;
  useEffect(() => {
    if (!isShown || isPaused) return;
    return clock.setRepeating(() => setShown((last) => last + 1), factEveryMs);
  }, [clock, isShown, isPaused]);
  if (!isShown) return null;
  return (
    <aside className={styles.facts} aria-label={translate('facts.label')}>
      <p key={shown} className={styles.fact}>
        {translate(facts[shown % facts.length] ?? facts[0])}
      </p>
      <Button look="ghost" onClick={() => setPaused(!isPaused)}>
        {translate(isPaused ? 'facts.play' : 'facts.pause')}
      </Button>
    </aside>
  );
}

function prefersStillness(): boolean {
  return globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches === true;
}
