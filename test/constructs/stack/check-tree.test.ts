import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Group as AzureadGroup } from '@cdktf/provider-azuread/lib/group';
import { join } from 'node:path';
import { type Finding, isCastellanError } from '../../../core/index.js';
import { checkStack, loadConfig } from '../../../policies/index.js';
import {
  App,
  ContainerApp,
  ContainerAppEnvironment,
  CastellanStack,
  checkTree,
  declarationsOf,
  Eventhouse,
  User,
  ProviderRegistration,
  SecurityGroup,
  Token,
  UnifiedGroup,
  Workspace,
} from '../../../constructs/index.js';
import { FabricEventhouse } from '../../../constructs/generated/lib/fabric/eventhouse.js';
import { FabricWorkspace } from '../../../constructs/generated/lib/fabric/workspace.js';
import { Construct } from '../../../constructs/internal/cdktf.js';
import { synthesized, westEurope } from '../support/synthesized.js';

const createStack = () =>
  new CastellanStack(
    new App({
      outdir: mkdtempSync(join(tmpdir(), 'castellan-tree-')),
      context: { 'castellan:errors': 'at once' },
    }),
    'shop',
    westEurope,
  );

function findingsOf(create: () => unknown): readonly Finding[] {
  try {
    create();
  } catch (error) {
    if (isCastellanError(error)) return error.details['findings'] as readonly Finding[];
    throw error;
  }
  return [];
}

async function findingsInYaml(yaml: string): Promise<readonly Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-yaml-'));
  writeFileSync(join(folder, 'castellan.yaml'), `version: 1\nstack: shop\n${yaml}`);
  const { stacks } = await loadConfig({ paths: [folder] });
  return stacks
    .flatMap((stack) => checkStack(stack, { env: {} }))
    .filter(({ verdict, severity }) => verdict === 'fail' && severity === 'error');
}

describe('a construct that breaks a limit', () => {
  it('is refused with the same finding as the same line of YAML, at the line of the program', async () => {
    const nickname = 'sho ppers';
    const [programFinding] = findingsOf(
      () =>
        new UnifiedGroup(createStack(), 'shoppers', {
          displayName: 'Shoppers',
          mailNickname: nickname,
        }),
    );
    const [yamlFinding] = await findingsInYaml(
      `groups: { shoppers: { kind: unified, displayName: Shoppers, mailNickname: ${nickname} } }`,
    );
    expect(programFinding).toMatchObject({
      location: { file: __filename },
      constructPath: 'shop/shoppers',
    });
    const {
      location: _location,
      constructPath: _path,
      fix: _fix,
      ...verdictAndMessage
    } = programFinding as Finding;
    expect(yamlFinding).toMatchObject(verdictAndMessage);
  });

  it('says what was given and what is allowed', () => {
    expect(
      () =>
        new Eventhouse(createStack(), 'house', {
          workspace: '6f1d2c3b-1111-4222-8333-444455556666',
          displayName: 'h',
          minimumConsumptionUnits: 50.5,
        }),
    ).toThrow(/check-tree\.test\.ts:\d+:\d+:\n.*50\.5/);
  });

  it('passes with the verdict unknown when the value is known only after apply', () => {
    const stack = createStack();
    const name = new ProviderRegistration(stack, 'login', { displayName: 'L' }).clientId;
    expect(Token.isUnresolved(name)).toBe(true);
    const group = new SecurityGroup(stack, 'g', { displayName: 'G', mailNickname: name });
    expect(
      group.findings.some(
        ({ verdict, path }) => verdict === 'unknown' && path?.includes('mailNickname'),
      ),
    ).toBe(true);
  });
});

describe('declarationsOf', () => {
  it('gives the tree as castellan.yaml would say it, with line, path and address', () => {
    const stack = createStack();
    const ada = User.fromPrincipalName(stack, 'ada', 'ada@contoso.example');
    const team = new Construct(stack, 'team');
    const group = new SecurityGroup(team, 'staff', { displayName: 'Staff', owners: [ada] });
    new SecurityGroup(stack, 'all', { displayName: 'All', members: [group] });
    expect(declarationsOf(stack)).toMatchObject([
      {
        section: 'principals',
        name: 'ada',
        value: { user: 'ada@contoso.example' },
        origin: { constructPath: 'shop/ada' },
      },
      {
        section: 'groups',
        name: 'team/staff',
        value: { kind: 'security', displayName: 'Staff', owners: ['ada'] },
        origin: { constructPath: 'shop/team/staff', location: { file: __filename } },
      },
      {
        section: 'groups',
        name: 'all',
        value: { members: ['team/staff'] },
        origin: { terraformAddress: 'azuread_group.all' },
      },
    ]);
  });

  it('names what is known only after apply', () => {
    const stack = createStack();
    const login = new ProviderRegistration(stack, 'login', { displayName: 'L' });
    new SecurityGroup(stack, 'g', { displayName: login.clientId });
    expect(declarationsOf(stack).find(({ name }) => name === 'g')?.unknownPaths).toEqual([
      ['displayName'],
    ]);
  });

  it('contains each declaration once, also the environment that an app creates', () => {
    const stack = createStack();
    const login = new ProviderRegistration(stack, 'login', { displayName: 'L' });
    const auth = { providers: { directory: { registration: login } } };
    new ContainerApp(stack, 'web', {
      image: 'nginx:1',
      targetPort: 80,
      ingress: { external: true },
      auth,
    });
    new Workspace(stack, 'w', { displayName: 'W' });
    expect(declarationsOf(stack).map(({ section, name }) => `${section}.${name}`)).toEqual([
      'registrations.login',
      'containerApps.web',
      'environments.environment',
      'workspaces.w',
    ]);
  });
});

describe('checkTree', () => {
  const declareMisfit = (stack: CastellanStack) => {
    const shoppers = new UnifiedGroup(stack, 'shoppers', { displayName: 'Shoppers' });
    new SecurityGroup(stack, 'staff', { displayName: 'Staff', members: [shoppers] });
  };

  it('finds violations that need several declarations', () => {
    const stack = createStack();
    declareMisfit(stack);
    const failures = checkTree(stack).filter(
      ({ verdict, severity }) => verdict === 'fail' && severity === 'error',
    );
    expect(failures).toMatchObject([
      {
        constructPath: 'shop/staff',
        terraformAddress: 'azuread_group.staff',
        location: { file: __filename },
      },
    ]);
  });

  it('compares names of plain resources with those of constructs', () => {
    const stack = createStack();
    const workspace = new Workspace(stack, 'shop', {
      displayName: 'Shop',
      capacityId: '0f0f0f0f-0000-4000-8000-000000000001',
    });
    new Eventhouse(stack, 'clicks', { displayName: 'clicks', workspace });
    new UnifiedGroup(stack, 'shoppers', { displayName: 'Shoppers', mailNickname: 'shoppers' });
    new AzureadGroup(stack, 'plain-group', {
      displayName: 'Plain',
      types: ['Unified'],
      mailEnabled: true,
      mailNickname: 'Shoppers',
    });
    const workspaceId = workspace.resource.id;
    new FabricWorkspace(stack, 'plain-workspace', { displayName: 'shop' });
    new FabricEventhouse(stack, 'plain-house', { displayName: 'Clicks', workspaceId });
    const names = checkTree(stack)
      .filter(({ messageId }) => messageId === 'taken')
      .map(({ ruleId, terraformAddress, parameters }) => [
        ruleId,
        terraformAddress,
        parameters['other'],
      ]);
    expect(names).toEqual([
      ['group-mail-nickname-unique', 'azuread_group.plain-group', 'shoppers'],
      ['workspace-name-unique', 'fabric_workspace.plain-workspace', 'shop'],
      ['item-name-unique', 'fabric_eventhouse.plain-house', 'clicks'],
    ]);
  });

  it('keeps such a stack from being synthesized, with the line', () => {
    expect(() => synthesized(declareMisfit)).toThrow(
      /check-tree\.test\.ts:\d+:\d+: .*unified group/,
    );
  });

  describe('of an app with several stacks', () => {
    const createStacks = () => {
      const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-tree-')) });
      return ['one', 'two'].map((id) => new CastellanStack(app, id, westEurope));
    };
    const failures = (findings: readonly Finding[]) =>
      findings
        .filter(({ verdict, severity }) => verdict === 'fail' && severity !== 'info')
        .map(({ ruleId, constructPath }) => `${ruleId} ${constructPath}`);

    it('finds what is wrong in each, also where names are the same', () => {
      const stacks = createStacks();
      for (const stack of stacks)
        new SecurityGroup(stack, 'staff', {
          displayName: 'Staff',
          isAssignableToRole: true,
          visibility: 'Public',
        });
      expect(failures(checkTree(stacks[0]?.node.root as App))).toEqual([
        'group-role-assignable one/staff',
        'group-role-assignable two/staff',
      ]);
    });

    it('follows references from one to another', () => {
      const [one, two] = createStacks() as [CastellanStack, CastellanStack];
      const staff = new SecurityGroup(one, 'staff', { displayName: 'Staff' });
      new SecurityGroup(two, 'all', { displayName: 'All', members: [staff] });
      new UnifiedGroup(two, 'mail', {
        displayName: 'Mail',
        mailNickname: 'mail',
        members: [staff as never],
      });
      expect(failures(checkTree(one.node.root as App))).toEqual(['group-member-kind two/mail']);
    });
  });

  describe('with apps that name no environment', () => {
    const large = { name: 'large', type: 'D4', min: 1, max: 3 };
    const rulesAgainst = (stack: CastellanStack, workloadProfile?: string) => {
      new ContainerApp(stack, 'web', { image: 'nginx:1.27', workloadProfile });
      return checkTree(stack).map(({ ruleId, message }) => `${ruleId}: ${message}`);
    };

    it('takes the environment that they get for none that was declared', () => {
      expect(rulesAgainst(createStack())).toEqual([]);
    });

    it('names only those that were declared', () => {
      const stack = createStack();
      new ContainerAppEnvironment(stack, 'apps');
      expect(rulesAgainst(stack)).toEqual([
        'app-environment: the app names no environment and gets a separate one; declared: apps',
      ]);
    });

    it('finds the workload profile in the environment that they get', () => {
      const stack = createStack();
      new ContainerAppEnvironment(stack, 'environment', { workloadProfiles: [large] });
      expect(rulesAgainst(stack, 'large')).toEqual([]);
    });

    it('misses a workload profile that this environment lacks', () => {
      const stack = createStack();
      new ContainerAppEnvironment(stack, 'environment', { workloadProfiles: [large] });
      expect(rulesAgainst(stack, 'lrage')).toEqual([
        'app-workload-profile: the environment environment has no workload profile "lrage"; did you mean "large"?',
      ]);
      expect(rulesAgainst(createStack(), 'large')).toEqual([
        expect.stringMatching(/^app-workload-profile: the stack's own environment has no/),
      ]);
    });
  });
});
