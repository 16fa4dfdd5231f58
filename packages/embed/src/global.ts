/** The script-tag build: `OpenCashier.createCashier(…)`, and `<open-cashier>` ready to use. */
import { defineCashierElement } from './element.ts';

defineCashierElement();

// biome-ignore lint/performance/noBarrelFile: what is exported here becomes the global's properties
export { createCashier } from './cashier.ts';
