/**
 * The first of some names, and how many there are more: a message about thousands of resources
 * stays short enough to read.
 *
 * @example abbreviateList(['web', 'api', 'jobs'], 2) // 'web, api and 1 more'
 */
export function abbreviateList(names: readonly string[], limit = 10): string {
  const first = names.slice(0, limit).join(', ');
  return names.length > limit ? `${first} and ${String(names.length - limit)} more` : first;
}
