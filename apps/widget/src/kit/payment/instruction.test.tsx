// @vitest-environment jsdom
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createPage } from '../../app/shell/shell-services.ts';
import { ServicesProvider } from '../session/services.tsx';
import { createFixtureServices, createTexts } from '../session/services-fixture.ts';
import { Instruction } from './instruction.tsx';

test('[DEP-5] [UI-1] an amount in the provider’s text is formatted for the user’s locale; the rest is unchanged', () => {
  const texts = { ...createTexts(), formatLocale: 'de-DE' };
  const { services } = createPage(createFixtureServices({}, { texts }));
  const instruction = {
    text: 'Pay exactly {amount}, not {other}, and name {toString}.',
    amounts: { amount: { amount: '150000.00', currency: 'KZT' } },
  };
  const { container } = render(
    <ServicesProvider value={services}>
      <Instruction instruction={instruction} />
    </ServicesProvider>,
  );
  expect(container.textContent).toBe('Pay exactly \u2068150.000,00\u00a0₸\u2069, not {other}, and name {toString}.');
});
