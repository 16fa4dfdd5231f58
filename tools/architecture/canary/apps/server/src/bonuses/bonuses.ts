export const bonuses = {};
