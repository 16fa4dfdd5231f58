// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { guideServices } from './video-fixture.ts';

const user = userEvent.setup();
const depositId = '5f0c2f4e-7b0e-4a53-9a3e-2f1d6c0b9a11';

function open(path: string, link: string, answers: Record<string, unknown> = {}) {
  return openWidget(path, guideServices(link, answers));
}
const allow = (...videoOrigins: string[]) => {
  const config = document.createElement('script');
  config.type = 'application/json';
  config.id = 'boot-config';
  config.textContent = JSON.stringify({ videoOrigins });
  document.head.append(config);
};

beforeEach(() => {
  window.scrollTo = () => undefined;
  document.getElementById('boot-config')?.remove();
});

test('[DEP-4] [DEP-13] the guide button leads to the video, and back to the form', async () => {
  allow('https://player.vimeo.com');
  const { address, pass } = await open('/deposit/redirect/bank_card', 'https://vimeo.com/76979871');
  await user.click(screen.getByRole('link', { name: 'Guide' }));
  await pass(0);
  expect(address()).toBe('/deposit/video-instruction?method=bank_card');
  const player = await screen.findByTitle('Video guide for Bank card');
  expect(player).toHaveAttribute('src', 'https://player.vimeo.com/video/76979871');
  expect(player.getAttribute('sandbox')).not.toContain('allow-top-navigation');
  expect(screen.getByRole('link', { name: 'Open in a new window' })).toHaveAttribute(
    'href',
    'https://vimeo.com/76979871',
  );
});

test('[DEP-13] a site that is not allowed is only a link', async () => {
  allow('https://player.vimeo.com');
  await open('/deposit/video-instruction?method=bank_card', 'https://other.example/guide');
  expect(document.querySelector('iframe, video')).toBeNull();
  const link = screen.getByRole('link', { name: 'Open in a new window' });
  expect(link).toHaveAttribute('href', 'https://other.example/guide');
  expect(link).toHaveAttribute('rel', 'noopener noreferrer');
});

test.each([
  ['bank_card', 'javascript:alert(1)'],
  ['no_such_method', 'https://other.example/guide'],
])('[DEP-13] [FORM-9] without a guide that may be opened the page says so: %s %s', async (method, link) => {
  await open(`/deposit/video-instruction?method=${method}`, link);
  expect(screen.getByText('No video guide available')).toBeVisible();
  expect(document.querySelector('iframe, video, main a')).toBeNull();
});

test('[DEP-13] the instruction page has the widget’s text, or the provider’s for a deposit, as text', async () => {
  const first = await open('/deposit/redirect/bank_card/instruction', 'https://vimeo.com/76979871');
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
  await user.click(screen.getByRole('button', { name: 'Back to payment' }));
  await first.pass(0);
  expect(first.address()).toBe('/deposit/redirect/bank_card');
});

test('[DEP-13] from the video on to the steps, and back is the payment, not the video', async () => {
  const { address, pass } = await open('/deposit/redirect/bank_card', 'https://vimeo.com/76979871');
  await user.click(screen.getByRole('link', { name: 'Guide' }));
  await pass(0);
  await user.click(await screen.findByRole('button', { name: 'Read the steps' }));
  await pass(0);
  expect(address()).toBe('/deposit/redirect/bank_card/instruction');
  await user.click(screen.getByRole('button', { name: 'Back to payment' }));
  await pass(0);
  expect(address()).toBe('/deposit/redirect/bank_card');
});

test('[DEP-13] the provider’s steps replace the widget’s own', async () => {
  const instruction = { steps: [{ stepNumber: 1, stepInstruction: '<img src=x onerror=alert(1)> Pay' }] };
  await open(`/deposit/redirect/bank_card/instruction?depositId=${depositId}`, 'https://vimeo.com/76979871', {
    'deposit-status': { depositId, paymentMethod: 'bank_card', status: 0, amount: '1500.00', currency: 'INR' },
    'deposit-create': { apiResponse: { depositId, data: { instruction } } },
  });
  expect(await screen.findByText('<img src=x onerror=alert(1)> Pay')).toBeVisible();
});
