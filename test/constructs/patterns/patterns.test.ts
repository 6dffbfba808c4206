import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CastellanStack, User } from '../../../constructs/index.js';
import { EventPipeline, SignedInApp, TeamSpace } from '../../../constructs/patterns/index.js';
import { checkTree } from '../../../constructs/stack/check-tree.js';
import { synthesized } from '../support/synthesized.js';

const ownersIn = (stack: CastellanStack) =>
  ['ada', 'grace'].map((name) => User.fromPrincipalName(stack, name, `${name}@contoso.example`));
const capacityId = '0b9d0c1e-0000-4222-8333-444455556666';

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

  it('are each shorter than 80 lines', () => {
    const folder = join(__dirname, '../../../constructs/patterns');
    for (const file of readdirSync(folder))
      expect(readFileSync(join(folder, file), 'utf8').split('\n').length).toBeLessThan(80);
  });
});
