import { servedTypes } from '../provider/providers.js';

/** The file of constructs that has the types which the sandbox's providers serve. */
export async function servedTypesFile(): Promise<string> {
  const types = (await servedTypes()).flatMap(({ resources, dataSources }) => [
    ...resources,
    ...dataSources.map((type) => `data.${type}`),
  ]);
  return [
    '/** The types that the providers of the sandbox serve, those of data sources as `data.TYPE`. */',
    `export const servedTypes: ReadonlySet<string> = new Set(${JSON.stringify(types)});`,
    '',
  ].join('\n');
}
