/**
 * The first of some names, and how many there are more: a message about thousands of resources
 * stays short enough to read.
 *
 * @example listSome(['web', 'api', 'jobs'], 2) // 'web, api and 1 more'
 */
export function listSome(names: readonly string[], most = 10): string {
  const first = names.slice(0, most).join(', ');
  return names.length > most ? `${first} and ${String(names.length - most)} more` : first;
}
