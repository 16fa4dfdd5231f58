// breaks: screens-below-products
export { main } from '../products/main.ts';
