import { act, render, screen } from '@testing-library/react';
import { Component, type ReactNode, Suspense } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

type UseFieldCode = typeof import('./field-code.ts').useFieldCode;

const loads = vi.fn();
/** How many attempts to load the code fail. */
let failures = 0;
/** The code comes when this settles. */
let network: Promise<void>;

beforeEach(() => {
  vi.resetModules();
  loads.mockReset();
  failures = 0;
  network = Promise.resolve();
  vi.doMock('./field-reading.ts', async () => {
    loads();
    await network;
    if (failures > 0) {
      failures -= 1;
      throw new TypeError('Failed to fetch');
    }
    return { readFields: () => undefined, startOf: () => undefined };
  });
});
afterEach(() => {
  vi.doUnmock('./field-reading.ts');
});

class Boundary extends Component<{ readonly children: ReactNode }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError = () => ({ hasFailed: true });
  override render = () => (this.state.hasFailed ? <p>failed</p> : this.props.children);
}

function Probe({ useCode, isNeeded }: { readonly useCode: UseFieldCode; readonly isNeeded: boolean }) {
  return <p>{useCode(isNeeded) === undefined ? 'without' : 'with fields'}</p>;
}

/** Opens a screen that needs the code, or does not. */
async function open(useCode: UseFieldCode, isNeeded: boolean) {
  const view = await act(async () =>
    render(
      <Boundary>
        <Suspense fallback={<p>waiting</p>}>
          <Probe useCode={useCode} isNeeded={isNeeded} />
        </Suspense>
      </Boundary>,
    ),
  );
  return view;
}

/** Lets files come. */
const settle = () => act(() => vi.dynamicImportSettled());

test('a form without fields loads nothing and waits for nothing', async () => {
  const { useFieldCode } = await import('./field-code.ts');
  await open(useFieldCode, false);
  expect(screen.getByText('without')).toBeVisible();
  expect(loads).not.toHaveBeenCalled();
});

test('a form with fields waits for their code, and the next one does not', async () => {
  let come: () => void = () => {};
  network = new Promise((resolve) => {
    come = resolve;
  });
  const { useFieldCode } = await import('./field-code.ts');
  const first = await open(useFieldCode, true);
  expect(screen.getByText('waiting')).toBeVisible();
  come();
  await settle();
  expect(screen.getByText('with fields')).toBeVisible();
  first.unmount();
  await open(useFieldCode, true);
  expect(screen.getByText('with fields')).toBeVisible();
  expect(loads).toHaveBeenCalledOnce();
});

test('a page that brings the code waits for nothing', async () => {
  const { useFieldCode, provideFieldCode } = await import('./field-code.ts');
  provideFieldCode({} as never);
  await open(useFieldCode, true);
  expect(screen.getByText('with fields')).toBeVisible();
  expect(loads).not.toHaveBeenCalled();
});

test('code that never comes is an error of the screen, and a later load tries again', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.useFakeTimers();
  failures = 7;
  const { useFieldCode, loadFieldCode } = await import('./field-code.ts');
  const view = await open(useFieldCode, true);
  for (let waited = 0; waited < 7; waited += 1) {
    await settle();
    await act(() => vi.advanceTimersByTimeAsync(16_000));
  }
  vi.useRealTimers();
  expect(screen.getByText('failed')).toBeVisible();
  view.unmount();
  await loadFieldCode();
  await open(useFieldCode, true);
  expect(screen.getByText('with fields')).toBeVisible();
});
