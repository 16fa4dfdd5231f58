// breaks: server-folders-one-way
export { rates } from '../rates/rates.ts';
