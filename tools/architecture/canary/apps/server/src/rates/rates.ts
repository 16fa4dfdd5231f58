export const rates = {};
