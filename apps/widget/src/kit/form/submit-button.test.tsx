// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { SubmitButton } from './submit-button.tsx';

const user = userEvent.setup();
const field = { isTriggered: false, isValid: true, isFilled: true };
const empty = { isTriggered: false, isValid: false, isFilled: false };

function Form({ asked, id = 'one' }: { readonly asked: readonly (typeof field)[]; readonly id?: string }) {
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <SubmitButton key={id} asked={asked} isBusy={false}>
        Go
      </SubmitButton>
    </form>
  );
}

const isDisabled = () => screen.getByRole('button').getAttribute('aria-disabled') === 'true';

test('[FORM-5] disabled by a field that is triggered and invalid, and enabled when it is right again', () => {
  const { rerender } = render(<Form asked={[field, empty]} />);
  expect(isDisabled()).toBe(false);
  rerender(<Form asked={[field, { ...empty, isTriggered: true }]} />);
  expect(isDisabled()).toBe(true);
  rerender(<Form asked={[field, { ...field, isTriggered: true }]} />);
  expect(isDisabled()).toBe(false);
});

test('[FORM-5] an invalid form disables it after a press as long as a field is empty, and mounting begins as valid again', async () => {
  const { rerender } = render(<Form asked={[field, empty]} />);
  await user.click(screen.getByRole('button'));
  expect(isDisabled()).toBe(true);
  rerender(<Form asked={[field, { ...empty, isFilled: true }]} />);
  expect(isDisabled()).toBe(false);
  rerender(<Form asked={[field, empty]} />);
  expect(isDisabled()).toBe(true);
  rerender(<Form asked={[field, empty]} id="two" />);
  expect(isDisabled()).toBe(false);
});

test('[FORM-5] while disabled it can still be reached and pressed, so that the form can say what is missing', async () => {
  let presses = 0;
  render(
    <form
      onSubmit={(event) => {
        event.preventDefault();
        presses += 1;
      }}
    >
      <SubmitButton asked={[{ ...empty, isTriggered: true }]} isBusy={false}>
        Go
      </SubmitButton>
    </form>,
  );
  await user.tab();
  expect(screen.getByRole('button')).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(presses).toBe(1);
});
