import { ContainerApp as AzurermContainerApp } from '@cdktf/provider-azurerm/lib/container-app';
import {
  CloudSettings,
  ContainerApp,
  Eventhouse,
  Registration,
  SecurityGroup,
  UnifiedGroup,
  Workspace,
} from '../../constructs/index.js';
import {
  Aspects,
  Fn,
  type IResolvable,
  TerraformIterator,
  type TerraformStack,
  TerraformVariable,
  Token,
} from '../../constructs/internal/cdktf.js';
import { checkTree } from '../../constructs/stack/check-tree.js';
import { synthesized } from './support/synthesized.js';

const ada = '11111111-1111-4222-8333-444455556666';
const variable = (stack: TerraformStack, name: string, type: string) =>
  new TerraformVariable(stack, name, { type });

describe('values known only after apply', () => {
  it('may be lists, booleans, numbers, maps and whole values', () => {
    const { resource } = synthesized((stack) => {
      const list = variable(stack, 'ids', 'list(string)').listValue as string[];
      const split = Token.asList(
        Fn.split(',', variable(stack, 'text', 'string').stringValue as string),
      );
      const flag = variable(stack, 'flag', 'bool').booleanValue as IResolvable;
      const count = variable(stack, 'count', 'number').numberValue as number;
      const iterator = TerraformIterator.fromList(list);
      new SecurityGroup(stack, 'a', { displayName: 'A', owners: list, members: split });
      new UnifiedGroup(stack, 'b', {
        displayName: iterator.value as string,
        mailNickname: iterator.value as string,
        owners: [ada],
        forEach: iterator,
        hideFromAddressLists: flag,
        isAssignableToRole: flag,
      });
      new Registration(stack, 'login', {
        displayName: 'L',
        redirectUris: list,
        idTokens: flag,
        owners: list,
      });
      const environment = variable(stack, 'env', 'string').stringValue as string;
      new ContainerApp(stack, 'web', {
        image: 'nginx:1',
        targetPort: count,
        ingress: { external: true, allowInsecure: flag },
        command: list,
        env: { NAME: environment },
        replicas: { min: count, max: count },
        tags: { name: environment },
      });
      const workspace = new Workspace(stack, 'w', {
        displayName: environment,
        capacityId: environment,
      });
      new Eventhouse(stack, 'e', { workspace, displayName: 'e', minimumConsumptionUnits: count });
      const failures = checkTree(stack).filter(
        ({ verdict, severity }) => verdict === 'fail' && severity === 'error',
      );
      expect(failures.map(({ message }) => message)).toEqual([]);
    });
    expect(resource).toMatchObject({
      azuread_group: {
        a: { owners: '${var.ids}', members: '${split(",", var.text)}' },
        b: { hide_from_address_lists: '${var.flag}', assignable_to_role: '${var.flag}' },
      },
      azuread_application: { login: { owners: '${var.ids}' } },
      azuread_application_redirect_uris: { login: { redirect_uris: '${var.ids}' } },
      azurerm_container_app: {
        web: {
          ingress: { target_port: '${var.count}', allow_insecure_connections: '${var.flag}' },
          template: { container: [{ command: '${var.ids}' }], min_replicas: '${var.count}' },
        },
      },
    });
  });
});

describe('tags that are known only after apply', () => {
  type Tags = Readonly<Record<string, string>>;
  const tagsOfApp = (tagsOfStack: (value: unknown) => Tags, tags?: Tags): unknown => {
    const { resource } = synthesized((stack) => {
      const { value } = variable(stack, 'tags', 'map(string)') as { readonly value: unknown };
      CloudSettings.of(stack).set({ location: 'westeurope', tags: tagsOfStack(value) });
      new ContainerApp(stack, 'web', { image: 'nginx:1', tags });
    });
    return resource['azurerm_container_app']?.['web']?.['tags'];
  };

  it.each<[string, (value: unknown) => Tags]>([
    ['the value of a variable', (value) => value as Tags],
    ['a map of cdktf', (value) => Token.asStringMap(value as IResolvable)],
  ])('may be those of the stack, alone or merged with those of an app: %s', (_form, tags) => {
    expect(tagsOfApp(tags)).toBe('${var.tags}');
    expect(tagsOfApp(tags, { '${k}': '${v}' })).toBe('${merge(var.tags, {"$${k}" = "$${v}"})}');
  });
});

describe('the usual Aspect that sets tags', () => {
  /** As documented for cdktf: adds a tag to every resource that supports tags. */
  const taggingAspect = {
    visit: (node: object) => {
      if (!('tags' in node && 'tagsInput' in node)) return;
      const { tagsInput } = node as { readonly tagsInput?: Record<string, string> };
      (node as { tags: object }).tags = { ...tagsInput, team: 'shop' };
    },
  };

  it('tags every resource whose tags are a map, and leaves tags that are a list', () => {
    const { resource } = synthesized((stack) => {
      Aspects.of(stack).add(taggingAspect);
      CloudSettings.of(stack).set({ location: 'westeurope' });
      const registration = new Registration(stack, 'login', { displayName: 'L', tags: ['a'] });
      const web = new ContainerApp(stack, 'web', {
        image: 'nginx:1',
        targetPort: 80,
        tags: { own: 'yes' },
        auth: { providers: { directory: { registration } } },
      });
      expect(web.resource).toBeInstanceOf(AzurermContainerApp);
    });
    expect(resource['azurerm_container_app']?.['web']?.['tags']).toEqual({
      own: 'yes',
      team: 'shop',
    });
    for (const type of ['azurerm_resource_group', 'azurerm_container_app_environment'])
      expect(Object.values(resource[type] ?? {})[0]?.['tags']).toEqual({ team: 'shop' });
    expect(resource['azuread_application']?.['login']?.['tags']).toEqual(['a']);
    expect(resource['azuread_service_principal']?.['login']).not.toHaveProperty('tags');
  });
});
