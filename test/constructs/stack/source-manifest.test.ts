import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Group as PlainGroup } from '@cdktf/provider-azuread/lib/group';
import { AzureadProvider } from '@cdktf/provider-azuread/lib/provider';
import { AzurermProvider } from '@cdktf/provider-azurerm/lib/provider';
import { ResourceGroup } from '@cdktf/provider-azurerm/lib/resource-group';
import {
  App,
  CastellanStack,
  Group,
  PolicyChecks,
  SecurityGroup,
} from '../../../constructs/index.js';
import { TerraformStack } from '../../../constructs/internal/cdktf.js';
import { loadConfig } from '../../../policies/index.js';
import type { SourceManifest } from '../../../policies/sources/plan/source-manifest.js';
import { synthesize } from '../../../stacks/index.js';
import { root } from '../../support/cli.js';

let outdir: string;
beforeEach(() => (outdir = mkdtempSync(join(tmpdir(), 'castellan-manifest-'))));
afterEach(() => rmSync(outdir, { recursive: true, force: true }));

const readManifest = (stack: string): SourceManifest =>
  JSON.parse(
    readFileSync(join(outdir, 'stacks', stack, 'castellan.manifest.json'), 'utf8'),
  ) as SourceManifest;
const lineOf = (file: string, text: string): number =>
  readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(text)) + 1;

describe('the manifest of sources', () => {
  it('has the location of each value of a configuration, relative to its own folder', async () => {
    const { stacks } = await loadConfig({ paths: ['examples/storefront'], cwd: root });
    synthesize({
      stacks,
      outdir,
      cwd: root,
      env: { ARM_TENANT_ID: '11111111-2222-4333-8444-555555555555' },
    });
    const { files, resources, declarations } = readManifest('storefront');
    const source = resolve(root, 'examples/storefront/castellan.yaml');
    expect(files.map((file) => resolve(outdir, 'stacks/storefront', file))).toEqual([source]);
    expect(resources['azuread_group.shoppers']).toEqual({
      declaration: 'groups/shoppers',
      construct: 'storefront/groups/shoppers',
    });
    expect(resources['azapi_resource.storefront']).toMatchObject({
      declaration: 'containerApps/storefront',
    });
    expect(declarations['groups/shoppers']?.values?.['mailNickname']?.slice(0, 2)).toEqual([
      0,
      lineOf(source, 'mailNickname: shoppers'),
    ]);
  });

  it('has no resource of a stack inside its own', () => {
    const app = new App({ outdir });
    const outer = new CastellanStack(app, 'outer');
    const inner = new CastellanStack(outer, 'inner');
    const paths = [outer, inner].map(
      (stack) => new SecurityGroup(stack, 'staff', { displayName: 'Staff' }).node.path,
    );
    app.synth();
    expect(
      ['outer', 'inner'].map((name) => readManifest(name).resources['azuread_group.staff']),
    ).toMatchObject(paths.map((construct) => ({ construct })));
  });

  it('has the line of a program that creates each construct', () => {
    const app = new App({ outdir });
    const stack = new CastellanStack(app, 'shop');
    new Group(stack, 'shoppers', {
      kind: 'security',
      displayName: 'Shoppers',
      mailNickname: 'shoppers',
    });
    app.synth();
    const { files, resources, declarations } = readManifest('shop');
    const { declaration = '' } = resources['azuread_group.shoppers'] ?? {};
    const [file = -1, line] = declarations[declaration]?.place ?? [];
    expect(resolve(outdir, 'stacks/shop', files[file] ?? '')).toBe(__filename);
    expect(line).toBe(lineOf(__filename, "new Group(stack, 'shoppers'"));
    expect(declarations[declaration]?.values).toBeUndefined();
  });

  it('has the lines of the plain bindings in a bare stack with checks', () => {
    const app = new App({ outdir });
    PolicyChecks.of(app);
    const stack = new TerraformStack(app, 'bare');
    new AzureadProvider(stack, 'azuread', {});
    new PlainGroup(stack, 'shoppers', {
      displayName: 'Shoppers',
      securityEnabled: true,
      mailNickname: 'shoppers',
      mailEnabled: false,
    });
    new AzurermProvider(stack, 'azurerm', { features: [{}] });
    new ResourceGroup(stack, 'rg', { name: 'rg-shop', location: 'westeurope' });
    app.synth();
    const { files, resources } = readManifest('bare');
    const { place: [file = -1, line] = [], construct } = resources['azuread_group.shoppers'] ?? {};
    expect(construct).toBe('bare/shoppers');
    expect(resolve(outdir, 'stacks/bare', files[file] ?? '')).toBe(__filename);
    expect(line).toBe(lineOf(__filename, "new PlainGroup(stack, 'shoppers'"));
    const [, lineOfOther] = resources['azurerm_resource_group.rg']?.place ?? [];
    expect(lineOfOther).toBe(lineOf(__filename, "new ResourceGroup(stack, 'rg'"));
  });
});
