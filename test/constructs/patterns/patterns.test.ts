import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AzureadProvider } from '@cdktf/provider-azuread/lib/provider';
import {
  type CastellanStack,
  FabricProvider,
  type MetaArguments,
  SecurityGroup,
  User,
} from '../../../constructs/index.js';
import { TerraformIterator } from '../../../constructs/internal/cdktf.js';
import { EventPipeline, SignedInApp, TeamSpace } from '../../../constructs/patterns/index.js';
import { checkTree } from '../../../constructs/stack/check-tree.js';
import { synthesized, type TerraformJson } from '../support/synthesized.js';

const ownersIn = (stack: CastellanStack) =>
  ['ada', 'grace'].map((name) => User.fromPrincipalName(stack, name, `${name}@contoso.example`));
const capacityId = '0b9d0c1e-0000-4222-8333-444455556666';

type PatternMeta = Omit<MetaArguments, 'movedFrom'> & { readonly movedFrom?: string };

const synthesizePatterns = () => {
  let findings: readonly string[] = [];
  const json = synthesized((stack) => {
    const owners = ownersIn(stack);
    const team = new TeamSpace(stack, 'analysts', { displayName: 'Analysts', owners, capacityId });
    new EventPipeline(stack, 'orders', {
      workspace: team.workspace,
      displayName: 'orders',
      sources: [
        { name: 'web', type: 'CustomEndpoint' },
        { name: 'tills', type: 'CustomEndpoint' },
      ],
    });
    const app = new SignedInApp(stack, 'shop', {
      displayName: 'Shop',
      image: 'ghcr.io/contoso/shop:1.4.2',
      targetPort: 8080,
      owners,
      users: owners,
    });
    app.grantAccess(team.members);
    findings = checkTree(stack).flatMap(({ verdict, severity, message }) =>
      verdict === 'fail' && severity !== 'info' ? [message] : [],
    );
  });
  return { ...json, findings };
};

describe('the patterns', () => {
  it('break no rule', () => {
    expect(synthesizePatterns().findings).toEqual([]);
  });

  it('make an app with its group and registration (SignedInApp)', () => {
    const { resource } = synthesizePatterns();
    const app = Object.values(resource['azurerm_container_app'] ?? {})[0];
    expect(app).toMatchObject({
      name: 'shop-app',
      ingress: { external_enabled: true, target_port: 8080 },
    });
    expect(Object.values(resource['azuread_group'] ?? {})).toContainEqual(
      expect.objectContaining({ display_name: 'Shop users', mail_nickname: 'shop-users' }),
    );
    const [, groups = ''] =
      /"allowedPrincipals":\{"groups":\[([^\]]+)\]/.exec(
        JSON.stringify(resource['azapi_resource']),
      ) ?? [];
    expect(groups.match(/azuread_group\.[\w-]+/g)).toHaveLength(2);
    expect(Object.values(resource['azuread_application_redirect_uris'] ?? {})).toHaveLength(1);
  });

  it('make a workspace with groups that change and read it (TeamSpace)', () => {
    const roles = Object.values(
      synthesizePatterns().resource['fabric_workspace_role_assignment'] ?? {},
    );
    expect(roles.map(({ role }) => role).sort()).toEqual(['Contributor', 'Viewer']);
  });

  it('make a pipeline (EventPipeline) whose sources all write into its eventhouse', () => {
    const text = JSON.stringify(synthesizePatterns().resource['fabric_eventstream']);
    expect(text).toMatch(/inputNodes\W+ = \[\{\W+name\W+ = \W+web\W+\}, \{\W+name\W+ = \W+tills/);
    expect(text).toContain('fabric_eventhouse.');
  });

  /** Everything that the patterns make in a scope, with their meta-arguments. */
  const synthesizeAll = (id: string, metaOf: (stack: CastellanStack) => PatternMeta = () => ({})) =>
    synthesized((stack) => {
      const owners = ownersIn(stack);
      const meta = metaOf(stack);
      const movedFrom = (part: string) =>
        meta.movedFrom === undefined ? {} : { movedFrom: `${meta.movedFrom}-${part}` };
      const team = { displayName: 'Analysts', owners, capacityId, ...meta };
      const { workspace } = new TeamSpace(stack, `${id}-team`, { ...team, ...movedFrom('team') });
      const pipeline = { workspace, displayName: 'orders', ...meta };
      new EventPipeline(stack, `${id}-events`, { ...pipeline, ...movedFrom('events') });
      const app = { displayName: 'Shop', image: 'a:1', targetPort: 80, owners, ...meta };
      new SignedInApp(stack, `${id}-app`, { ...app, ...movedFrom('app') });
    }) as TerraformJson & { readonly moved?: readonly { from: string; to: string }[] };
  const addressesIn = ({ resource }: TerraformJson) =>
    Object.entries(resource).flatMap(([type, named]) =>
      Object.keys(named).map((name) => `${type}.${name}`),
    );

  it('keep their resources when they are renamed', () => {
    const before = synthesizeAll('old');
    const after = synthesizeAll('new', () => ({ movedFrom: 'old' }));
    const currentAddress = (address: string) =>
      after.moved?.find(({ from }) => from === address)?.to ?? address;
    expect(addressesIn(before).map(currentAddress).sort()).toEqual(addressesIn(after).sort());
    expect(Object.values(after.resource['azurerm_container_app'] ?? {})).toMatchObject([
      { name: 'old-app-app' },
    ]);
  });

  it('pass on the provider of a tenant, what they depend on, and what they are made for', () => {
    const { resource } = synthesizeAll('all', (stack) => ({
      provider: [
        new AzureadProvider(stack, 'partner', { alias: 'partner' }),
        new FabricProvider(stack, 'fabric-partner', { alias: 'partner' }),
      ],
      dependsOn: [new SecurityGroup(stack, 'first', { displayName: 'F', description: 'F' })],
    }));
    for (const [type, named] of Object.entries(resource))
      for (const [name, attributes] of Object.entries(named)) {
        if (name === 'first' || /environment|resource_group/.test(type)) continue;
        const provider = /^(azuread|fabric)_/.exec(type)?.[1];
        expect([name, attributes]).toMatchObject([name, { depends_on: ['azuread_group.first'] }]);
        if (provider !== undefined) expect(attributes['provider']).toBe(`${provider}.partner`);
      }
  });

  it('are made once for each entry', () => {
    const { resource } = synthesized((stack) => {
      const forEach = TerraformIterator.fromList(['red', 'green']);
      const owners = ownersIn(stack);
      const name = forEach.value as string;
      new SignedInApp(stack, 'shop', {
        displayName: name,
        name,
        image: 'a:1',
        targetPort: 80,
        owners,
        forEach,
        lifecycle: { preventDestroy: true },
      });
    });
    for (const type of ['azuread_group', 'azuread_application', 'azurerm_container_app'])
      expect(Object.values(resource[type] ?? {})).toMatchObject([
        { for_each: '${toset(["red", "green"])}' },
      ]);
    expect(Object.values(resource['azurerm_container_app'] ?? {})).toMatchObject([
      { lifecycle: { prevent_destroy: true } },
    ]);
    expect(Object.values(resource['azuread_group'] ?? {})[0]).not.toHaveProperty('lifecycle');
  });

  it('are each shorter than 80 lines', () => {
    const folder = join(__dirname, '../../../constructs/patterns');
    for (const file of readdirSync(folder))
      expect(readFileSync(join(folder, file), 'utf8').split('\n').length).toBeLessThan(80);
  });
});
