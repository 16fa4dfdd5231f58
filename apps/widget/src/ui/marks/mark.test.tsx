// @vitest-environment jsdom
import { fireEvent, render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { lettersOf, Mark } from './mark.tsx';

test('[NET-7] a mark is the drawing of its icon id, and says nothing beside the name', () => {
  const { container } = render(<Mark iconId="Bank" />);
  const drawing = container.querySelector('img');
  expect(drawing?.getAttribute('src')).toBe('/static/icons/bank.svg');
  expect(drawing?.closest('[aria-hidden="true"]')).toBeTruthy();
});

test('[NET-7] a drawing that cannot be had leaves its letters in the same tile and is not asked for again', () => {
  const { container, unmount } = render(<Mark iconId="phone_pe" />);
  const tile = container.firstElementChild?.outerHTML.split('>')[0];
  const drawing = container.querySelector('img');
  if (!drawing) throw new Error('no drawing was asked for');
  fireEvent.error(drawing);
  expect(container.textContent).toBe('PP');
  expect(container.firstElementChild?.outerHTML.split('>')[0]).toBe(tile);
  unmount();
  expect(render(<Mark iconId="phone_pe" />).container.querySelector('img')).toBeNull();
});

test('letters come from the words of an id', () => {
  expect(['visa', 'phone_pe', 'paytm', 'mastercard'].map(lettersOf)).toEqual(['VISA', 'PP', 'PAYT', 'MC']);
});
