// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { indiaCatalogue, regionsFixture } from '../../kit/method/catalogue-fixture.ts';
import { createFixtureServices, createSession } from '../../kit/session/services-fixture.ts';

const user = userEvent.setup();
const vpn = 'Choose another region, or try again later';
const open = (meta: object = {}, path = '/empty') =>
  openWidget(
    path,
    createFixtureServices(
      { 'methods-country-selector-v2': regionsFixture, 'methods-payment-v5': indiaCatalogue },
      { session: createSession({}, { schema: { meta, assets: {} } }) },
    ),
  );

beforeEach(() => {
  window.scrollTo = () => undefined;
});

test('[NAV-6] the empty page says that there are no methods, and hints at a VPN', async () => {
  await open();
  expect(screen.getByText('There are no payment methods available for this region')).toBeVisible();
  expect(screen.getByText(vpn)).toBeVisible();
});

test('[NAV-6] an operator replaces the hint', async () => {
  await open({ emptyPageHint: 'Write to us: we will find a way.' });
  expect(screen.getByText('\u2068Write to us: we will find a way.\u2069')).toBeVisible();
  expect(screen.queryByText(vpn)).toBeNull();
});

test('[NAV-6] an operator leaves the hint out', async () => {
  await open({ emptyPageHint: '' });
  expect(screen.getByText('There are no payment methods available for this region')).toBeVisible();
  expect(screen.queryByText(vpn)).toBeNull();
});

test('[NAV-6] [LIST-3] another region is chosen over the empty page, and its methods are asked for', async () => {
  const { services, address, pass } = await open();
  await user.click(screen.getByRole('button', { name: 'Choose another region' }));
  await pass(0);
  expect(address()).toBe('/empty/region');
  await user.click(await screen.findByRole('button', { name: 'Brazil' }));
  await pass(0);
  expect(address()).toBe('/deposit');
  expect(services.requestsOf('methods-payment-v5').at(-1)).toMatchObject({ country: 'BR', currency: 'BRL' });
});
