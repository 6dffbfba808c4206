import type { Construct } from 'constructs';
import {
  type Amount,
  type BillingClient,
  createDirectoryClient,
  type EventhouseItem,
  type HttpClientOptions,
  type ItemsClient,
  type Page,
  type ServiceError,
  type TokenProvider,
  type Transaction,
} from '../../clients/index.js';
import {
  type CastellanConstruct,
  ContainerApp,
  type ContainerAppProps,
  type EventhouseProps,
  type EventstreamNode,
  type EventstreamProps,
  type GroupProps,
  type IPrincipal,
  type OtherNode,
  otherNodeType,
  type ProviderRegistration,
  SecurityGroup,
  type SecurityGroupProps,
  UnifiedGroup,
  type Workspace,
  type WorkspaceProps,
} from '../../constructs/index.js';
import { expectFindings, synthesized, type TerraformJson } from '../../constructs/testing/index.js';
import {
  type CastellanError,
  type ErrorCode,
  type Finding,
  isCastellanError,
  type Severity,
  type Verdict,
} from '../../core/index.js';
import { type GroupDeclaration, group, type Section, type StackConfig } from '../../kinds/index.js';
import {
  checkDeclaration,
  defineResourceRule,
  defineRule,
  loadConfig,
  type Rule,
  type RuleContext,
  runCheck,
} from '../../policies/index.js';
import {
  type RunningProvider,
  startProvider,
  type StartProviderOptions,
} from '../../provider/index.js';
import { ensureSandbox, type SandboxHandle } from '../../sandbox/index.js';
import {
  createBillingService,
  createDirectoryService,
  createItemsService,
  type ServiceFactory,
} from '../../services/index.js';
import { orderStacks, synthesize, type SynthesizedStack, type Target } from '../../stacks/index.js';

/** The properties that must be given. */
type RequiredNames<Props> = {
  [Name in keyof Props]-?: undefined extends Props[Name] ? never : Name;
}[keyof Props];

describe('the types of the public API, which the compiler checks', () => {
  it('name the sections, and what they declare', () => {
    type Sections =
      | 'principals'
      | 'registrations'
      | 'environments'
      | 'containerApps'
      | 'groups'
      | 'workspaces'
      | 'eventhouses'
      | 'eventstreams';
    expectTypeOf<Section>().toEqualTypeOf<Sections>();
    expectTypeOf<NonNullable<StackConfig['groups']>[string]>().toEqualTypeOf<GroupDeclaration>();
    expectTypeOf<GroupDeclaration['kind']>().toEqualTypeOf<'security' | 'unified' | undefined>();
    expectTypeOf(group.deletionLoses).toEqualTypeOf<string | undefined>();
  });

  it('take constructs where castellan.yaml has names', () => {
    expectTypeOf<NonNullable<GroupProps['displayName']>>().toEqualTypeOf<string>();
    expectTypeOf<IPrincipal>().toExtend<NonNullable<GroupProps['owners']>[number]>();
    expectTypeOf<SecurityGroup>().toExtend<NonNullable<GroupProps['members']>[number]>();
    expectTypeOf<ProviderRegistration>().toExtend<
      NonNullable<NonNullable<ContainerAppProps['auth']>['providers']['directory']>['registration']
    >();
    expectTypeOf<Workspace>().toExtend<EventhouseProps['workspace']>();
    expectTypeOf<EventstreamProps['workspace']>().toEqualTypeOf<EventhouseProps['workspace']>();
    // @ts-expect-error -- a group is created with a name
    const nameless: GroupProps = { kind: 'security' };
    const groupOfOtherKind = (scope: never): SecurityGroup =>
      // @ts-expect-error -- the kind is in the name of the class
      new SecurityGroup(scope, 'a', { displayName: 'A', kind: 'unified' });
    const groupWithUnknownTheme = (scope: never): UnifiedGroup =>
      // @ts-expect-error -- there is no such theme
      new UnifiedGroup(scope, 'a', { displayName: 'A', theme: 'Mauve' });
    expect([nameless, groupOfOtherKind, groupWithUnknownTheme]).toHaveLength(3);
  });

  it('require only the necessary props of each construct', () => {
    expectTypeOf<RequiredNames<SecurityGroupProps>>().toEqualTypeOf<'displayName'>();
    expectTypeOf<RequiredNames<ContainerAppProps>>().toEqualTypeOf<'image'>();
    expectTypeOf<RequiredNames<WorkspaceProps>>().toEqualTypeOf<'displayName'>();
    expectTypeOf<RequiredNames<EventhouseProps>>().toEqualTypeOf<'displayName' | 'workspace'>();
    expectTypeOf<RequiredNames<EventstreamProps>>().toEqualTypeOf<'displayName' | 'workspace'>();
    expectTypeOf(ContainerApp).constructorParameters.toEqualTypeOf<
      [scope: Construct, id: string, props: ContainerAppProps]
    >();
    expectTypeOf<ContainerApp>().toExtend<CastellanConstruct>();
  });

  it('accept a node of an unknown type only with otherNodeType', () => {
    expectTypeOf<OtherNode>().toExtend<EventstreamNode>();
    expectTypeOf(otherNodeType('New')).toExtend<string>();
    // @ts-expect-error -- a text could be a misspelt type
    const misspelt: EventstreamNode = { name: 'feed', type: 'EventHose' };
    expect(misspelt).toBeDefined();
  });

  it('give rules the props of their section', () => {
    const rule = defineRule({
      id: 'types',
      title: 'A rule.',
      why: 'To see its types.',
      severity: 'info',
      source: 'the test',
      sections: ['groups'],
      messages: { found: 'found' },
      check({ value }, context: RuleContext) {
        const declared: GroupDeclaration = value;
        if (declared.theme === 'Teal') context.report({ messageId: 'found' });
      },
    });
    expect(rule satisfies Rule).toBeDefined();
    expectTypeOf(defineResourceRule).returns.toEqualTypeOf<Rule>();
    expectTypeOf(runCheck)
      .returns.resolves.toHaveProperty('findings')
      .toEqualTypeOf<readonly Finding[]>();
    expectTypeOf(loadConfig)
      .returns.resolves.toHaveProperty('findings')
      .toEqualTypeOf<readonly Finding[]>();
    // @ts-expect-error -- there is no such section
    expect(() => checkDeclaration('people', 'a', {})).toThrow();
  });

  it('require a credential that returns tokens', () => {
    expectTypeOf<HttpClientOptions['credential']>().toEqualTypeOf<TokenProvider | undefined>();
    // @ts-expect-error -- a token alone is no credential
    const plainToken: TokenProvider = 'token';
    expect([typeof createDirectoryClient, plainToken]).toEqual(['function', 'token']);
  });

  it('read money as text, listings page by page, and errors as CastellanError', () => {
    expectTypeOf<Amount>().toEqualTypeOf<{ readonly currency: string; readonly value: string }>();
    expectTypeOf<ReturnType<BillingClient['pages']>>().toEqualTypeOf<
      AsyncGenerator<Page<Transaction>, void, undefined>
    >();
    expectTypeOf<
      Awaited<ReturnType<ItemsClient['eventhouses']['get']>>
    >().toEqualTypeOf<EventhouseItem>();
    expectTypeOf<ServiceError>().toExtend<CastellanError>();
    expectTypeOf(isCastellanError).guards.toEqualTypeOf<CastellanError>();
    expectTypeOf<CastellanError['code']>().toEqualTypeOf<ErrorCode>();
    expectTypeOf<Verdict>().toEqualTypeOf<'fail' | 'unknown' | 'pass'>();
    expectTypeOf<Severity>().toEqualTypeOf<'error' | 'warning' | 'info'>();
  });

  it('start services, providers and sandboxes by functions that end what they started', () => {
    expectTypeOf(createDirectoryService).toEqualTypeOf<ServiceFactory>();
    expectTypeOf(createItemsService).toExtend<ServiceFactory>();
    expectTypeOf(createBillingService).toExtend<ServiceFactory>();
    expectTypeOf(startProvider).toEqualTypeOf<
      (options: StartProviderOptions) => Promise<RunningProvider>
    >();
    expectTypeOf(ensureSandbox).returns.resolves.toEqualTypeOf<SandboxHandle>();
  });

  it('synthesize for either target, and for tests', () => {
    expectTypeOf<Target>().toEqualTypeOf<'azure' | 'sandbox'>();
    expectTypeOf(synthesize).returns.toExtend<readonly SynthesizedStack[]>();
    expectTypeOf(orderStacks<SynthesizedStack>).returns.toEqualTypeOf<SynthesizedStack[]>();
    expectTypeOf(synthesized).returns.toEqualTypeOf<TerraformJson>();
    expectTypeOf(expectFindings).parameter(1).toEqualTypeOf<readonly string[] | undefined>();
  });
});
