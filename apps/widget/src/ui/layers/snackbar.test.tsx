// @vitest-environment jsdom
import { createTestClock } from '@opencashier/core/time/test-clock';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { SnackbarRegion } from './snackbar.tsx';

function open(kind: 'error' | 'info' = 'error') {
  const clock = createTestClock();
  const onClose = vi.fn();
  render(
    <SnackbarRegion
      items={[{ id: 7, kind, title: 'Error', text: '<b>No</b> connection' }]}
      label="Messages"
      closeLabel="Dismiss"
      closeAfterMs={5000}
      setTimer={clock.setTimer}
      onClose={onClose}
    />,
  );
  return { clock, onClose };
}

test('[ERR-4] a message goes by itself after its time, and not before', () => {
  const { clock, onClose } = open();
  act(() => clock.advance(4999));
  expect(onClose).not.toHaveBeenCalled();
  act(() => clock.advance(1));
  expect(onClose).toHaveBeenCalledWith(7);
});

test('[ERR-4] it stays while it is pointed at or has the focus, and then has its whole time again', () => {
  const { clock, onClose } = open();
  const snackbar = screen.getByText('Error').parentElement?.parentElement;
  if (!snackbar) throw new Error('no snackbar');
  fireEvent.pointerEnter(snackbar);
  screen.getByRole('button', { name: 'Dismiss' }).focus();
  act(() => clock.advance(60_000));
  fireEvent.pointerLeave(snackbar);
  act(() => clock.advance(60_000));
  expect(onClose).not.toHaveBeenCalled();
  screen.getByRole('button', { name: 'Dismiss' }).blur();
  act(() => clock.advance(4999));
  expect(onClose).not.toHaveBeenCalled();
  act(() => clock.advance(1));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('[ERR-4] errors interrupt a screen reader, the rest waits; the text is text, never HTML', () => {
  open('error');
  expect(screen.getByRole('alert')).toHaveTextContent('Error<b>No</b> connection');
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

test('a message that is no error is a status', () => {
  open('info');
  expect(screen.getByRole('status')).toHaveTextContent('connection');
});
