import { schema as azureadSchema } from '../../../provider/schemas/azuread/index.js';
import { schema as azapiSchema } from '../../../provider/schemas/azapi/index.js';
import { schema as azurermSchema } from '../../../provider/schemas/azurerm/index.js';
import { schema as castellanSchema } from '../../../provider/schemas/castellan/index.js';
import { schema as fabricSchema } from '../../../provider/schemas/fabric/index.js';
import * as azurerm from '../../../provider/schemas/azurerm/named-checks.js';
import * as azuread from '../../../provider/schemas/azuread/named-checks.js';
import { eventhouse } from '../../../kinds/eventhouse/eventhouse.js';
import { describedCheck } from '../../../provider/schemas/described-schema.js';
import type { BlockSchema, Check, ProviderSchema } from '../../../provider/schemas/schema.js';
import { loadProvider } from '../../../provider/providers.js';
import type { ProviderName } from '../../../provider/index.js';

const accepts = (check: Check, value: string | number): boolean => check(value, 'it') === undefined;

describe('names that the official providers accept', () => {
  test.each<[string, Check, readonly (string | number)[], readonly (string | number)[]]>([
    [
      'container app',
      azurerm.containerAppName,
      ['a', '1app', 'a.b', 'ab_', 'a'.repeat(32)],
      ['App', 'app-', 'app.', 'a_b', 'a--b', 'a'.repeat(33)],
    ],
    ['container', azurerm.containerName, ['c', 'a.b-c'], ['C', '', 'a'.repeat(47)]],
    ['secret', azurerm.secretName, ['s', 'a-b'], ['S', 's_1', 's.1', '-s', 's-']],
    [
      'environment',
      azurerm.environmentName,
      ['en', 'E-1', 'e'.repeat(60)],
      ['e', '-e', 'e-', 'e_1', 'e'.repeat(61)],
    ],
    ['log workspace', azurerm.workspaceName, ['logs', 'l-1x'], ['log', 'logs-', 'l_gs']],
    ['resource group', azurerm.resourceGroupName, ['rg', 'r.g(1)'], ['rg.', '', 'r/g']],
    [
      'mail nickname',
      azuread.mailNickname,
      ['', 'ä', "a/b'c!", 'a'.repeat(70)],
      ['a b', 'a@b', 'a;b', 'a,b', 'a<b'],
    ],
    [
      'web redirect URI',
      azuread.webRedirectUri,
      ['https://h/', 'http://any/x', 'https://h/a*#f', 'urn:a:b:c'],
      ['https://h', 'ftp://h/', 'https:///x', `https://h/${'a'.repeat(256)}`],
    ],
    ['single-page redirect URI', azuread.spaRedirectUri, ['https://h/'], ['urn:a:b:c']],
    [
      'consumption units',
      describedCheck(eventhouse.properties.minimumConsumptionUnits),
      [0, 2.25, 4.25, 8.5, 13, 18, 26, 34, 50, 51, 51.5, 322],
      [1, 50.5, 323, -1],
    ],
  ])('%s', (_, check, good, bad) => {
    expect(good.filter((each) => !accepts(check, each))).toEqual([]);
    expect(bad.filter((each) => accepts(check, each))).toEqual([]);
  });
});

describe.each<[string, ProviderSchema]>([
  ['azurerm', azurermSchema],
  ['azuread', azureadSchema],
  ['azapi', azapiSchema],
  ['fabric', fabricSchema],
  ['castellan', castellanSchema],
])('the schemas of %s', (name, schema) => {
  const bodies = [...Object.values(schema.resources), ...Object.values(schema.dataSources)];

  test('have a handler for each type, and no handler without a type', async () => {
    const provider = await loadProvider(name as ProviderName, () =>
      Promise.reject(new Error('not connected')),
    );
    expect(Object.keys(provider.resources).sort()).toEqual(Object.keys(schema.resources).sort());
    expect(Object.keys(provider.dataSources).sort()).toEqual(
      Object.keys(schema.dataSources).sort(),
    );
  });

  test('mark who sets each attribute, and refer only to existing attributes', () => {
    const problems: string[] = [];
    const walk = (body: BlockSchema, path: string): void => {
      const names = new Set([...Object.keys(body.attributes), ...Object.keys(body.blocks ?? {})]);
      for (const [key, attribute] of Object.entries(body.attributes)) {
        const modes = [attribute.required, attribute.optional || attribute.computed].filter(
          (each) => each === true,
        ).length;
        if (modes !== 1) problems.push(`${path}.${key}: ${modes} modes`);
        const others = [
          attribute.conflictsWith,
          attribute.exactlyOneOf,
          attribute.atLeastOneOf,
          attribute.requiredWith,
        ].flatMap((each) => each ?? []);
        for (const other of others)
          if (!names.has(other)) problems.push(`${path}.${key}: ${other} is not there`);
        if (attribute.nested !== undefined) walk(attribute.nested, `${path}.${key}`);
      }
      for (const [key, block] of Object.entries(body.blocks ?? {})) walk(block, `${path}.${key}`);
    };
    for (const [index, each] of bodies.entries()) walk(each, `${name}[${index}]`);
    expect(problems).toEqual([]);
  });
});
