export const stripe = {};
