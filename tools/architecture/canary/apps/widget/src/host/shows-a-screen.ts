// breaks: host-is-a-bridge
export { AmountForm } from '../kit/amount/amount-form.tsx';
