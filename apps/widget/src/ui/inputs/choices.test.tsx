// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Segmented } from './segmented.tsx';
import { Switch } from './switch.tsx';

const networks = ['TRC-20', 'ERC-20', 'BEP-20'].map((text) => ({ value: text, text }));

function Networks() {
  const [chosen, setChosen] = useState('TRC-20');
  return <Segmented label="Network" options={networks} chosen={chosen} onChoose={setChosen} />;
}

test('segments are radio buttons: one chosen, arrows move between them', async () => {
  render(<Networks />);
  expect(screen.getByRole('group', { name: 'Network' })).toBeVisible();
  await userEvent.tab();
  expect(screen.getByRole('radio', { name: 'TRC-20' })).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  expect(screen.getByRole('radio', { name: 'ERC-20' })).toBeChecked();
  expect(screen.getByRole('radio', { name: 'TRC-20' })).not.toBeChecked();
});

function Bonus() {
  const [isOn, setIsOn] = useState(true);
  return <Switch label="Bonus" isOn={isOn} onChange={setIsOn} />;
}

test('a switch says its state and turns by the keyboard', async () => {
  render(<Bonus />);
  const control = screen.getByRole('switch', { name: 'Bonus' });
  expect(control).toHaveAttribute('aria-checked', 'true');
  control.focus();
  await userEvent.keyboard(' ');
  expect(control).toHaveAttribute('aria-checked', 'false');
});
