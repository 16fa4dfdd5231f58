// breaks: contract-is-a-leaf, doors-only
export { zero } from '../../../core/src/money/money.ts';
