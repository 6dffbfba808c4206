/** Where the cloud has published that data can be kept; it adds others without notice. */
export const publishedDataLocations: readonly string[] = [
  ...['APC', 'ARE', 'AUS', 'AUT', 'BRA', 'CAN', 'CHE', 'CHL', 'DEU', 'ESP', 'EUR', 'FRA', 'GBR', 'IDN', 'IND', 'ISR'],
  ...['ITA', 'JPN', 'KOR', 'MEX', 'MYS', 'NAM', 'NOR', 'NZL', 'POL', 'QAT', 'SWE', 'TWN', 'ZAF'],
];

let languages: Intl.DisplayNames | undefined;

/**
 * What is wrong with the language of a code such as `en-US`; nothing where its first part is one that ISO 639 knows. A code of another form
 * is the pattern's to refuse.
 */
export function languageMistake(value: unknown): string | undefined {
  const [, language] = /^([A-Za-z]{2,3})(?:-[A-Za-z0-9]{2,8})*$/.exec(String(value)) ?? [];
  if (language === undefined) return undefined;
  languages ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  return languages.of(language) === undefined ? `ISO 639 knows no language "${language}"` : undefined;
}
