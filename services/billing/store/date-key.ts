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
  // UTC, as nearly all are: nothing to convert.
  if (zulu === 'Z') {
    if (!isDate(Number(year), Number(month), Number(day)) || hour > '23' || minute > '59' || second > '59') return undefined;
    return `${year ?? ''}-${month ?? ''}-${day ?? ''}T${hour}:${minute}:${second}.${fraction.padEnd(7, '0')}`;
  }
  const instant = new Date(`${year ?? ''}-${month ?? ''}-${day ?? ''}T${hour}:${minute}:${second}${zulu}`);
  if (Number.isNaN(instant.getTime())) return undefined;
  // February 30 would silently become March 2.
  if (!isDate(Number(year), Number(month), Number(day))) return undefined;
  return `${instant.toISOString().slice(0, 19)}.${fraction.padEnd(7, '0')}`;
}

function isDate(year: number, month: number, day: number): boolean {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return month >= 1 && month <= 12 && day >= 1 && day <= days;
}
