/**
 * How long an answer asks to wait: `Retry-After` as seconds or as a date, `retry-after-ms` in milliseconds.
 *
 * @returns milliseconds, never negative; undefined where nothing (or nothing readable) was said.
 */
export function retryAfterMs(headers: Headers, now: Date = new Date()): number | undefined {
  const exact = headers.get('retry-after-ms') ?? headers.get('x-ms-retry-after-ms');
  if (exact !== null && /^\d+$/.test(exact)) return Number(exact);
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
