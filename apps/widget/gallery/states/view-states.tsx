import type { Texts } from '../../src/kit/session/services.tsx';
import { Button } from '../../src/ui/buttons/button.tsx';
import { SearchInput } from '../../src/ui/inputs/search-input.tsx';
import { Segmented } from '../../src/ui/inputs/segmented.tsx';
import { Switch } from '../../src/ui/inputs/switch.tsx';
import { SelectInput, TextInput } from '../../src/ui/inputs/text-input.tsx';
import { PickerSheet } from '../../src/ui/layers/picker-sheet.tsx';
import { Sheet, SheetContent } from '../../src/ui/layers/sheet.tsx';
import { SnackbarRegion } from '../../src/ui/layers/snackbar.tsx';
import { OptionList } from '../../src/ui/lists/option-list.tsx';
import { SearchList } from '../../src/ui/lists/search-list.tsx';
import { RowTile, Tile } from '../../src/ui/lists/tile.tsx';
import { Badge } from '../../src/ui/marks/badge.tsx';
import { Icon } from '../../src/ui/marks/icon.tsx';
import { Mark, Marks } from '../../src/ui/marks/mark.tsx';
import { Card } from '../../src/ui/page/card.tsx';
import { Page, PageFooter, Row, Section, TileGrid } from '../../src/ui/page/page.tsx';
import { Skeleton } from '../../src/ui/page/skeleton.tsx';
import { StateView } from '../../src/ui/page/state-view.tsx';
import { Tabs } from '../../src/ui/page/tabs.tsx';
import { VisuallyHidden } from '../../src/ui/page/visually-hidden.tsx';
import type { ComponentState } from '../state.ts';
import { component, countries, each, focus, long, networks, nothing, searchFor } from './component-states.tsx';

const searched = ({ translate }: Texts) => ({
  listId: 'countries',
  title: translate('region.title'),
  searchLabel: translate('list.search'),
  nothingFound: () => translate('empty.title'),
  initialQuery: '',
  find: (query: string) => countries.filter(({ text }) => text.includes(query)),
  chosen: '1',
  onChoose: nothing,
});

const picker = (texts: Texts) => (
  <PickerSheet {...searched(texts)} closeLabel={texts.translate('header.close')} onClose={nothing} />
);

export const viewStates: readonly ComponentState[] = [
  ...component('option-list', {
    states: {
      show: (texts) => (
        <OptionList
          label="Options"
          options={[...countries, { value: 'long', text: long(texts), detail: long(texts) }]}
          chosen="1"
          onChoose={nothing}
        />
      ),
    },
  }),
  ...component('page', {
    sections: {
      show: ({ translate }) => (
        <>
          <Page width="wide">
            <Section title={translate('region.title')}>
              <TileGrid>
                {[1, 2, 3].map((tile) => (
                  <li key={tile}>
                    <Card>{tile}</Card>
                  </li>
                ))}
              </TileGrid>
            </Section>
          </Page>
          <PageFooter>
            <Button>{translate('empty.region')}</Button>
          </PageFooter>
        </>
      ),
    },
  }),
  ...component('picker-sheet', {
    open: { show: picker },
    'nothing-found': { show: picker, after: searchFor('Narnia') },
  }),
  ...component('search-input', {
    empty: { show: ({ translate }) => <SearchInput label={translate('list.search')} /> },
    typed: {
      show: ({ translate }) => <SearchInput label={translate('list.search')} defaultValue="Brazil" />,
      after: focus('input'),
    },
  }),
  ...component('segmented', {
    states: {
      show: (texts) => (
        <>
          <Segmented label="Networks" options={networks} chosen="ERC-20" onChoose={nothing} />
          <Segmented
            label="Long"
            options={['empty.region', 'empty.refresh', 'empty.title'].map((key) => ({
              value: key,
              text: texts.translate(key),
            }))}
            chosen="empty.refresh"
            onChoose={nothing}
          />
        </>
      ),
    },
  }),
  ...component('search-list', {
    open: { show: (texts) => <SearchList {...searched(texts)} /> },
  }),
  ...component('sheet', {
    open: {
      show: (texts) => (
        <Sheet title={texts.translate('region.title')} closeLabel="Close" onClose={nothing}>
          <SheetContent>
            <p>{long(texts)}</p>
          </SheetContent>
        </Sheet>
      ),
    },
    question: {
      show: (texts) => (
        <Sheet title={texts.translate('payment.cancel.title')} closeLabel="Close" onClose={nothing} isQuestion>
          <SheetContent>
            <p>{texts.translate('payment.cancel.warning')}</p>
          </SheetContent>
        </Sheet>
      ),
    },
    'long-title': {
      show: (texts) => (
        <Sheet title={long(texts)} closeLabel="Close" onClose={nothing}>
          <OptionList label="Options" options={[...countries, ...networks]} chosen="0" onChoose={nothing} />
        </Sheet>
      ),
    },
  }),
  ...component('skeleton', {
    shapes: {
      isWaiting: true,
      show: () => (
        <>
          <Skeleton blockSize="16px" inlineSize="40%" />
          <Skeleton blockSize="104px" radius="16px" />
          <Skeleton blockSize="44px" inlineSize="44px" radius="50%" />
        </>
      ),
    },
  }),
  ...component('snackbar', {
    kinds: {
      show: (texts) => (
        <SnackbarRegion
          items={(['error', 'info', 'success'] as const).map((kind, id) => ({
            id,
            kind,
            title: kind === 'error' ? texts.translate('notification.error') : undefined,
            text: id === 0 ? long(texts) : texts.translate('empty.title'),
          }))}
          label="Messages"
          closeLabel="Close"
          closeAfterMs={5000}
          setTimer={() => nothing}
          onClose={nothing}
        />
      ),
    },
  }),
  ...component('state-view', {
    tones: {
      show: ({ translate }) =>
        (['good', 'warn', 'bad', 'calm'] as const).map((tone) => (
          <StateView
            key={tone}
            icon={tone === 'good' ? 'check' : tone === 'calm' ? 'globe' : 'alert'}
            tone={tone}
            title={translate('checking.title')}
            text={translate('checking.text')}
          />
        )),
    },
    active: {
      show: (texts) => (
        <StateView icon="clock" tone="warn" title={texts.translate('checking.title')} text={long(texts)} isActive>
          <Button>{texts.translate('empty.refresh')}</Button>
        </StateView>
      ),
    },
  }),
  ...component('switch', {
    states: {
      show: () => (
        <Row>
          <Switch label="On" isOn onChange={nothing} />
          <Switch label="Off" isOn={false} onChange={nothing} />
        </Row>
      ),
    },
  }),
  ...component('tabs', {
    states: {
      show: ({ translate, direction }) => (
        <Tabs
          label="Tabs"
          tabs={['balance.fiat', 'balance.crypto'].map((value) => ({ value, text: translate(value) }))}
          chosen="balance.fiat"
          onChoose={nothing}
          isRightToLeft={direction === 'rtl'}
        >
          <Card>{translate('balance.fiat')}</Card>
        </Tabs>
      ),
      after: focus('[role=tab]'),
    },
  }),
  ...component('text-input', {
    states: {
      show: (texts) => (
        <>
          {each<Partial<Parameters<typeof TextInput>[0]>>(
            (props) => (
              <TextInput aria-label="Text" {...props} />
            ),
            { placeholder: '98765 43210' },
            { defaultValue: '98765 43210' },
            { defaultValue: '98765', 'aria-invalid': true },
            { defaultValue: '98765 43210', disabled: true },
            { defaultValue: long(texts) },
          )}
          <SelectInput aria-label="Select" items={networks} placeholder={texts.translate('region.title')} />
          <SelectInput aria-label="Select" items={networks} defaultValue="ERC-20" aria-invalid />
          <SelectInput aria-label="Select" items={networks} disabled />
        </>
      ),
    },
  }),
  ...component('tile', {
    states: {
      show: (texts) => (
        <TileGrid>
          {[
            { title: 'UPI' },
            { title: 'UPI', detail: '₹300 – ₹50,000', badges: <Badge>{texts.translate('list.badge.popular')}</Badge> },
            { title: 'UPI', detail: texts.translate('empty.title'), isDisabled: true },
            {
              title: long(texts),
              detail: long(texts),
              banner: long(texts),
              badges: <Badge tone="warn">{long(texts)}</Badge>,
            },
          ].map((tile, index) => (
            <li key={String(index)}>
              <Tile marks={<Marks iconIds={['upi', 'card']} most={2} />} onOpen={nothing} {...tile} />
            </li>
          ))}
        </TileGrid>
      ),
    },
    row: {
      show: (texts) => (
        <RowTile
          title={long(texts)}
          detail={texts.translate('empty.title')}
          marks={<Mark iconId="bank" size="l" />}
          onOpen={nothing}
          end={<Icon name="chevron" />}
        />
      ),
      after: focus('button'),
    },
  }),
  ...component('visually-hidden', {
    unseen: {
      show: (texts) => (
        <p>
          {texts.translate('empty.title')} <VisuallyHidden>{long(texts)}</VisuallyHidden>
        </p>
      ),
    },
  }),
];
