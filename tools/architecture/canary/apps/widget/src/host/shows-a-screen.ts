// breaks: host-is-a-bridge
export { AmountForm } from '../kit/amount-form.tsx';
