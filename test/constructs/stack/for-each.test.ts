import { Group as AzureadGroup } from '@cdktf/provider-azuread/lib/group';
import {
  App,
  CastellanStack,
  checkTree,
  ContainerApp,
  ContainerAppEnvironment,
  Eventhouse,
  Registration,
  SecurityGroup,
  UnifiedGroup,
  User,
  Workspace,
} from '../../../constructs/index.js';
import {
  Fn,
  TerraformIterator,
  TerraformLocal,
  TerraformOutput,
} from '../../../constructs/internal/cdktf.js';
import { synthesized, westEurope } from '../support/synthesized.js';

const [ada, grace] = [
  '11111111-1111-4222-8333-444455556666',
  '21111111-1111-4222-8333-444455556666',
];
const owners = [ada, grace];
const web = { image: 'nginx:1.27', targetPort: 80 } as const;
type ListIterator = ReturnType<typeof TerraformIterator.fromList>;

/** The errors in the tree of a stack. */
const errorsOf = (declare: (stack: CastellanStack, each: ListIterator) => void) => {
  const stack = new CastellanStack(new App(), 'shop', westEurope);
  declare(stack, TerraformIterator.fromList(['red', 'blue']));
  return checkTree(stack)
    .filter(({ verdict, severity }) => verdict === 'fail' && severity === 'error')
    .map(({ ruleId, message, constructPath }) => ({ ruleId, message, constructPath }));
};

describe('a construct with forEach', () => {
  it('may be used by constructs with the same forEach, of every kind', () => {
    expect(
      errorsOf((stack, forEach) => {
        const name = forEach.value as string;
        const user = User.fromPrincipalName(stack, 'u', `${name}@contoso.example`, { forEach });
        const group = new UnifiedGroup(stack, 'g', {
          displayName: name,
          mailNickname: name,
          owners: [user, ada],
          forEach,
        });
        const registration = new Registration(stack, 'r', { displayName: name, owners, forEach });
        const environment = new ContainerAppEnvironment(stack, 'e', { name, forEach });
        const auth = { providers: { directory: { registration, allowedGroups: [group] } } };
        const app = new ContainerApp(stack, 'a', { ...web, name, environment, auth, forEach });
        app.addCustomDomain(`${name}.contoso.example`);
        const workspace = new Workspace(stack, 'w', {
          displayName: name,
          capacityId: ada,
          roles: [{ principal: group, role: 'Viewer' }],
          forEach,
        });
        new Eventhouse(stack, 'h', { displayName: 'same', workspace, forEach });
      }),
    ).toEqual([]);
  });

  it('cannot be used by a construct without forEach, which has no entry', () => {
    expect(
      errorsOf((stack, forEach) => {
        const team = new SecurityGroup(stack, 'team', {
          displayName: forEach.value as string,
          owners,
          forEach,
        });
        new SecurityGroup(stack, 'all', { displayName: 'All', owners, members: [team] });
      }),
    ).toEqual([
      {
        ruleId: 'reference-exists',
        constructPath: 'shop/all',
        message:
          'azuread_group.all refers to one entry of a forEach (azuread_group.team[each.key].object_id) and has none itself; give "all" the same forEach',
      },
    ]);
  });

  it('cannot be used where only the roles of a workspace, or the redirect URIs, name the entry', () => {
    const errors = errorsOf((stack, forEach) => {
      const name = forEach.value as string;
      const team = new SecurityGroup(stack, 'team', { displayName: name, owners, forEach });
      new Workspace(stack, 'w', { displayName: 'W', capacityId: ada }).grant(team, 'Viewer');
      const registration = new Registration(stack, 'login', { displayName: 'L', owners });
      const auth = { providers: { directory: { registration } } };
      new ContainerApp(stack, 'a', { ...web, name, auth, forEach });
    });
    expect(errors.map(({ constructPath }) => constructPath)).toEqual(['shop/w', 'shop/login']);
    expect(errors[1]?.message).toContain('azuread_application_redirect_uris.login refers to');
  });

  it('cannot be used by outputs, local values, raw resources and other stacks, which have no entry', () => {
    const app = new App();
    const stack = new CastellanStack(app, 'shop', westEurope);
    const forEach = TerraformIterator.fromList(['red', 'blue']);
    const displayName = forEach.value as string;
    const team = new SecurityGroup(stack, 'team', { displayName, owners, forEach });
    const raw = { displayName: `Raw of ${team.objectId}`, securityEnabled: true, owners };
    new TerraformOutput(stack, 'id', { value: team.objectId });
    new TerraformLocal(stack, 'local', [team.objectId]);
    new AzureadGroup(stack, 'raw', raw);
    new AzureadGroup(stack, 'raws', { ...raw, forEach });
    const otherStack = new CastellanStack(app, 'other', westEurope);
    new SecurityGroup(otherStack, 'all', { displayName: 'All', owners, members: [team] });
    otherStack.prepareStack();
    otherStack.toTerraform();
    const errors = checkTree(stack).filter(({ verdict }) => verdict === 'fail');
    expect(errors.map(({ message }) => message.split(' refers')[0])).toEqual([
      'shop/id',
      'shop/local',
      'shop/raw',
      'shop/cross-stack-output-azuread_group.team[each.key].object_id',
    ]);
    expect(errors[0]?.location?.line).toBe(team.creationLocation?.line);
  });

  it('gives all of its entries, or one, where cdktf does', () => {
    const { output, resource } = synthesized((stack) => {
      const forEach = TerraformIterator.fromList(['red', 'blue']);
      const displayName = forEach.value as string;
      const team = new SecurityGroup(stack, 'team', { displayName, owners, forEach });
      const iterator = TerraformIterator.fromResources(team.resource);
      const ids = iterator.pluckProperty('object_id');
      new TerraformOutput(stack, 'ids', { value: ids });
      const byKey: unknown = Fn.zipmap(Fn.keys(team.fqn), ids);
      new TerraformOutput(stack, 'red', { value: Fn.lookup(byKey, 'red') });
      const members = [iterator.getString('object_id')];
      new SecurityGroup(stack, 'lead', {
        displayName: `Lead of ${iterator.key}`,
        owners,
        members,
        forEach: iterator,
      });
    }, {});
    expect(output).toEqual({
      ids: { value: '${[ for key, val in azuread_group.team: val.object_id]}' },
      red: {
        value:
          '${zipmap(keys(azuread_group.team), [ for key, val in azuread_group.team: val.object_id]).red}',
      },
    });
    expect(resource['azuread_group']?.['lead']).toMatchObject({
      for_each: '${azuread_group.team}',
      members: ['${each.value.object_id}'],
    });
  });

  it('needs names that contain the entry where equal names are refused', () => {
    const errors = errorsOf((stack, forEach) => {
      const displayName = 'same';
      const environment = new ContainerAppEnvironment(stack, 'apps', { forEach });
      const ingress = { external: true };
      const app = new ContainerApp(stack, 'web', { ...web, ingress, environment, forEach });
      app.addCustomDomain('shop.contoso.example');
      new UnifiedGroup(stack, 'g', { displayName, owners, forEach });
      const workspace = new Workspace(stack, 'w', { displayName, capacityId: ada, forEach });
      new Eventhouse(stack, 'h', { displayName, workspace, forEach });
      const shared = new Workspace(stack, 's', { displayName: 'shared', capacityId: ada });
      new Eventhouse(stack, 'i', { displayName, workspace: shared, forEach });
    });
    expect(errors.map(({ ruleId, constructPath }) => `${constructPath ?? ''} ${ruleId}`)).toEqual([
      'shop/apps app-name-unique',
      'shop/web app-name-unique',
      'shop/web app-domain-unique',
      'shop/g group-mail-nickname-unique',
      'shop/w workspace-name-unique',
      'shop/i item-name-unique',
    ]);
    expect(errors[3]?.message).toBe(
      'all entries of its forEach have the mail nickname "g"; give each its own, with iterator.key or iterator.value in it',
    );
  });

  it('does not mistake text that looks like an entry for one', () => {
    expect(
      errorsOf((stack) => {
        new SecurityGroup(stack, 'g', { displayName: '${each.key}', owners });
      }),
    ).toEqual([]);
  });
});
