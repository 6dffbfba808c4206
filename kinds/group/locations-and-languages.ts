/** The cloud's published data locations; it adds more without notice. */
export const publishedDataLocations: readonly string[] = [
  'APC',
  'ARE',
  'AUS',
  'AUT',
  'BRA',
  'CAN',
  'CHE',
  'CHL',
  'DEU',
  'ESP',
  'EUR',
  'FRA',
  'GBR',
  'IDN',
  'IND',
  'ISR',
  'ITA',
  'JPN',
  'KOR',
  'MEX',
  'MYS',
  'NAM',
  'NOR',
  'NZL',
  'POL',
  'QAT',
  'SWE',
  'TWN',
  'ZAF',
];

let languages: Intl.DisplayNames | undefined;

/**
 * Checks the language of a code such as `en-US`: ISO 639 must have its first part. The pattern
 * checks the form.
 */
export function languageMistake(value: unknown): string | undefined {
  const [, language] = /^([A-Za-z]{2,3})(?:-[A-Za-z0-9]{2,8})*$/.exec(String(value)) ?? [];
  if (language === undefined) return undefined;
  languages ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  return languages.of(language) === undefined
    ? `ISO 639 knows no language "${language}"`
    : undefined;
}
