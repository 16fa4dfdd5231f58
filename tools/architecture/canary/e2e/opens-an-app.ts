// breaks: journeys-use-the-front-door
export { app } from '../apps/server/src/app.ts';
