export const beta = {};
