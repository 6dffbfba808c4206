// The inputs of the benchmarks: the same bytes on every machine.
import { closeSync, mkdirSync, openSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The lines of a group in castellan.yaml. */
const groupLines = (name) => [
  `  ${name}:`,
  '    kind: security',
  `    displayName: ${name}`,
  `    description: The group ${name}`,
  `    mailNickname: ${name}`,
  '    owners: [ada, grace]',
  '    members: [ada]',
];

/** The lines of the principals that groups refer to. */
export const principals = [
  'principals:',
  '  ada: { user: ada@contoso.example }',
  '  grace: { user: grace@contoso.example }',
];

/** A castellan.yaml with a number of groups: 6 groups are 50 lines, 6,400 are 1 MB. */
export function configuration(stack, count) {
  const names = Array.from({ length: count }, (_, index) => `group-${index}`);
  return `${['version: 1', `stack: ${stack}`, ...principals, 'groups:', ...names.flatMap(groupLines)].join('\n')}\n`;
}

/** Writes a castellan.yaml with a number of groups; returns its folder. */
export function writeConfiguration(folder, stack, count) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'castellan.yaml'), configuration(stack, count));
  return folder;
}

const idOf = (index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/**
 * The change of a planned group, by the kind of plan: all values known; owners and members unknown,
 * since the same plan creates them; or with five errors.
 */
const groupChanges = {
  known: (index) => ({
    before: null,
    after: groupOf(index),
    after_unknown: { id: true, owners: [false, false], members: [false] },
  }),
  unknown: (index) => ({
    before: null,
    after: { ...groupOf(index), owners: [null, null], members: [null, null, null] },
    after_unknown: {
      id: true,
      object_id: true,
      mail: true,
      proxy_addresses: true,
      owners: [true, true],
      members: [true, true, true],
    },
  }),
  wrong: (index) => ({
    before: null,
    after: {
      ...groupOf(index),
      display_name: '',
      mail_nickname: `not @ ${index}`,
      visibility: 'Nowhere',
      theme: 'Mauve',
      owners: ['x'],
    },
    after_unknown: { id: true },
  }),
};

/** A container app as the official provider plans to create it. */
function plannedApp(index) {
  const env = Array.from({ length: 8 }, (_, each) => ({
    name: `SETTING_${each}`,
    value: `value ${each}`,
    secret_name: '',
  }));
  const container = {
    name: 'main',
    image: 'ghcr.io/contoso/app:1.0.0',
    cpu: 0.5,
    memory: '1Gi',
    args: null,
    command: null,
    env,
  };
  const traffic = [{ latest_revision: true, percentage: 100 }];
  const after = {
    name: `app-${index}`,
    resource_group_name: 'apps',
    revision_mode: 'Single',
    ingress: [{ external_enabled: false, target_port: 8080, traffic_weight: traffic }],
    template: [{ min_replicas: 1, max_replicas: 3, container: [container] }],
    secret: [],
    registry: [],
  };
  return { before: null, after, after_unknown: { id: true, latest_revision_fqdn: true } };
}

/** The official provider's plan of a group without mistakes. */
export function groupOf(index) {
  return {
    display_name: `Group ${index}`,
    description: 'x'.repeat(400),
    mail_nickname: `group-${index}`,
    security_enabled: true,
    mail_enabled: false,
    types: [],
    owners: [idOf(1), idOf(2)],
    members: [idOf(index)],
  };
}

/**
 * A plan that creates the given number of groups, or of apps (`kind: 'app'`), or as many as fill
 * the given size.
 */
export function writePlan(file, kind, { count = Infinity, bytes = Infinity }) {
  const [type, changeOf] =
    kind === 'app' ? ['azurerm_container_app', plannedApp] : ['azuread_group', groupChanges[kind]];
  return writeChanges(file, namedChanges(changeOf, count), { type, bytes });
}

function* namedChanges(changeOf, count) {
  for (let index = 0; index < count; index++) yield [`resource-${index}`, changeOf(index)];
}

/** A plan that creates resources of a type with these names. */
export function writeChanges(file, resources, { type = 'azuread_group', bytes = Infinity } = {}) {
  const handle = openSync(file, 'w');
  let size = writeSync(handle, '{"format_version":"1.2","resource_changes":[');
  let separator = '';
  for (const [name, change] of resources) {
    if (size >= bytes) break;
    const resource = {
      address: `${type}.${name}`,
      mode: 'managed',
      type,
      name,
      provider_name: type.split('_')[0],
      change: { actions: ['create'], ...change },
    };
    size += writeSync(handle, `${separator}${JSON.stringify(resource)}`);
    separator = ',';
  }
  writeSync(handle, ']}');
  closeSync(handle);
  return file;
}

/** A plain cdktf app with groups, in the layout of `cdktf init`. */
export function writeCdktfApp(folder, root, count) {
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'cdktf.json'),
    JSON.stringify({ language: 'typescript', app: 'npx ts-node main.ts', projectId: 'bench' }),
  );
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { target: 'ES2022', module: 'CommonJS', strict: true, skipLibCheck: true },
    }),
  );
  writeFileSync(
    join(folder, 'main.ts'),
    `import { App, TerraformStack } from 'cdktf';
import { Group } from '@cdktf/provider-azuread/lib/group';
import { AzureadProvider } from '@cdktf/provider-azuread/lib/provider';
const app = new App();
const stack = new TerraformStack(app, 'groups');
new AzureadProvider(stack, 'azuread', {});
for (let index = 0; index < ${count}; index++) new Group(stack, \`group-\${index}\`, { displayName: \`group-\${index}\`, securityEnabled: true });
app.synth();
`,
  );
  return folder;
}
