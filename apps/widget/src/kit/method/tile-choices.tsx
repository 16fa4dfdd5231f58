import type { PaymentMethod } from '@opencashier/contract/api';
import { checkAmount } from '@opencashier/core/limits/check-amount';
import { methodLimits } from '@opencashier/core/limits/limits';
import { otherMethodFor, tileChoices } from '@opencashier/core/methods/shared-tile';
import { formatWireAmount } from '@opencashier/core/money/format';
import { useEffect, useRef } from 'react';
import { Button } from '../../ui/buttons/button.tsx';
import { Segmented } from '../../ui/inputs/segmented.tsx';
import { draftOf } from '../session/drafts.ts';
import { usePlace } from '../session/product-context.tsx';
import { type Services, type Texts, useServices, useSession, useTexts } from '../session/services.tsx';
import { useDesktop } from '../session/use-desktop.ts';
import { useMethodList } from './method-list.ts';
import { methodTitle } from './method-text.ts';
import styles from './tile-choices.module.css';

interface TileChoicesProps {
  readonly method: PaymentMethod;
  readonly group: string | undefined;
  /** Canonical decimal string of the session's currency. */
  readonly amount: string | undefined;
  readonly isDisabled: boolean;
}

/** The widget whose user has just chosen. The choice keeps the focus, although another form replaces its own. */
const choosing = new WeakSet<Services>();

/**
 * The methods of one tile, as choices above the form. The typed amount is kept when the user changes the method. If the amount is
 * outside this method's limits, a method that accepts it is offered (LIST-2, AMT-3).
 */
export function TileChoices({ method, group, amount, isDisabled }: TileChoicesProps) {
  const services = useServices();
  const session = useSession();
  const texts = useTexts();
  const { product, tree } = usePlace();
  const state = useMethodList('deposit');
  const isDesktop = useDesktop();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!choosing.delete(services)) return;
    // After the page has moved the focus to its own heading.
    return services.clock.setTimer(() => place.current?.querySelector<HTMLInputElement>('input:checked')?.focus(), 0);
  }, [services]);
  const methods = state.at === 'ready' ? state.list.methods.filter(({ tile }) => tile === method.tile) : [];
  const choices = tileChoices(methods, isDesktop);
  const { currency, country } = session;
  const open = (next: PaymentMethod) => {
    const { amount: typed = amount, isFromChip } = draftOf(services, method.name, currency);
    if (typed !== undefined) Object.assign(draftOf(services, next.name, currency), { amount: typed, isFromChip });
    services.navigation.go(product.methodPath(tree, next, group), { replace: true });
  };
  const takes = (other: PaymentMethod) =>
    checkAmount(amount, methodLimits({ currency, country, rule: other.amount_rules[currency] })) === undefined;
  // With one way to pay there is nothing to choose, but its methods may have different limits.
  const hasWays = choices.length > 1;
  const other = amount === undefined || takes(method) ? undefined : otherMethodFor(choices, method, takes);
  const chosen = choices.findIndex(({ methods: inside }) => inside.some(({ name }) => name === method.name));
  return (
    <div ref={place}>
      {hasWays && (
        <fieldset className={styles.plain} disabled={isDisabled}>
          <Segmented
            label={texts.translate('tile.choices')}
            options={choices.map((choice, at) => ({
              value: String(at),
              text: choiceTitle(choice.way, choice.methods[0], texts),
            }))}
            chosen={String(chosen)}
            onChoose={(value) => {
              const next = choices[Number(value)];
              if (next === undefined) return;
              choosing.add(services);
              open(next.methods.find(takes) ?? next.methods[0]);
            }}
          />
        </fieldset>
      )}
      <div className={styles.offer} role="status">
        {other && (
          <Button look="secondary" onClick={() => open(other)}>
            {texts.translate('tile.takes', {
              amount: formatWireAmount({ amount: amount ?? '', currency }, texts.formatLocale, { isolate: true }) ?? '',
              way: other.way === method.way ? methodTitle(other, texts) : choiceTitle(other.way, other, texts),
            })}
          </Button>
        )}
      </div>
    </div>
  );
}

function choiceTitle(way: PaymentMethod['way'], method: PaymentMethod, texts: Texts): string {
  return way === undefined ? methodTitle(method, texts) : texts.translate(`tile.way.${way}`);
}
