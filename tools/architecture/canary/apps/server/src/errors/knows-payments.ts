// breaks: server-foundations
export { apply } from '../payments/apply.ts';
