/** The business days of TARGET, the payment system of the euro. Banks execute SEPA credit transfers on these days alone. */

const DAY_MS = 86_400_000;
/** New Year, Labour Day, Christmas and the day after, in every year. */
const FIXED = new Set(['01-01', '05-01', '12-25', '12-26']);
/** Good Friday and Easter Monday, in days from Easter Sunday. */
const AROUND_EASTER = [-2, 1];

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const msOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Easter Sunday of the Gregorian calendar, in milliseconds since the epoch (the algorithm of Meeus, Jones and Butcher). */
function easterOf(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return Date.UTC(year, Math.floor(f / 31) - 1, (f % 31) + 1);
}

/** @param day `2026-01-31` */
export function isTargetDay(day: string): boolean {
  const ms = msOf(day);
  const weekday = new Date(ms).getUTCDay();
  if (weekday === 0 || weekday === 6 || FIXED.has(day.slice(5))) return false;
  const easter = easterOf(Number(day.slice(0, 4)));
  return !AROUND_EASTER.some((days) => easter + days * DAY_MS === ms);
}

/** The day itself if banks work on it, or the next one on which they do. */
export function targetDayFrom(day: string): string {
  let ms = msOf(day);
  while (!isTargetDay(dayText(ms))) ms += DAY_MS;
  return dayText(ms);
}

const frankfurt = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/Berlin',
  dateStyle: 'short',
});
const frankfurtTime = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Berlin',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/**
 * The day on which a bank shall execute transfers.
 * @param now milliseconds since the epoch
 * @param plan.cutOff `15:00` of Frankfurt. Later transfers are executed on the next business day
 * @param plan.isInstant instant transfers are executed at once, on every day
 * @returns `2026-01-31`
 */
export function executionDay(now: number, plan: { readonly cutOff: string; readonly isInstant: boolean }): string {
  const today = frankfurt.format(now);
  if (plan.isInstant) return today;
  const isLate = frankfurtTime.format(now) >= plan.cutOff;
  return targetDayFrom(isLate ? dayText(msOf(today) + DAY_MS) : today);
}
