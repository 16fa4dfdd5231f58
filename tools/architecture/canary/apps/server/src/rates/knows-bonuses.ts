// breaks: server-folders-one-way
export { bonuses } from '../bonuses/bonuses.ts';
