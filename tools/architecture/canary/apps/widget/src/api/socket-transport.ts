export const socket = {};
