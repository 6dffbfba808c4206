import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandboxCapacity } from '../../../core/sandbox/capacity.js';
import { castellan, root } from '../../support/cli.js';
import { type ControlPlane, startControlPlane } from '../support/control-plane.js';
import { createWorkspace, type Workspace } from '../support/terraform.js';

type Plan = { readonly resource_changes: readonly Change[] };
interface Change {
  readonly address: string;
  readonly mode: string;
  readonly change: Readonly<
    Record<'actions' | 'before' | 'after' | 'after_unknown' | 'replace_paths', unknown>
  >;
}

interface Config {
  readonly terraform: { backend?: unknown };
  readonly resource: Readonly<Record<string, Readonly<Record<string, Record<string, unknown>>>>>;
}

/**
 * The same stack by the official providers: created, then changed in three places, or destroyed.
 */
const officialPlan = (name: string): Plan =>
  JSON.parse(
    readFileSync(
      join(root, 'test/policies/sources/plan/official/storefront', `${name}.json`),
      'utf8',
    ),
  ) as Plan;

/** Replaces what differs between two runs of one provider: made-up ids, hosts, keys and times. */
function withPlaceholders(text: string): string {
  return (
    text
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
      .replace(
        /(https?:\/\/)?(localhost:\d+|127\.0\.0\.1:\d+|env-\w+\.westeurope\.azurecontainerapps\.io)/g,
        '<host>',
      )
      .replace(/storefront--\w{7}/g, '<revision>')
      .replace(/"source_content_sha256":"\w+"/g, '"source_content_sha256":"<hash>"')
      // A second address, which the stack declared when these plans were made.
      .replace(/,"https:\/\/[^"]*\/\.auth\/login\/directory\/callback"/g, '')
      // A pointer that the provider prints.
      .replace(/"disabled_by_microsoft":"map\[false:\]"/g, '"disabled_by_microsoft":""')
      .replace(/"value":"[^"]+"/g, '"value":"<secret>"')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(/"[0-9A-F]{64}"/g, '"<verification>"')
      // The one default that differs between the versions 4 (of these plans) and 5 of azurerm.
      .replace(/"logs_destination":(null|"")/g, '"logs_destination":null')
  );
}

function changesOf(
  { resource_changes }: Plan,
  ...facets: readonly (keyof Change['change'])[]
): Readonly<Record<string, unknown>> {
  const managed = resource_changes.filter(({ mode }) => mode === 'managed');
  const changes = managed.map(({ address, change }) => [
    address,
    Object.fromEntries(facets.map((facet) => [facet, change[facet]])),
  ]);
  return JSON.parse(withPlaceholders(JSON.stringify(Object.fromEntries(changes)))) as Readonly<
    Record<string, unknown>
  >;
}

/**
 * Removes empty values: once read again, the official providers write what is not set as "", false
 * or [], ours keep null.
 */
function withoutEmptyValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyValues);
  if (typeof value !== 'object' || value === null) return value;
  const isSet = (each: unknown): boolean =>
    ![null, '', false, 0].includes(each as null) && !/^(\[\]|\{\})$/.test(JSON.stringify(each));
  const entries = Object.entries(value).map(
    ([name, each]) => [name, withoutEmptyValues(each)] as const,
  );
  return Object.fromEntries(entries.filter(([, each]) => isSet(each)));
}

describe('our own providers plan the storefront as the official ones do', () => {
  const project = mkdtempSync(join(tmpdir(), 'cas-storefront-'));
  const yaml = join(project, 'castellan.yaml');
  let controlPlane: ControlPlane;
  let workspace: Workspace;
  beforeAll(async () => {
    cpSync(join(root, 'examples/storefront'), project, { recursive: true });
    const seed = join(project, 'seed.yaml');
    const capacity = { ...sandboxCapacity, sku: 'F64', region: 'West Europe', state: 'Active' };
    writeFileSync(
      seed,
      `${readFileSync(seed, 'utf8')}\ncapacities: [${JSON.stringify(capacity)}]\n`,
    );
    controlPlane = await startControlPlane({ seed });
    workspace = await createWorkspace({
      ...controlPlane.env,
      TF_VAR_CODEHOST_SECRET: 'made-up-secret-1',
    });
  });
  afterAll(async () => {
    await workspace.remove();
    await controlPlane.close();
    rmSync(project, { recursive: true });
  });

  async function plan(...args: readonly string[]): Promise<Plan> {
    const { exitCode, stderr } = await castellan(['synth', '--out', 'out'], { cwd: project });
    expect([exitCode, exitCode === 0 ? '' : stderr]).toEqual([0, '']);
    const config = JSON.parse(
      readFileSync(join(project, 'out/stacks/storefront/cdk.tf.json'), 'utf8'),
    ) as Config;
    delete config.terraform.backend;
    // What `up` adds for the sandbox.
    Object.assign(config.resource['fabric_workspace']?.['telemetry'] ?? {}, {
      capacity_id: sandboxCapacity.id,
    });
    await workspace.write(config);
    cpSync(join(project, 'out/stacks/storefront'), workspace.folder, {
      recursive: true,
      filter: (path) => !path.endsWith('.tf.json'),
    });
    await workspace.succeed('init');
    await workspace.succeed('plan', '-out=plan.bin', ...args);
    return JSON.parse(await workspace.succeed('show', '-json', 'plan.bin')) as Plan;
  }

  it('when it is created', async () => {
    const facets = ['actions', 'after', 'after_unknown'] as const;
    expect(changesOf(await plan(), ...facets)).toEqual(
      changesOf(officialPlan('create'), ...facets),
    );
    await workspace.succeed('apply', 'plan.bin');
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
  });

  it('when a name, a replica limit and the units of an eventhouse change', async () => {
    const text = readFileSync(yaml, 'utf8')
      .replace('displayName: Storefront administrators', 'displayName: Admins of the storefront')
      .replace('max: 3', 'max: 5')
      .replace('4.25', '60');
    writeFileSync(yaml, text);
    const facets = ['actions', 'before', 'after', 'after_unknown', 'replace_paths'] as const;
    expect(withoutEmptyValues(changesOf(await plan(), ...facets))).toEqual(
      withoutEmptyValues(changesOf(officialPlan('change'), ...facets)),
    );
  });

  it('when it is destroyed', async () => {
    const facets = ['actions', 'before', 'after', 'after_unknown'] as const;
    expect(withoutEmptyValues(changesOf(await plan('-destroy'), ...facets))).toEqual(
      withoutEmptyValues(changesOf(officialPlan('destroy'), ...facets)),
    );
    await workspace.succeed('apply', 'plan.bin');
  });
});
