import type { GalleryState } from './state.ts';
import { depositStates } from './states/deposit-states.ts';
import { fieldStates } from './states/field-states.tsx';
import { paymentStates } from './states/payment-states.ts';
import { productStates } from './states/product-states.ts';
import { screenStates } from './states/screen-states.ts';
import { viewStates } from './states/view-states.tsx';
import { withdrawalStates } from './states/withdrawal-states.ts';

/** A flow may keep its states in its own folder. */
const ofFlows = import.meta.glob<readonly GalleryState[]>('../src/flows/*/*-states-fixture.ts', {
  import: 'states',
  eager: true,
});

/** Every state of the gallery. */
export const states: readonly GalleryState[] = [
  ...fieldStates,
  ...viewStates,
  ...screenStates,
  ...depositStates,
  ...paymentStates,
  ...withdrawalStates,
  ...productStates,
  ...Object.values(ofFlows).flat(),
];
