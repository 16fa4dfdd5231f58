import { searchDropdown } from '@opencashier/core/fields/dropdown-search';
import { Suspense, useId } from 'react';
import { Mark } from '../../ui/marks/mark.tsx';
import { lazyPart } from '../session/lazily.ts';
import { useTexts } from '../session/services.tsx';
import type { BalanceKind } from './balance-currency.ts';
import { currencyChoices } from './balance-view.ts';
import type { Balances } from './balances.ts';

// Loaded when a user opens it.
const PickerSheet = lazyPart(async () => (await import('../../ui/layers/picker-sheet.tsx')).PickerSheet);

interface CurrencySheetProps {
  readonly kind: BalanceKind;
  readonly chosen: string;
  readonly balances: Balances | undefined;
  readonly onChoose: (currency: string) => void;
  readonly onClose: () => void;
}

/** The currencies of a kind with the user's balance in each (CRY-3). */
export function CurrencySheet({ kind, chosen, balances, onChoose, onClose }: CurrencySheetProps) {
  const texts = useTexts();
  const { translate } = texts;
  const choices = currencyChoices(balances, kind, chosen, texts).map((choice) => ({
    ...choice,
    mark: <Mark iconId={choice.value} />,
  }));
  return (
    <Suspense fallback={null}>
      <PickerSheet
        listId={useId()}
        title={translate('balance.choose')}
        closeLabel={translate('balance.close')}
        searchLabel={translate('balance.search')}
        nothingFound={(query) => translate('balance.nothingFound', { query })}
        initialQuery=""
        find={(query) => searchDropdown(choices, query)}
        chosen={chosen}
        onChoose={onChoose}
        onClose={onClose}
      />
    </Suspense>
  );
}
