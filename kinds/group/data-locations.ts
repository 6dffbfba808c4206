/** Where the cloud has published that data can be kept; it adds others without notice. */
export const publishedDataLocations: readonly string[] = [
  ...['APC', 'ARE', 'AUS', 'AUT', 'BRA', 'CAN', 'CHE', 'CHL', 'DEU', 'ESP', 'EUR', 'FRA', 'GBR', 'IDN', 'IND', 'ISR'],
  ...['ITA', 'JPN', 'KOR', 'MEX', 'MYS', 'NAM', 'NOR', 'NZL', 'POL', 'QAT', 'SWE', 'TWN', 'ZAF'],
];
