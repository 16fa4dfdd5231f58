// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { indiaCatalogue, manyRegionsFixture, regionsFixture } from '../../kit/method/catalogue-fixture.ts';
import { createFixtureServices, createSession } from '../../kit/session/services-fixture.ts';

const user = userEvent.setup();
const open = async (countries: typeof regionsFixture, country = 'IN') => {
  const services = createFixtureServices(
    { 'methods-country-selector-v2': countries, 'methods-payment-v5': indiaCatalogue },
    { session: createSession({ country }) },
  );
  const opened = await openWidget('/deposit/region', services);
  return { ...opened, sheet: within(await screen.findByRole('dialog', { name: 'Choose your region' })) };
};
const found = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

beforeEach(() => {
  window.scrollTo = () => undefined;
});

test('[LIST-3] the chosen region comes first, each with its flag, or its code if the flag fails to load', async () => {
  const { sheet } = await open(regionsFixture);
  const rows = sheet.getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual(['India', 'Brazil', 'Germany', 'Mexico']);
  const flags = rows.map((row) => row.querySelector('img')?.getAttribute('src'));
  expect(flags).toEqual(['in', 'br', 'de', 'mx'].map((code) => `/static/icons/flag-${code}.svg`));
  const brazil = rows[1]?.querySelector('img');
  brazil?.dispatchEvent(new Event('error'));
  expect(await sheet.findByText('BR')).toBeInTheDocument();
  expect(sheet.getByRole('button', { name: 'Brazil' })).toBeInTheDocument();
});

test('[LIST-3] a region that the operator does not offer is no choice, and the order stays', async () => {
  const { sheet, services, address, pass } = await open(regionsFixture, 'JP');
  const rows = sheet.getAllByRole('listitem').map((row) => within(row).getByRole('button'));
  expect(rows).toEqual(regionsFixture.countries.map(({ name }) => sheet.getByRole('button', { name })));
  expect(rows.filter((row) => row.getAttribute('aria-current') === 'true')).toEqual([]);
  await user.click(sheet.getByRole('button', { name: 'Brazil' }));
  await pass(0);
  expect(address()).toBe('/deposit');
  expect(services.requestsOf('methods-payment-v5').at(-1)).toMatchObject({ country: 'BR', currency: 'BRL' });
});

test('[LIST-3] many regions are searched by name, in English, by code, and without accents', async () => {
  const { sheet, services, address, pass } = await open(manyRegionsFixture);
  const search = sheet.getByRole('combobox', { name: 'Search' });
  expect(found()).toHaveLength(11);
  await user.type(search, 'turkiye');
  expect(found()).toEqual(['Türkiye']);
  await user.clear(search);
  await user.type(search, 'kz');
  expect(found()).toEqual(['Kazakhstan']);
  await user.clear(search);
  await user.type(search, 'atlantis');
  expect(screen.queryAllByRole('option')).toEqual([]);
  expect(sheet.getByText('Nothing found for “atlantis”')).toBeVisible();
  await user.clear(search);
  await user.type(search, 'germ{Enter}');
  await pass(0);
  expect(address()).toBe('/deposit');
  expect(services.requestsOf('methods-payment-v5').at(-1)).toMatchObject({ country: 'DE', currency: 'EUR' });
});
