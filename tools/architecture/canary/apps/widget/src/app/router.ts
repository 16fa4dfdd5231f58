export const router = {};
