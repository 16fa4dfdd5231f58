// breaks: server-folders-have-a-layer
export { apply } from '../payments/apply.ts';
