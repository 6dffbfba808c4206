import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  App,
  CastellanProvider,
  CastellanStack,
  type CastellanStackProps,
  checkTree,
  CloudSettings,
  GroupLifecyclePolicy,
  PolicyChecks,
  SecurityGroup,
  UnifiedGroup,
} from '../../../constructs/index.js';
import {
  Construct,
  TerraformStack,
  TerraformVariable,
} from '../../../constructs/internal/cdktf.js';

const owners = ['11111111-1111-4222-8333-444455556666', '22222222-1111-4222-8333-444455556666'];
const stackWithExpiringGroup = () => {
  const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-settings-')) });
  const stack = new CastellanStack(app, 'shop');
  new UnifiedGroup(stack, 'shoppers', {
    displayName: 'Shoppers',
    mailNickname: 'shoppers',
    owners,
    expirationPolicy: { renewable: true },
  });
  return stack;
};
/** Adds an expiration policy by which no group expires. */
const addPolicyWithoutGroups = (stack: CastellanStack) =>
  new GroupLifecyclePolicy(stack, 'expiration', {
    groupLifetimeInDays: 365,
    managedGroupTypes: 'None',
  });
const failuresOf = (stack: TerraformStack): readonly string[] =>
  checkTree(stack).flatMap(({ verdict, ruleId, message }) =>
    verdict === 'fail' ? [`${ruleId}: ${message}`] : [],
  );

describe('the settings of a stack in a program', () => {
  it('are what rules compare groups with, as in castellan.yaml', () => {
    const stack = stackWithExpiringGroup();
    expect(failuresOf(stack)).toEqual([]);
    addPolicyWithoutGroups(stack);
    expect(failuresOf(stack)).toEqual([
      expect.stringMatching(/^group-lifecycle: .*managedGroupTypes is None/),
    ]);
  });

  it('are those of the stack that is checked, not of another stack of the app', () => {
    const stack = stackWithExpiringGroup();
    addPolicyWithoutGroups(new CastellanStack(stack.node.root, 'tenant'));
    expect(failuresOf(stack)).toEqual([]);
  });
});

describe('the expiration policy of a tenant', () => {
  const policy = { groupLifetimeInDays: 365, managedGroupTypes: 'All' } as const;

  it('is refused beside another one of the stack, but not for another tenant', () => {
    const stack = new CastellanStack(newApp(), 'shop');
    new GroupLifecyclePolicy(stack, 'expiration', policy);
    const add = (provider?: CastellanProvider) => () =>
      new GroupLifecyclePolicy(new Construct(stack, 'team'), 'more', { ...policy, provider });
    expect(add()).toThrow(/shop\/team\/more is a second expiration policy beside shop\/expiration/);
    stack.node.tryRemoveChild('team');
    expect(add(new CastellanProvider(stack, 'partner', { alias: 'partner' }))).not.toThrow();
  });
});

const newApp = () => new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-settings-')) });

describe('the cloud settings and the backend of a stack in a program', () => {
  const mistakes: [string, CastellanStackProps, readonly RegExp[]][] = [
    [
      'a location that is no region',
      { azure: { location: 'westeurpe' } },
      [/^location-unknown: "westeurpe" .*did you mean "westeurope"/],
    ],
    [
      'ids that are no GUIDs',
      { azure: { tenantId: 'contoso', subscriptionId: 'shop' } },
      [/^property-value: tenantId is "contoso"/, /^property-value: subscriptionId is "shop"/],
    ],
    [
      'the name of a resource group',
      { azure: { resourceGroup: 'rg/shop' } },
      [/^property-value: resourceGroup is "rg\/shop"/],
    ],
    [
      'the name of an existing resource group',
      { azure: { resourceGroup: { existing: 'rg/shop' } } },
      [/^property-value: existing is "rg\/shop"/],
    ],
    [
      'more tags than a resource can have',
      { azure: { tags: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v'])) } },
      [/^property-value: tags /],
    ],
    [
      'the storage account of the backend',
      { backend: { azurerm: { storageAccountName: 'X!', containerName: 'state', key: 'shop' } } },
      [/^property-value: storageAccountName is "X!"/],
    ],
  ];

  it.each(mistakes)('are judged like those of castellan.yaml: %s', (_what, props, expected) => {
    expect(failuresOf(new CastellanStack(newApp(), 'shop', props))).toEqual(
      expected.map((each) => expect.stringMatching(each) as string),
    );
  });

  it('are refused at the line that creates the stack', () => {
    const app = newApp();
    const stack = new CastellanStack(app, 'shop', { azure: { tenantId: 'contoso' } });
    new SecurityGroup(stack, 'admins', { displayName: 'Admins', owners });
    expect(() => app.synth()).toThrow(
      /\[shop\] .*tree-settings\.test\.ts:\d+:\d+: error: tenantId/,
    );
  });

  it('are judged in a stack of bare cdktf', () => {
    const app = newApp();
    PolicyChecks.of(app);
    CloudSettings.of(new TerraformStack(app, 'shop')).set({ tenantId: 'contoso' });
    expect(() => app.synth()).toThrow(
      /\[shop\] .*tree-settings\.test\.ts:\d+:\d+: error: tenantId/,
    );
  });

  it('are judged once, not again for a part of the stack', () => {
    const stack = new CastellanStack(newApp(), 'shop', { azure: { tenantId: 'contoso' } });
    expect(checkTree(new SecurityGroup(stack, 'admins', { displayName: 'A', owners }))).toEqual([]);
  });

  it('are unknown where they are known only at apply', () => {
    const stack = new CastellanStack(newApp(), 'shop');
    const { stringValue } = new TerraformVariable(stack, 'region', {});
    CloudSettings.of(stack).set({ location: stringValue as string });
    expect(checkTree(stack)).toEqual([
      expect.objectContaining({ verdict: 'unknown', path: ['azure', 'location'] }),
    ]);
  });
});
