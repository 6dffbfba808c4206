import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json';
import { root } from '../support/cli.js';
import { compileProject } from '../support/compile-project.js';
import { folderWithCastellan } from '../support/installed-package.js';

const entries = Object.keys(packageJson.exports)
  .filter((path) => path !== './package.json' && !path.includes('*'))
  .map((path) => `import '${path.replace(/^\./, 'castellan')}';`);

const program = `${entries.join('\n')}
import { App, CastellanStack, ContainerApp, type ContainerAppProps, Eventhouse, Eventstream, type IEventhouse, type IRegistration, SecurityGroup, Workspace } from 'castellan/constructs';
import { Group as AzureadGroup } from '@cdktf/provider-azuread/lib/group';
import { FabricFolder } from 'castellan/lib/fabric/folder';
import { FabricProvider } from 'castellan/lib/fabric/provider';
import { synthesizeConfig } from 'castellan/stacks';
import { EventPipeline, SignedInApp, TeamSpace } from 'castellan/patterns';
import { FabricWorkspace } from 'castellan/lib/fabric/workspace';

export class Shop extends CastellanStack {
  readonly group = new SecurityGroup(this, 'admins', { displayName: 'Admins' });
  readonly other = new SecurityGroup(this, 'other', {
    displayName: 'Other',
    description: process.env['DESCRIPTION'],
    owners: undefined,
  });
  readonly app = new ContainerApp(this, 'web', {
    image: 'a:1',
    targetPort: undefined,
    replicas: { min: undefined },
    auth: undefined,
  });
  readonly workspace = new Workspace(this, 'space', { displayName: 'Space' });
  constructor(app: App) {
    super(app, 'shop', { azure: { location: 'westeurope', tenantId: process.env['TENANT_ID'] } });
  }
}
export const group = (shop: Shop) => shop.group.resource;
export const workspace = (shop: Shop) => shop.workspace.resource;
export const space: FabricWorkspace = workspace({} as Shop);
export const url: string = space.onelakeEndpoints.blobEndpoint;
export function declare(shop: Shop) {
  space.description = undefined;
  // @ts-expect-error -- a description is text
  space.description = 1;
  // @ts-expect-error -- a folder needs a name
  new FabricFolder(shop, 'nameless', { workspaceId: space.id });
  const provider = new FabricProvider(shop, 'other', { alias: 'other', useCli: true });
  return new FabricFolder(shop, 'folder', { displayName: 'A', workspaceId: space.id, provider });
}
export const signIn = (group: AzureadGroup, registration: IRegistration): ContainerAppProps => ({
  image: 'a:1',
  auth: { providers: { directory: { registration, allowedGroups: [group] } } },
});
export const eventhouse = (each: Eventhouse) => each.resource;
export function teamSpace(shop: Shop): EventPipeline {
  const owners = [shop.group, '11111111-1111-4222-8333-444455556666'];
  const team = new TeamSpace(shop, 'team', { displayName: 'Team', owners: [], readers: [shop.group], capacityId: process.env['CAPACITY'] });
  new SignedInApp(shop, 'shop', { displayName: 'Shop', image: 'a:1', targetPort: 80, owners: [], users: owners }).grantAccess(team.members);
  return new EventPipeline(shop, 'orders', { workspace: team.workspace, displayName: 'orders', retentionTimeInDays: undefined });
}
export const flow = (stream: Eventstream, eventhouse: IEventhouse) =>
  stream.addSource({ name: 'in', type: 'CustomEndpoint' }).to({ name: 'store', type: 'Eventhouse', eventhouse });
export const synthesize = () => synthesizeConfig({ paths: [__dirname] });
export const parts = (app: ContainerApp) => ({ ...app });
`;

/** What tsc prints about the program in a folder with the package. */
function compile(
  project: string,
  compiler: string,
  module: string,
  moduleResolution: string,
): Promise<string> {
  const settings = {
    module,
    moduleResolution,
    target: 'es2022',
    lib: ['es2023'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    esModuleInterop: true,
    skipLibCheck: false,
    declaration: true,
    outDir: 'out',
    typeRoots: [join(root, 'node_modules/@types')],
  };
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: settings, files: ['main.ts'] }),
  );
  return compileProject(project, compiler);
}

test.each([
  ['typescript-native', 'nodenext', 'nodenext'], // TypeScript 7, which has no node10
  ['typescript', 'commonjs', 'node10'],
])(
  'the types of the packed package are checked without skipLibCheck: %s, %s, %s',
  async (compiler, module, resolution) => {
    const project = join(await folderWithCastellan(), 'projects', `types-${resolution}`);
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, 'main.ts'), program);
    expect(await compile(project, compiler, module, resolution)).toBe('');
  },
);
