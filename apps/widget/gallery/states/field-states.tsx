import { Button } from '../../src/ui/buttons/button.tsx';
import { IconButton } from '../../src/ui/buttons/icon-button.tsx';
import { AmountInput } from '../../src/ui/inputs/amount-input.tsx';
import { Chips } from '../../src/ui/inputs/chips.tsx';
import { Field } from '../../src/ui/inputs/field.tsx';
import { TextInput } from '../../src/ui/inputs/text-input.tsx';
import { Badge } from '../../src/ui/marks/badge.tsx';
import { Icon } from '../../src/ui/marks/icon.tsx';
import { Flag, Mark, Marks } from '../../src/ui/marks/mark.tsx';
import { Card, Notice } from '../../src/ui/page/card.tsx';
import { Row } from '../../src/ui/page/page.tsx';
import type { ComponentState } from '../state.ts';
import { component, each, focus, long, nothing } from './component-states.tsx';

export const fieldStates: readonly ComponentState[] = [
  ...component('amount-input', {
    states: {
      show: () =>
        each<Partial<Parameters<typeof AmountInput>[0]>>(
          (props) => <AmountInput aria-label="Amount" value="" unit="₹ INR" onChange={nothing} {...props} />,
          {},
          { value: '1,500.00' },
          { value: '12', 'aria-invalid': true },
          { value: '1,500.00', disabled: true },
          { value: '123,456,789,012,345.67' },
        ),
    },
    focused: {
      show: () => <AmountInput aria-label="Amount" value="1,500" unit="₹ INR" onChange={nothing} />,
      after: focus('input'),
    },
  }),
  ...component('badge', {
    tones: {
      show: ({ translate }) =>
        (['accent', 'brand', 'warn'] as const).map((tone) => (
          <Row key={tone}>
            <Badge tone={tone}>{translate('list.badge.popular')}</Badge>
          </Row>
        )),
    },
  }),
  ...component('button', {
    states: {
      show: ({ translate }) =>
        (['primary', 'secondary', 'ghost', 'pill'] as const).map((look) => (
          <div key={look} style={{ display: 'grid', gap: 8 }}>
            <Button look={look}>{translate('empty.region')}</Button>
            <Button look={look} isBusy>
              {translate('empty.region')}
            </Button>
            <Button look={look} disabled>
              {translate('empty.region')}
            </Button>
          </div>
        )),
    },
    focused: { show: ({ translate }) => <Button>{translate('empty.region')}</Button>, after: focus('button') },
    'long-text': { show: (texts) => <Button>{long(texts)}</Button> },
  }),
  ...component('card', {
    notices: {
      show: (texts) => (
        <>
          <Card>{long(texts)}</Card>
          {(['warn', 'bad', 'calm'] as const).map((tone) => (
            <Notice key={tone} tone={tone}>
              {long(texts)}
            </Notice>
          ))}
        </>
      ),
    },
  }),
  ...component('chips', {
    states: {
      show: () =>
        [false, true].map((isDisabled) => (
          <Chips
            key={String(isDisabled)}
            label="Amounts"
            chips={['₹500', '₹1,000', '₹5,000', '₹10,000', '₹1,00,000'].map((text) => ({ value: text, text }))}
            chosen="₹1,000"
            isDisabled={isDisabled}
            onChoose={nothing}
          />
        )),
    },
  }),
  ...component('field', {
    states: {
      show: (texts) =>
        each<Partial<Parameters<typeof Field>[0]>>(
          (props) => (
            <Field label={texts.translate('region.title')} {...props}>
              {(control) => <TextInput {...control} defaultValue="4276 3800" />}
            </Field>
          ),
          {},
          { hint: texts.translate('empty.hint') },
          { hint: texts.translate('empty.hint'), error: texts.translate('empty.title') },
          { hint: texts.translate('empty.hint'), error: texts.translate('empty.title'), sharesLine: true },
          { label: long(texts), error: long(texts) },
        ),
    },
  }),
  ...component('icon', {
    all: {
      show: () =>
        [
          ['alert', 'card', 'check', 'chevron', 'chevron-back', 'chevron-down', 'clock'] as const,
          ['close', 'coin', 'external', 'globe', 'play', 'search'] as const,
        ].map((names) => (
          <Row key={names[0]}>
            {names.map((name) => (
              <Icon key={name} name={name} size={28} />
            ))}
          </Row>
        )),
    },
  }),
  ...component('icon-button', {
    states: {
      show: () => (
        <Row>
          <IconButton icon="close" label="Close" />
          <IconButton icon="chevron-back" label="Back" disabled />
        </Row>
      ),
      after: focus('button'),
    },
  }),
  ...component('mark', {
    drawings: {
      show: () => (
        <>
          <Row>
            {each(
              (iconId: string) => (
                <Mark iconId={iconId} />
              ),
              'card',
              'bank',
              'upi',
              'btc',
              'inr',
            )}
          </Row>
          <Row>
            {each(
              (country: string) => (
                <Flag country={country} />
              ),
              'IN',
              'MX',
              'SA',
              'NP',
              'ZZ',
            )}
          </Row>
          <Mark iconId="bank" size="l" />
          <Marks iconIds={['visa', 'mastercard', 'card', 'upi']} most={3} />
        </>
      ),
    },
    letters: {
      show: () => (
        <Row>
          {each(
            (iconId: string) => (
              <Mark iconId={iconId} />
            ),
            'no_such',
            'nowhere',
            'x',
          )}
        </Row>
      ),
    },
  }),
];
