import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AzureadProvider } from '@cdktf/provider-azuread/lib/provider';
import {
  App,
  CloudSettings,
  ContainerApp,
  Eventstream,
  User,
  SecurityGroup,
  Workspace,
} from '../../../constructs/index.js';
import {
  Construct,
  TerraformStack,
  TerraformVariable,
} from '../../../constructs/internal/cdktf.js';
import { type TerraformJson, withoutComments } from '../support/synthesized.js';

function synthesize(declare: (stack: TerraformStack) => void): TerraformJson {
  const outdir = mkdtempSync(join(tmpdir(), 'castellan-plain-stack-'));
  const app = new App({ outdir });
  declare(new TerraformStack(app, 'plain'));
  app.synth();
  const json = withoutComments(
    JSON.parse(readFileSync(join(outdir, 'stacks/plain/cdk.tf.json'), 'utf8')),
  );
  return { resource: {}, data: {}, ...(json as object) } as TerraformJson;
}

describe('constructs in a stack of bare cdktf', () => {
  it('declare the providers that the user has not declared, in any order', () => {
    const { provider } = synthesize((stack) => {
      new SecurityGroup(stack, 'g', { displayName: 'G' });
      new Workspace(stack, 'w', { displayName: 'W' });
      new AzureadProvider(stack, 'own', { tenantId: 'tenant-of-the-user' });
    });
    expect(provider).toEqual({ azuread: [{ tenant_id: 'tenant-of-the-user' }], fabric: [{}] });
  });

  it('are synthesized where the user puts them', () => {
    const { resource } = synthesize((stack) => {
      CloudSettings.of(stack).set({ location: 'northeurope', resourceGroup: 'rg-own' });
      new ContainerApp(stack, 'web', { image: 'nginx:1' });
    });
    expect(resource['azurerm_resource_group']).toEqual({
      plain: { name: 'rg-own', location: 'northeurope' },
    });
  });

  it('take values known only after apply, alone, in text, in lists and in documents', () => {
    const { resource } = synthesize((stack) => {
      const name = new TerraformVariable(stack, 'name', { type: 'string' }).stringValue as string;
      new SecurityGroup(stack, 'g', {
        displayName: `Team \${not} ${name}`,
        mailNickname: name,
        members: [name],
      });
      const workspace = new Workspace(stack, 'w', { displayName: name });
      const properties = { label: `Seen by ${name}`, count: 3 };
      new Eventstream(stack, 's', {
        workspace,
        displayName: 's',
        definition: { sources: [{ name: 'x', type: 'CustomEndpoint', properties }] },
      });
    });
    expect(resource['azuread_group']?.['g']).toMatchObject({
      display_name: 'Team $${not} ${var.name}',
      mail_nickname: '${var.name}',
      members: ['${var.name}'],
    });
    expect(JSON.stringify(resource['fabric_eventstream'])).toContain(
      '\\"label\\" = \\"Seen by ${var.name}\\", \\"count\\" = 3',
    );
  });

  it('get unique names in scopes of the user', () => {
    const { resource, data } = synthesize((stack) => {
      for (const team of ['one', 'two']) {
        const scope = new Construct(stack, team);
        const ada = User.fromPrincipalName(scope, 'ada', `ada@${team}.example`);
        new SecurityGroup(scope, 'staff', { displayName: `Staff ${team}`, owners: [ada] });
      }
    });
    expect(Object.keys(resource['azuread_group'] ?? {})).toEqual([
      expect.stringMatching(/^one_staff_[0-9A-F]{8}$/) as string,
      expect.stringMatching(/^two_staff_[0-9A-F]{8}$/) as string,
    ]);
    expect(Object.keys(data['azuread_user'] ?? {})).toHaveLength(2);
  });
});
