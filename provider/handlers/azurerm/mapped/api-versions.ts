import { mappedTypes } from '../../../schemas/azurerm/mapped-types.js';

/** The api-versions of the official provider, by resource type in lower case. */
const versions = new Map(
  Object.values(mappedTypes).flatMap(({ arm: { ids, apiVersion } }) =>
    ids.map(({ id, path = id }) => [typeOfPath(path).toLowerCase(), apiVersion] as const),
  ),
);

/** For types that no mapped type has: they are only found by their ids and names. */
const defaultApiVersion = '2023-07-01';

/** The type in a template such as `{group}/providers/Microsoft.Network/virtualNetworks/{name}`. */
function typeOfPath(template: string): string {
  const [namespace = '', ...words] = (template.split('/providers/').at(-1) ?? '').split('/');
  return [namespace, ...words.filter((_, index) => index % 2 === 0)].join('/');
}

/** The api-version of a resource type, also of one that is not a mapped type. */
export function apiVersionOf(type: string): string {
  return versions.get(type.toLowerCase()) ?? defaultApiVersion;
}
