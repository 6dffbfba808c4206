import { seedSchema } from '../sandbox/serve/seed-properties.js';

interface Property {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Property;
  readonly description?: string;
}
/** The schema of a list of a seed. */
interface ListSchema {
  readonly items: {
    readonly properties: Readonly<Record<string, Property>>;
    readonly required: readonly string[];
    readonly additionalProperties: boolean;
  };
}

const introduction = `# Seeds

A seed says what exists in a sandbox, or in the services of \`castellan serve --seed FILE\`, from the start: people above all. \`castellan up\`
takes the file that \`sandbox.seed\` names in castellan.yaml, else \`seed.yaml\` beside it, and applies it each time: what exists stays.

\`\`\`yaml
# yaml-language-server: $schema=castellan-seed.schema.json
users:
  - { userPrincipalName: ada@contoso.example, displayName: Ada Lovelace, department: Retail }
\`\`\`

* \`castellan schema seed -o castellan-seed.schema.json\` writes the schema for editors. This page is written from it.
* \`castellan sandbox seed FILE\` adds another seed to a sandbox, \`castellan sandbox seed --person ada@contoso.example\` a
  person (\`--person\` may be repeated).
* Names of properties are those of the API, in the dialect that is served: the sandbox's is the cloud's.
* A list or property that doesn't exist is refused with its line and the name that was probably meant. Users, groups and other
  objects of the directory may have properties of your own.
* An object without \`id\` gets one. Members and owners are ids or user principal names.
`;

/** An example of each list; together they are a valid seed. */
export const seedExamples: Readonly<Record<string, string>> = {
  snapshot: 'snapshot:\n  - { people: named }',
  users:
    'users:\n  - { userPrincipalName: ada@contoso.example, displayName: Ada Lovelace, department: Retail }',
  devices: 'devices:\n  - { displayName: till-1, accountEnabled: true }',
  servicePrincipals:
    'servicePrincipals:\n  - { appId: 6f1d2c3b-1111-4222-8333-444455556666, displayName: robot }',
  applications: 'applications:\n  - { displayName: Shop sign-in }',
  directoryRoles:
    'directoryRoles:\n  - { roleTemplateId: 62e90394-69f5-4237-9190-012177145e10, members: [ada@contoso.example] }',
  contacts: 'contacts:\n  - { displayName: Our supplier, mail: supplier@fabrikam.example }',
  groups:
    'groups:\n  - { displayName: Shoppers, mailNickname: shoppers, securityEnabled: true, mailEnabled: false, owners: [ada@contoso.example] }',
  capacities:
    'capacities:\n  - { id: 11111111-2222-4333-8444-555555555555, displayName: small, sku: F2, region: West Europe, state: Active }',
  workspaces:
    'workspaces:\n  - { id: 22222222-2222-4333-8444-555555555555, displayName: Telemetry, capacityId: 11111111-2222-4333-8444-555555555555 }',
  sensitivityLabels:
    'sensitivityLabels:\n  - { id: 33333333-2222-4333-8444-555555555555, displayName: Confidential }',
  tags: 'tags:\n  - { id: 44444444-2222-4333-8444-555555555555, displayName: finance }',
  billing:
    "billing:\n  - { billingAccount: '1234', invoice: G000000001, generate: { count: 300, seed: 1 } }",
};

/** The reference page of seed files, from their schema. */
export function seedReference(): string {
  const { properties } = seedSchema() as {
    readonly properties: Readonly<Record<string, ListSchema>>;
  };
  const lists = Object.entries(properties).map(([name, { items }]) => {
    const rows = Object.entries(items.properties).map(([key, each]) => {
      const required = items.required.includes(key) ? '**required**' : '';
      return `| \`${key}\` | ${typeText(each)} | ${[required, each.description ?? ''].filter(Boolean).join(' ')} |`;
    });
    const otherPropertiesNote = items.additionalProperties
      ? '\nOther properties are kept as they are.\n'
      : '';
    return `## \`${name}\`\n\n\`\`\`yaml\n${seedExamples[name] ?? ''}\n\`\`\`\n\n| property | value | |\n|---|---|---|\n${rows.join('\n')}\n${otherPropertiesNote}`;
  });
  return `${introduction}\n${lists.join('\n')}`;
}

/** The type of a property in words: `list of strings`, `GUID`. */
function typeText({ type, format, enum: values, items }: Property): string {
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(', ');
  const [firstType] = [type ?? 'any'].flat();
  if (firstType === 'array') return items === undefined ? 'list' : `list of ${typeText(items)}s`;
  return format === undefined
    ? String(firstType)
    : ({ uuid: 'GUID', 'date-time': 'time, ISO 8601' }[format] ?? format);
}
