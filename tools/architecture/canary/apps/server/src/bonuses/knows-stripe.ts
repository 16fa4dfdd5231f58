// breaks: providers-by-their-interface
export { stripe } from '../providers/stripe/stripe.ts';
