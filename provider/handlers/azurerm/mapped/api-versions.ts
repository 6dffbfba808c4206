import { mappedTypes } from '../../../schemas/azurerm/mapped-types.js';

/** The api-versions of the official provider, by resource type in lower case. */
const versions = new Map(
  Object.values(mappedTypes).flatMap(({ arm: { ids, apiVersion } }) =>
    ids.map(({ id, path = id }) => [typeOfPath(path).toLowerCase(), apiVersion] as const),
  ),
);

/** For the other types, of which resources are only looked up by id or name. */
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
