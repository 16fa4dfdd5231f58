// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { createPage } from '../../app/shell/shell-services.ts';
import { ServicesProvider } from '../session/services.tsx';
import { createFixtureServices, englishMessages } from '../session/services-fixture.ts';
import { FunFacts } from './fun-facts.tsx';

const user = userEvent.setup();
const fact = (number: number) => englishMessages[`facts.${number}`] ?? '';

afterEach(() => vi.unstubAllGlobals());

function open() {
  const { services } = createPage(createFixtureServices());
  const clock = createFixtureServices().clock;
  const view = render(
    <ServicesProvider value={{ ...services, clock }}>
      <FunFacts />
    </ServicesProvider>,
  );
  return { ...view, clock, pass: (ms: number) => act(() => clock.advanceAsync(ms)) };
}

test('[DEP-17] nothing for three seconds, then a fact, and another one every six', async () => {
  const { pass, container, unmount, clock } = open();
  await pass(2999);
  expect(container).toBeEmptyDOMElement();
  await pass(1);
  expect(screen.getByText(fact(1))).toBeVisible();
  await pass(5999);
  expect(screen.getByText(fact(1))).toBeVisible();
  await pass(1);
  expect(screen.getByText(fact(2))).toBeVisible();
  await pass(6000 * 5);
  expect(screen.getByText(fact(1))).toBeVisible();
  unmount();
  expect(clock.pending()).toBe(0);
});

test('[DEP-17] [UI-3] they can be stopped and go on, and are not announced', async () => {
  const { pass } = open();
  await pass(3000);
  await user.click(screen.getByRole('button', { name: 'Pause' }));
  await pass(60_000);
  expect(screen.getByText(fact(1))).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  await pass(6000);
  expect(screen.getByText(fact(2))).toBeVisible();
  expect(screen.queryByRole('status')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('[DEP-17] [UI-3] for a user who wants less motion they stand still until asked for', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query.includes('reduced-motion') }));
  const { pass } = open();
  await pass(3000 + 60_000);
  expect(screen.getByText(fact(1))).toBeVisible();
  expect(screen.getByRole('button', { name: 'Show more' })).toBeVisible();
});
