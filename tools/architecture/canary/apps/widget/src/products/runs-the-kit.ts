// breaks: products-are-data-types
export { AmountForm } from '../kit/amount/amount-form.tsx';
