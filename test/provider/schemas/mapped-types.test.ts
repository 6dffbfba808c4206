import { readFileSync } from 'node:fs';
import { mappedDataSources, mappedTypes } from '../../../provider/schemas/azurerm/mapped-types.js';
import { schema } from '../../../provider/schemas/azurerm/index.js';
import type { BlockSchema } from '../../../provider/schemas/schema.js';

/** The names at the top of a binding, and those anywhere in its blocks. */
function namesOf(type: string): { readonly top: Set<string>; readonly inner: Set<string> } {
  const folder = type.replace(/^azurerm_/, '').replaceAll('_', '-');
  const code = readFileSync(
    require.resolve(`@cdktf/provider-azurerm/lib/${folder}/index.js`),
    'utf8',
  );
  const written = /synthesizeAttributes\(\) \{\s+return \{([^]*?)\n {8}\};/.exec(code)?.[1] ?? '';
  const computed = /class \w+ extends cdktf\.Terraform(?:Resource|DataSource) \{[^]*/.exec(code);
  const top = [
    ...written.matchAll(/^ {12}(\w+): /gm),
    ...(computed?.[0] ?? '').matchAll(/\/\/ (\w+) - computed: true, optional: false/g),
  ];
  const blocks = code.slice(0, computed?.index).matchAll(/^ {8}(\w+): \{$/gm);
  return {
    top: new Set(top.map(([, name = '']) => name)),
    inner: new Set([...blocks].map(([, name = '']) => name)),
  };
}

function innerNames({ blocks = {} }: BlockSchema): string[] {
  return Object.values(blocks).flatMap((block) => [
    ...Object.entries(block.attributes)
      .filter(([, { computed, optional }]) => computed !== true || optional === true)
      .map(([name]) => name),
    ...Object.keys(block.blocks ?? {}),
    ...innerNames(block),
  ]);
}

test.each(Object.keys(mappedTypes))('%s has the arguments of its binding', (type) => {
  const { top, inner } = namesOf(type);
  const body = schema.resources[type] as BlockSchema;
  const schemaNames = [...Object.keys(body.attributes), ...Object.keys(body.blocks ?? {})];
  expect(schemaNames.sort()).toEqual([...top].sort());
  expect([...new Set(innerNames(body))].sort()).toEqual([...inner].sort());
});

test.each(Object.keys(mappedDataSources))('data.%s has the attributes of its binding', (type) => {
  const { top } = namesOf(`data_${type}`);
  const body = schema.dataSources[type] as BlockSchema;
  const schemaNames = [...Object.keys(body.attributes), ...Object.keys(body.blocks ?? {})];
  expect(schemaNames.sort()).toEqual([...top].sort());
});

test.each([
  ['azurerm_network_security_group', 'security_rule', 'access,direction,name,priority,protocol'],
  ['azurerm_route_table', 'route', 'address_prefix,name,next_hop_type'],
  ['azurerm_virtual_network', 'subnet', 'address_prefixes,name'],
])('%s requires what names and makes a %s', (type, name, required) => {
  const { attributes = {} } = schema.resources[type]?.blocks?.[name] ?? {};
  const requiredEntries = Object.entries(attributes).filter(([, each]) => each.required === true);
  expect(requiredEntries.map(([each]) => each).sort()).toEqual(required.split(','));
});

test('refuses an attribute that the sandbox cannot keep, and accepts the rest', () => {
  const [rule] = schema.resources['azurerm_storage_account']?.configValidators ?? [];
  expect([...(rule?.({ name: 'a', static_website: [] }) ?? [])]).toEqual([]);
  expect([...(rule?.({ name: 'a', static_website: [{}] }) ?? [])]).toMatchObject([
    { severity: 'error', path: ['static_website'] },
  ]);
});
