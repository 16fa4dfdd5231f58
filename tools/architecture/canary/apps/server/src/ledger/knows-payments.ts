// breaks: ledger-knows-only-money
export { apply } from '../payments/apply.ts';
