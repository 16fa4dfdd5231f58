import { Suspense } from 'react';
import { useIsDrawing } from '../session/first-drawing.ts';
import { lazyPart } from '../session/lazily.ts';

const Part = lazyPart(async () => (await import('./unfinished-withdrawal.tsx')).UnfinishedWithdrawal);

/**
 * The unfinished withdrawal at the foot of a list. It needs what forms need, and a list does not wait for that. The server's drawing is for
 * all users, so it has no place in it.
 */
export function UnfinishedWithdrawal() {
  if (useIsDrawing()) return null;
  return (
    <Suspense fallback={null}>
      <Part />
    </Suspense>
  );
}
