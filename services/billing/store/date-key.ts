const pattern = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,7})\d*)?)?(Z|z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * A date (and time) as text that sorts by the instant: UTC, seven decimals as the cloud writes them.
 *
 * @param text ISO 8601, date alone or with time; without a zone it is UTC.
 * @returns undefined for anything that is no date.
 */
export function dateKey(text: string): string | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const zulu = zone.toUpperCase() === 'Z' ? 'Z' : zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  const instant = new Date(`${year ?? ''}-${month ?? ''}-${day ?? ''}T${hour}:${minute}:${second}${zulu}`);
  if (Number.isNaN(instant.getTime())) return undefined;
  // February 30 would silently become March 2.
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day)) return undefined;
  return `${instant.toISOString().slice(0, 19)}.${fraction.padEnd(7, '0')}`;
}

/** The usual spelling of a key: no more decimals than needed, and `Z`. */
export function dateText(key: string): string {
  const [seconds = '', decimals = ''] = key.split('.');
  const fraction = decimals.replace(/0+$/, '');
  return fraction === '' ? `${seconds}Z` : `${seconds}.${fraction}Z`;
}
