/** The script-tag build: `OpenCashier.createCashier(…)`, and `<open-cashier>` as soon as its part has come. */
import { createCashier } from './cashier.ts';
import { callbackEvents } from './events.ts';

void import('./element-class.ts').then(({ registerElement }) => registerElement({ createCashier, callbackEvents }));

// biome-ignore lint/performance/noBarrelFile: what is exported here becomes the global's properties
export { createCashier } from './cashier.ts';
