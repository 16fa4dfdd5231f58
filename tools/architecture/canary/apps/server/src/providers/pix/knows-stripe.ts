// breaks: providers-are-islands
export { stripe } from '../stripe/stripe.ts';
