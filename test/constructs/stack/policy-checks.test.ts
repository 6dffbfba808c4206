import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Application } from '@cdktf/provider-azuread/lib/application';
import { ApplicationPasswordA as ApplicationPassword } from '@cdktf/provider-azuread/lib/application-password';
import { Group as AzureadGroup } from '@cdktf/provider-azuread/lib/group';
import { AzureadProvider } from '@cdktf/provider-azuread/lib/provider';
import { ContainerApp as AzurermContainerApp } from '@cdktf/provider-azurerm/lib/container-app';
import { AzurermProvider } from '@cdktf/provider-azurerm/lib/provider';
import {
  App,
  CastellanStack,
  checkTree,
  type CheckTreeOptions,
  PolicyChecks,
  SecurityGroup,
  UnifiedGroup,
} from '../../../constructs/index.js';
import { AzapiProvider, AzapiResource } from '../../../constructs/internal/azapi.js';
import {
  Construct,
  TerraformResource,
  TerraformStack,
  TerraformVariable,
} from '../../../constructs/internal/cdktf.js';
import { defineResourceRule, defineRule } from '../../../policies/index.js';
import { westEurope } from '../support/synthesized.js';

const outdir = () => mkdtempSync(join(tmpdir(), 'castellan-checks-'));
const group = {
  displayName: 'Shoppers',
  securityEnabled: true,
  owners: ['11111111-2222-4333-8444-555555555555', '21111111-2222-4333-8444-555555555555'],
};
const bareStack = (app: App): TerraformStack => {
  const stack = new TerraformStack(app, 'bare');
  new AzureadProvider(stack, 'azuread');
  new AzurermProvider(stack, 'azurerm', { features: [{}] });
  new AzapiProvider(stack, 'azapi', {});
  return stack;
};
/** A second copy of cdktf, as a workspace has that needs another release. */
const anotherCdktf = (): { readonly TerraformStack: typeof TerraformStack } => {
  const ofCdktf = Object.entries(require.cache).filter(([file]) =>
    /node_modules[\\/]cdkt[fn][\\/]/.test(file),
  );
  for (const [file] of ofCdktf) delete require.cache[file];
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- import() has one copy only
    return require('cdktf') as { readonly TerraformStack: typeof TerraformStack };
  } finally {
    Object.assign(require.cache, Object.fromEntries(ofCdktf));
  }
};
const findingLines = ({ findings }: PolicyChecks) =>
  findings
    .filter(({ verdict }) => verdict === 'fail')
    .map(
      ({ ruleId, constructPath, terraformAddress, location }) =>
        `${ruleId} ${constructPath} ${terraformAddress} ${location?.file === __filename}`,
    );

describe('checks of a tree with foreign constructs', () => {
  it.each(['before', 'after'])('added %s a stack of another copy of cdktf, check it', (when) => {
    const app = new App({ outdir: outdir() });
    const { TerraformStack: OtherStack } = anotherCdktf();
    const checksBefore = when === 'before' ? undefined : PolicyChecks.of(app);
    const stack = new OtherStack(app, 'bare');
    expect(stack).not.toBeInstanceOf(TerraformStack);
    new AzureadProvider(stack, 'azuread');
    const checks = checksBefore ?? PolicyChecks.of(app);
    new AzureadGroup(stack, 'shoppers', { ...group, mailNickname: 'sho ppers' });
    expect(() => app.synth()).toThrow(/\[bare\] .*\(group-mail-nickname\)/);
    expect(findingLines(checks)).toEqual([expect.stringContaining('group-mail-nickname')]);
  });

  it('prevent the synthesis of a bare stack, and name the line of each resource', () => {
    const app = new App({ outdir: outdir() });
    const checks = PolicyChecks.of(app);
    const stack = bareStack(app);
    const team = new Construct(stack, 'team');
    new AzureadGroup(team, 'shoppers', { ...group, mailNickname: 'sho ppers' });
    expect(() => app.synth()).toThrow(
      /\[bare\] .*policy-checks\.test\.ts:\d+:\d+: error: .*\(group-mail-nickname\)/,
    );
    expect(findingLines(checks)).toEqual([
      expect.stringMatching(
        /^group-mail-nickname bare\/team\/shoppers azuread_group\.team_shoppers_[0-9A-F]{8} true$/,
      ),
    ]);
  });

  it.each([
    ['a directive, which is evaluated at apply', '%{ if true }shoppers%{ endif }', []],
    ['text that is escaped', 'sho%%{ppers', []],
    ['text that is escaped and too long', `%%{${'s'.repeat(63)}`, ['group-mail-nickname']],
    ['the longest text, escaped', `%%{${'s'.repeat(62)}`, []],
  ])('read %s', (_what, mailNickname, ruleIds) => {
    const stack = bareStack(new App({ outdir: outdir() }));
    new AzureadGroup(stack, 'shoppers', { ...group, mailNickname });
    const failures = checkTree(stack).filter(({ verdict }) => verdict === 'fail');
    expect(failures.map(({ ruleId }) => ruleId)).toEqual(ruleIds);
  });

  it('know of which kind members are that resources of the plain bindings refer to', () => {
    const app = new App({ outdir: outdir() });
    const checks = PolicyChecks.of(app);
    const stack = bareStack(app);
    const inner = new AzureadGroup(stack, 'inner', group);
    new AzureadGroup(stack, 'admins', {
      ...group,
      assignableToRole: true,
      members: [inner.objectId],
    });
    expect(() => app.synth()).toThrow('is a group, and the directory takes no groups into a role');
    expect(findingLines(checks)).toEqual([
      'group-role-assignable bare/admins azuread_group.admins true',
    ]);
  });

  it('run rules about Terraform types on resources of the plain bindings, with their references', () => {
    const app = new App({ outdir: outdir() });
    const rule = defineResourceRule({
      id: 'group-described',
      title: 'A group has a description.',
      why: 'Else its purpose is a guess.',
      severity: 'warning',
      source: 'our style guide',
      resources: ['azuread_group'],
      messages: { none: '{given} has no description; members: {members}' },
      check({ address, values, references }, context) {
        if (values['description'] !== undefined) return;
        context.report({
          messageId: 'none',
          parameters: { given: address, members: Object.keys(references) },
        });
      },
    });
    const checks = PolicyChecks.of(app, { rules: [rule] });
    const stack = bareStack(app);
    new AzureadGroup(stack, 'described', { ...group, description: 'For those who shop.' });
    new AzureadGroup(stack, 'bare', { ...group });
    app.synth();
    expect(findingLines(checks)).toEqual([
      expect.stringMatching(/^group-described bare\/bare azuread_group\.bare true$/),
    ]);
  });

  it('run them on types unknown to castellan, and on resources of its own constructs', () => {
    const app = new App({ outdir: outdir() });
    const rule = defineResourceRule({
      id: 'storage-tls',
      title: 'Storage takes TLS 1.2.',
      why: 'Older can be broken.',
      severity: 'warning',
      source: 'our style guide',
      resources: ['azurerm_storage_account', 'azuread_group'],
      reads: ['min_tls_version'],
      messages: { seen: '{given} {version}' },
      check({ address, values }, context) {
        context.report({
          messageId: 'seen',
          parameters: { given: address, version: values['min_tls_version'] ?? 'none' },
        });
      },
    });
    class Account extends TerraformResource {
      constructor(
        scope: Construct,
        id: string,
        private readonly values: Record<string, unknown>,
      ) {
        super(scope, id, { terraformResourceType: 'azurerm_storage_account' });
      }
      protected override synthesizeAttributes(): Record<string, unknown> {
        return this.values;
      }
    }
    const checks = PolicyChecks.of(app, { rules: [rule] });
    const stack = bareStack(app);
    const old = new Account(stack, 'old', { min_tls_version: 'TLS1_0' });
    new Account(stack, 'later', { min_tls_version: old.getStringAttribute('min_tls_version') });
    new SecurityGroup(
      new CastellanStack(app, 'own', { azure: { location: 'westeurope' } }),
      'ours',
      { displayName: 'Ours' },
    );
    app.synth();
    expect(
      checks.findings.map(
        ({ verdict, message, constructPath }) => `${constructPath} ${verdict} ${message}`,
      ),
    ).toEqual([
      'bare/old fail azurerm_storage_account.old TLS1_0',
      "bare/later unknown min_tls_version can't be judged: it is known only after apply",
      expect.stringMatching(/^own\/ours\/\S+ fail azuread_group\.\S+ none$/),
    ]);
  });

  it('give rules their options, and refuse those that a rule does not have', () => {
    const describedRule = defineResourceRule({
      id: 'group-described',
      title: 'A group has a description.',
      why: 'Else its purpose is a guess.',
      severity: 'error',
      source: 'our style guide',
      resources: ['azuread_group'],
      options: { type: 'object', properties: { least: { type: 'integer', minimum: 1 } } },
      messages: { short: '{given} says less than {least} characters' },
      check({ address, values }, { options: { least = 1 }, report }) {
        const { length } = String(values['description'] ?? '');
        if (length < Number(least))
          report({ messageId: 'short', parameters: { given: address, least } });
      },
    });
    const findingMessages = (
      ruleOptions: CheckTreeOptions['ruleOptions'] = {},
    ): readonly string[] => {
      const app = new App({ outdir: outdir() });
      const checks = PolicyChecks.of(app, { rules: [describedRule, noRed], ruleOptions });
      new AzureadGroup(bareStack(app), 'bare', { ...group, description: 'Shop', theme: 'Red' });
      try {
        app.synth();
      } catch {
        // the findings are compared below
      }
      return checks.findings.map(({ ruleId, message }) => `${ruleId}: ${message}`);
    };
    const noRed = defineRule({
      id: 'no-red',
      title: 'No group is red.',
      why: 'Red is for alarms.',
      severity: 'error',
      source: 'our style guide',
      sections: ['groups'],
      options: { type: 'object', properties: { instead: { type: 'string' } } },
      messages: { red: 'take {instead}' },
      check(declaration, { options, report }) {
        if (declaration.section === 'groups' && declaration.value.theme === 'Red')
          report({ messageId: 'red', parameters: { instead: options['instead'] ?? 'Teal' } });
      },
    });
    expect(findingMessages()).toEqual(['no-red: take Teal']);
    expect(
      findingMessages({ 'group-described': { least: 5 }, 'no-red': { instead: 'Blue' } }),
    ).toEqual([
      'no-red: take Blue',
      'group-described: azuread_group.bare says less than 5 characters',
    ]);
    expect(
      findingMessages({ 'group-described': { most: 5, least: 0 }, 'group-describe': {} }),
    ).toEqual([
      'policy-rule: there is no rule "group-describe"; did you mean "group-described"?',
      'policy-rule: "most" is not an option of group-described; allowed: least',
      'policy-rule: least of group-described is 0; allowed: an integer of at least 1',
      'no-red: take Teal',
    ]);
  });

  it('find a literal secret in the plain bindings, but not a variable', () => {
    const app = new App({ outdir: outdir() });
    const checks = PolicyChecks.of(app);
    const stack = bareStack(app);
    const password = new TerraformVariable(stack, 'password', { type: 'string', sensitive: true });
    new AzurermContainerApp(stack, 'shop', {
      name: 'shop',
      resourceGroupName: 'rg',
      containerAppEnvironmentId: '/subscriptions/x',
      revisionMode: 'Single',
      template: { container: [{ name: 'shop', image: 'shop:1', cpu: 0.25, memory: '0.5Gi' }] },
      secret: [
        { name: 'known', value: password.stringValue },
        {
          name: 'vault',
          keyVaultSecretId: 'https://v.vault.azure.net/secrets/a',
          identity: 'System',
        },
        { name: 'written', value: 'correct-horse' },
      ],
    });
    expect(() => app.synth()).toThrow(
      /the secret "written" is in the synthesized JSON in clear.*\(secret-literal\)/,
    );
    expect(findingLines(checks)).toEqual([
      expect.stringMatching(/^secret-literal bare\/shop azurerm_container_app\.shop true$/),
    ]);
    expect(JSON.stringify(checks.findings)).not.toContain('correct-horse');
  });

  it('accept a stack without errors, and show warnings', () => {
    const folder = outdir();
    const app = new App({ outdir: folder });
    const checks = PolicyChecks.of(app);
    const stack = bareStack(app);
    const ada = new AzureadGroup(stack, 'ada', { ...group, mailNickname: 'ada' });
    new AzureadGroup(stack, 'lonely', {
      ...group,
      mailNickname: 'lonely',
      owners: [group.owners[0] as string],
      members: [ada.objectId],
    });
    new Application(stack, 'login', {
      displayName: 'L',
      web: { implicitGrant: { accessTokenIssuanceEnabled: true } },
    });
    app.synth();
    expect(findingLines(checks)).toEqual([
      'group-two-owners bare/lonely azuread_group.lonely true',
      'registration-least-privilege bare/login azuread_application.login true',
    ]);
    expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toContain(
      '(registration-least-privilege)',
    );
  });

  it('join an app with its sign-in layer, and a registration with its secret', () => {
    const app = new App({ outdir: outdir() });
    const checks = PolicyChecks.of(app);
    const stack = bareStack(app);
    const web = new AzurermContainerApp(stack, 'web', {
      name: 'web',
      containerAppEnvironmentId: 'x',
      resourceGroupName: 'x',
      revisionMode: 'Single',
      template: { container: [{ name: 'web', image: 'web:1', cpu: 0.25, memory: '4Gi' }] },
      ingress: {
        externalEnabled: true,
        targetPort: 80,
        trafficWeight: [{ percentage: 100, latestRevision: true }],
      },
    });
    const identityProviders = {
      gitHub: { registration: { clientId: 'a', clientSecretSettingName: 'missing' } },
    };
    new AzapiResource(stack, 'auth', {
      type: 'Microsoft.App/containerApps/authConfigs@2025-07-01',
      name: 'current',
      parentId: web.id,
      body: {
        properties: {
          platform: { enabled: 'yes' },
          globalValidation: { redirectToProvider: 'google' },
          identityProviders,
        },
      },
    });
    const login = new Application(stack, 'login', {
      displayName: 'Login',
      web: { redirectUris: ['http://shop.example/callback'] },
    });
    new ApplicationPassword(stack, 'secret', {
      applicationId: login.id,
      endDate: '2020-01-01T00:00:00Z',
    });
    expect(() => app.synth()).toThrow(/app-cpu-memory/);
    expect(
      findingLines(checks)
        .map((line) => line.replace(/ (true|false)$/, ''))
        .sort(),
    ).toEqual([
      'app-cpu-memory bare/web azurerm_container_app.web',
      'app-secret-references bare/auth azapi_resource.auth',
      'auth-open-provider bare/auth azapi_resource.auth',
      'auth-redirect-target bare/auth azapi_resource.auth',
      'plan-text-boolean bare/auth azapi_resource.auth',
      'registration-redirect-uris bare/login azuread_application.login',
      'registration-secret-expiry bare/secret azuread_application_password.secret',
    ]);
  });

  it('run on our own stacks, and do not check our own constructs twice', () => {
    const app = new App({ outdir: outdir() });
    const stack = new CastellanStack(app, 'shop', westEurope);
    new SecurityGroup(stack, 'ours', { displayName: 'Ours' });
    new UnifiedGroup(new Construct(stack, 'team'), 'ours', { displayName: 'Ours' });
    const checks = PolicyChecks.of(stack);
    app.synth();
    expect(findingLines(checks)).toEqual([
      'group-two-owners shop/ours azuread_group.ours true',
      expect.stringMatching(
        /^group-two-owners shop\/team\/ours azuread_group\.team_ours_\S+ true$/,
      ),
    ]);
    const anotherStack = new CastellanStack(new App({ outdir: outdir() }), 'shop', westEurope);
    new AzureadGroup(anotherStack, 'foreign', { ...group, mailNickname: 'a b' });
    expect(() => (anotherStack.node.root as App).synth()).toThrow(
      /policy-checks\.test\.ts:\d+:\d+: .*\(group-mail-nickname\)/,
    );
  });
});

it('reaches a stack inside another one', () => {
  const app = new App({ outdir: outdir() });
  PolicyChecks.of(app);
  const inner = new TerraformStack(new Construct(new TerraformStack(app, 'outer'), 'c'), 'inner');
  new AzureadProvider(inner, 'azuread');
  const shoppers = new AzureadGroup(inner, 'shoppers', group);
  app.synth();
  shoppers.mailNickname = 'sho ppers';
  expect(() => app.synth()).toThrow(/group-mail-nickname/);
});
