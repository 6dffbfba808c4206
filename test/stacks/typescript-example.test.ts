import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  App,
  CastellanStack,
  Group,
  ServicePrincipal,
  UnifiedGroup,
  User,
  Workspace,
} from '../../constructs/index.js';
import { Storefront } from '../../examples/typescript/main.js';
import { synthesizeConfig } from '../../stacks/index.js';
import { withoutComments } from '../constructs/support/synthesized.js';
import { root } from '../support/cli.js';

const readSynthesized = (outdir: string): unknown =>
  withoutComments(JSON.parse(readFileSync(join(outdir, 'stacks/storefront/cdk.tf.json'), 'utf8')));

describe('examples/typescript', () => {
  it('synthesizes to the same Terraform as examples/storefront/castellan.yaml', async () => {
    const [fromYaml, fromProgram] = [
      mkdtempSync(join(tmpdir(), 'castellan-yaml-')),
      mkdtempSync(join(tmpdir(), 'castellan-ts-')),
    ];
    await synthesizeConfig({
      paths: ['examples/storefront'],
      cwd: root,
      outdir: fromYaml,
      target: 'azure',
      env: process.env,
    });
    const app = new App({ outdir: fromProgram });
    new Storefront(app);
    app.synth();
    expect(readSynthesized(fromProgram)).toEqual(readSynthesized(fromYaml));
  });
});

it('a configuration is written to cdktf.out where CDKTF_OUTDIR is empty', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-outdir-'));
  const env = { CDKTF_OUTDIR: '', TF_REATTACH_PROVIDERS: '' };
  writeFileSync(join(folder, 'castellan.yaml'), 'version: 1\nstack: shop\n');
  const [stack] = await synthesizeConfig({ paths: [folder], cwd: folder, env });
  expect(stack?.directory).toBe(join(folder, 'cdktf.out/stacks/shop'));
  expect(readdirSync(String(stack?.directory))).not.toContain('.terraform.lock.hcl');
});

describe('roles in a workspace and settings of a group', () => {
  const config = `version: 1
stack: storefront
principals:
  ada: { user: ada@contoso.example }
  pipeline: { servicePrincipal: Deployment pipeline }
  staff: { group: Staff, groupKind: security }
groups:
  analysts:
    { kind: unified, displayName: Analysts, description: Who reads, owners: [ada], settings: { Group.Unified.Guest: { AllowToAddGuests: false } } }
workspaces:
  telemetry:
    displayName: Telemetry
    roles:
      - { principal: analysts, role: Viewer }
      - { principal: ada, role: Admin }
      - { principal: pipeline, role: Contributor }
      - { principal: staff, role: Member }
`;

  function declare(stack: CastellanStack, style: 'props' | 'methods'): void {
    const ada = User.fromPrincipalName(stack, 'ada', 'ada@contoso.example');
    const analysts = new UnifiedGroup(stack, 'analysts', {
      displayName: 'Analysts',
      description: 'Who reads',
      owners: [ada],
      settings: { 'Group.Unified.Guest': { AllowToAddGuests: false } },
    });
    const roles = [
      { principal: analysts, role: 'Viewer' },
      { principal: ada, role: 'Admin' },
      {
        principal: ServicePrincipal.fromDisplayName(stack, 'pipeline', 'Deployment pipeline'),
        role: 'Contributor',
      },
      {
        principal: Group.fromDisplayName(stack, 'staff', 'Staff', { kind: 'security' }),
        role: 'Member',
      },
    ] as const;
    const workspace = new Workspace(stack, 'telemetry', {
      displayName: 'Telemetry',
      ...(style === 'props' && { roles }),
    });
    if (style === 'methods')
      for (const { principal, role } of roles) workspace.grant(principal, role);
  }

  it.each(['props', 'methods'] as const)(
    'have the same names and text in castellan.yaml and in a program, by %s',
    async (style) => {
      const folder = mkdtempSync(join(tmpdir(), 'castellan-roles-'));
      writeFileSync(join(folder, 'castellan.yaml'), config);
      const [fromYaml, fromProgram] = [join(folder, 'yaml'), join(folder, 'program')];
      await synthesizeConfig({
        paths: [folder],
        cwd: folder,
        outdir: fromYaml,
        target: 'azure',
        env: {},
      });
      const app = new App({ outdir: fromProgram });
      declare(new CastellanStack(app, 'storefront'), style);
      app.synth();
      expect(JSON.stringify(readSynthesized(fromProgram))).toBe(
        JSON.stringify(readSynthesized(fromYaml)),
      );
      expect(JSON.stringify(readSynthesized(fromYaml))).toContain('"telemetry_analysts');
    },
  );
});
