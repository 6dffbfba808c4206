import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { castellan, cliPath, type CliResult, root } from '../support/cli.js';

const project = mkdtempSync(join(tmpdir(), 'castellan-adopt-'));
const run = (...args: string[]): Promise<CliResult> => castellan(args, { cwd: project });
const own = `'${process.execPath}' '${cliPath}'`;
const state = '.castellan/terraform.storefront.tfstate';

beforeAll(async () => {
  cpSync(join(root, 'examples/storefront'), project, { recursive: true });
  const { exitCode, stderr } = await run('up');
  if (exitCode !== 0) throw new Error(stderr);
});
afterAll(async () => {
  await run('down', '--all');
  rmSync(project, { recursive: true, force: true });
});

describe('the storefront, applied and adopted into an empty folder', () => {
  it('is planned without changes', async () => {
    const adopted = await run('adopt', '--state', state, '--out', 'adopted/castellan.yaml');
    expect([adopted.exitCode, adopted.stderr]).toEqual([0, expect.stringContaining('1 containerApps, 2 groups, 1 workspaces')]);
    expect((await run('plan', 'adopted')).stdout).toBe('storefront: no changes\n');
  });

  it('says the same of what terraform show -json prints', async () => {
    const [show, adopt] = [`terraform -chdir=.castellan/stacks/storefront show -json`, `${own} adopt --state - --stack storefront`];
    const piped = execFileSync('bash', ['-c', `eval "$(${own} sandbox env)" && ${show} | ${adopt}`], { cwd: project });
    expect(piped.toString()).toBe(readFileSync(join(project, 'adopted/castellan.yaml'), 'utf8'));
  });

  it('differs from the original as docs/guides/adopt.md says', () => {
    const [original, adopted] = ['castellan.yaml', 'adopted/castellan.yaml'].map(
      (file) => parse(readFileSync(join(project, file), 'utf8')) as Record<string, Record<string, never>>,
    ) as [Record<string, Record<string, never>>, Record<string, Record<string, never>>];
    for (const section of ['registrations', 'workspaces', 'eventhouses', 'eventstreams'])
      expect(adopted[section]).toEqual(original[section]);
    // a description that the declaration leaves to its default is said
    expect(adopted['groups']).toEqual({
      'storefront-admins': {
        ...(original['groups']?.['storefront-admins'] as object | undefined),
        description: 'Storefront administrators',
      },
      shoppers: { ...(original['groups']?.['shoppers'] as object | undefined), description: 'Shoppers' },
    });
    expect(adopted['containerApps']).toMatchObject({
      storefront: {
        secrets: { 'codehost-client-secret': '${env:CODEHOST_CLIENT_SECRET}' },
        auth: { providers: { directory: { registration: 'storefront-login', allowedGroups: ['shoppers'] } } },
      },
    });
    expect(readFileSync(join(project, 'adopted/castellan.yaml'), 'utf8')).not.toContain('stand-in');
  });

  it('is adopted from the services of the sandbox beside it, as it is', async () => {
    const groups = JSON.parse((await run('directory', 'groups', '--json')).stdout) as { id: string }[];
    const adopted = await run('adopt', '--out', 'live/castellan.yaml');
    expect([adopted.exitCode, adopted.stderr]).toEqual([
      0,
      expect.stringContaining('adopted: taken into the state; a plan shows no changes'),
    ]);
    expect((await run('plan', 'live')).stdout).toBe('adopted: no changes\n');
    // nothing that the first stack has was changed
    expect((await run('plan')).stdout).toBe('storefront: no changes\n');
    expect(JSON.parse((await run('directory', 'groups', '--json')).stdout)).toEqual(groups);
    const [fromState, live] = ['adopted', 'live'].map(
      (folder) => parse(readFileSync(join(project, folder, 'castellan.yaml'), 'utf8')) as object,
    );
    expect(live).toEqual({
      ...fromState,
      stack: 'adopted',
      // the services know display names, and no names of declarations
      registrations: { 'storefront-sign-in': { displayName: 'Storefront sign-in' } },
      environments: { 'cae-storefront': { name: 'cae-storefront' } },
      containerApps: { storefront: expect.objectContaining({ environment: 'cae-storefront' }) as object },
      workspaces: { Telemetry: { displayName: 'Telemetry' } },
      eventhouses: { clickstore: expect.objectContaining({ workspace: 'Telemetry', minimumConsumptionUnits: 4.25 }) as object },
      eventstreams: { clicks: expect.objectContaining({ workspace: 'Telemetry' }) as object },
    });
    const again = await run('adopt', '--out', 'live/castellan.yaml', '--force');
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('--no-import')]);
  });
});
