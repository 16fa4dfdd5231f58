import { methodsCountrySelectorV2 } from '@opencashier/contract/api';
import { needsDropdownSearch, searchDropdown } from '@opencashier/core/fields/dropdown-search';
import { orderRegions } from '@opencashier/core/methods/region';
import { useQuery } from '@tanstack/react-query';
import { useId, useRef } from 'react';
import { countryName } from '../../kit/format/country-name.ts';
import { listOf } from '../../kit/method/empty-list.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useSession, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Sheet, SheetContent } from '../../ui/layers/sheet.tsx';
import { OptionList } from '../../ui/lists/option-list.tsx';
import { SearchList } from '../../ui/lists/search-list.tsx';
import { Flag } from '../../ui/marks/mark.tsx';
import { Skeleton } from '../../ui/page/skeleton.tsx';
import styles from './region.module.css';

interface CountriesProps {
  readonly countries: readonly { readonly code: string; readonly name: string }[];
  readonly chosen: string;
  readonly onChoose: (code: string) => void;
}

/** The list of countries; a long one has a search box. */
function Countries({ countries, chosen, onChoose }: CountriesProps) {
  const texts = useTexts();
  const { translate } = texts;
  const listId = useId();
  const title = translate('region.title');
  const options = countries.map(({ code, name }) => ({
    value: code,
    text: countryName(code, texts) || name,
    name,
    mark: <Flag country={code} />,
  }));
  if (!needsDropdownSearch(options.length, true))
    return <OptionList label={title} options={options} chosen={chosen} onChoose={onChoose} />;
  return (
    <SearchList
      listId={listId}
      title={title}
      searchLabel={translate('picker.search')}
      nothingFound={(query) => translate('picker.nothingFound', { query })}
      initialQuery=""
      find={(query) => searchDropdown(options, query, (option) => `${option.text} ${option.name} ${option.value}`)}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}

/** The region selector (LIST-3), a sheet over the list or the empty page. */
export function Screen({ state }: ScreenProps) {
  const { api, navigation, chooseRegion } = useServices();
  const session = useSession();
  const texts = useTexts();
  const place = usePlace();
  // Above the empty page, the selector leads back to the list that was empty, of deposits or withdrawals.
  const tree = listOf(state) ?? place.tree;
  const regions = useQuery({
    queryKey: ['regions'],
    queryFn: ({ signal }) => api.call(methodsCountrySelectorV2, {}, { signal }),
  });
  // The country when the selector was opened, because it may change before the sheet closes.
  const opened = useRef(session.country);
  const countries = orderRegions(regions.data?.countries ?? [], opened.current);
  const close = () => navigation.back(tree);
  const choose = (code: string) => {
    const country = countries.find((candidate) => candidate.code === code);
    const isSpoken = country?.currencies.includes(session.currency) ?? true;
    chooseRegion({
      country: code,
      currency: isSpoken ? session.currency : (country?.currencies[0] ?? session.currency),
    });
    navigation.go(tree, { replace: true });
  };
  return (
    <Sheet title={texts.translate('region.title')} closeLabel={texts.translate('region.close')} onClose={close}>
      {regions.isError && (
        <SheetContent>
          <p role="alert">{texts.translate('region.failed')}</p>
          <Button look="secondary" onClick={() => void regions.refetch()}>
            {texts.translate('region.retry')}
          </Button>
        </SheetContent>
      )}
      {regions.isPending && (
        <div className={styles.waiting} role="status" aria-label={texts.translate('region.loading')}>
          <Skeleton blockSize="var(--target)" radius="var(--radius-full)" />
          {['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((line) => (
            <Skeleton key={line} blockSize="44px" radius="var(--radius-m)" />
          ))}
        </div>
      )}
      {regions.data && <Countries countries={countries} chosen={session.country} onChoose={choose} />}
    </Sheet>
  );
}
