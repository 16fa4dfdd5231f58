/** A form alone, with services from plain values: no router, no flows. */
import type { FormField, PaymentMethod } from '@opencashier/contract/api';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { AmountForm } from '../amount/amount-form.tsx';
import { type AmountField, useAmount } from '../amount/use-amount.ts';
import { cardMethod } from '../method/catalogue-fixture.ts';
import { type Services, ServicesProvider } from '../session/services.tsx';
import { createFixtureServices, type FixtureServices } from '../session/services-fixture.ts';
import { DynamicForm } from './dynamic-form.tsx';
import type { Fields } from './field-state.ts';
import { useFields } from './use-fields.ts';

const { fields: _fields, prefilledAmount: _prefilled, ...plain } = cardMethod;

export const methodWith = (more: Partial<PaymentMethod> = {}): PaymentMethod => ({ ...plain, fields: [], ...more });

export const testField = (more: Partial<FormField> = {}): FormField => ({ name: 'field', type: 'text', ...more });

export function renderWith(services: FixtureServices, children: ReactNode) {
  const all: Services = {
    ...services,
    navigation: { go: () => undefined, back: () => undefined },
    notify: () => undefined,
    whenClosing: () => () => undefined,
    close: () => undefined,
  };
  const view = render(
    <QueryClientProvider client={services.queries}>
      <ServicesProvider value={all}>{children}</ServicesProvider>
    </QueryClientProvider>,
  );
  return { ...view, pass: (ms: number) => act(() => services.clock.advanceAsync(ms)) };
}

/** The state of a form at its last render. */
interface Seen<Value> {
  value?: Value;
}

function AmountProbe({ method, seen }: { readonly method: PaymentMethod; readonly seen: Seen<AmountField> }) {
  const amount = useAmount(method);
  seen.value = amount;
  return <AmountForm amount={amount} />;
}

function FieldsProbe({ method, seen }: { readonly method: PaymentMethod; readonly seen: Seen<Fields> }) {
  const fields = useFields(method.fields, method);
  seen.value = fields;
  return <DynamicForm fields={fields} />;
}

function read<Value>({ value }: Seen<Value>): Value {
  if (value === undefined) throw new Error('The form was not rendered.');
  return value;
}

/** Renders the amount of a method, and gives access to its state. */
export function renderAmount(
  method: PaymentMethod = methodWith(),
  services: FixtureServices = createFixtureServices(),
) {
  const seen: Seen<AmountField> = {};
  const view = renderWith(services, <AmountProbe method={method} seen={seen} />);
  return { ...view, services, amount: () => read(seen) };
}

/** Renders the fields of a method, and gives access to their state. */
export function renderFields(method: PaymentMethod, services: FixtureServices = createFixtureServices()) {
  const seen: Seen<Fields> = {};
  const view = renderWith(services, <FieldsProbe method={method} seen={seen} />);
  return { ...view, services, fields: () => read(seen) };
}
