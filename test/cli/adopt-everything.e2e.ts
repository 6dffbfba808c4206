import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { cliPath, root } from '../support/cli.js';
import { type CliRun, runCliWithTestEnvironment } from '../support/run-cli.js';

const project = mkdtempSync(join(tmpdir(), 'castellan-adopt-'));
const run = (...args: string[]): Promise<CliRun> =>
  runCliWithTestEnvironment(args, { cwd: project });
const castellanCommand = `'${process.execPath}' '${cliPath}'`;
const state = '.castellan/terraform.storefront.tfstate';

beforeAll(async () => {
  cpSync(join(root, 'examples/storefront'), project, { recursive: true });
  const file = join(project, 'castellan.yaml');
  const declared = 'displayName: Storefront sign-in';
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(declared);
  // the redirect URI of a gateway in front of the app looks like the app's own
  const further =
    'owners: [ada, grace], redirectUris: ["https://front.example/.auth/login/aad/callback"]';
  writeFileSync(file, text.replace(declared, `${declared}, ${further}`));
  const { exitCode, stderr } = await run('up');
  if (exitCode !== 0) throw new Error(stderr);
});
afterAll(async () => {
  await run('sandbox', 'stop');
  rmSync(project, { recursive: true, force: true });
});

describe('the storefront, applied elsewhere', () => {
  const folders = ['cloud', 'theirs', 'ours'].map(() =>
    mkdtempSync(join(tmpdir(), 'castellan-adopt-')),
  );
  afterAll(async () => {
    await runCliWithTestEnvironment(['sandbox', 'stop'], { cwd: folders[0] ?? '' });
    for (const each of folders) rmSync(each, { recursive: true, force: true });
  });

  it('is adopted from the services into an empty folder with its state, and a plan has no changes', async () => {
    const [cloud = '', theirs = '', ours = ''] = folders;
    await runCliWithTestEnvironment(
      ['sandbox', 'start', '--seed', join(root, 'examples/storefront/seed.yaml')],
      {
        cwd: cloud,
      },
    );
    const { stdout } = await runCliWithTestEnvironment(['sandbox', 'env', '--json'], {
      cwd: cloud,
    });
    const env = {
      ...(JSON.parse(stdout) as Record<string, string>),
      CODEHOST_SECRET: 'hush-hush',
      CODEHOST_CLIENT_SECRET: 'hush-hush',
    };
    const original = readFileSync(join(root, 'examples/storefront/castellan.yaml'), 'utf8');
    const withCapacity = 'displayName: Telemetry, capacityId: c0ffee00-0000-4000-8000-000000000001';
    writeFileSync(
      join(theirs, 'castellan.yaml'),
      original.replace('displayName: Telemetry', withCapacity),
    );
    expect(
      await runCliWithTestEnvironment(['up', '--target', 'azure', '--auto-approve'], {
        cwd: theirs,
        env,
      }),
    ).toMatchObject({ exitCode: 0 });

    const adopted = await runCliWithTestEnvironment(['adopt', '--out', 'castellan.yaml'], {
      cwd: ours,
      env,
    });
    expect([adopted.exitCode, adopted.stderr]).toEqual([
      0,
      expect.stringContaining('adopted: taken into the state; a plan shows no changes'),
    ]);
    for (const [cwd, stack] of [[ours, 'adopted'] as const, [theirs, 'storefront'] as const])
      expect(
        (await runCliWithTestEnvironment(['plan', '--target', 'azure'], { cwd, env })).stdout,
      ).toBe(`${stack}: no changes\n`);
    // moved to another folder, with the state that it has
    rmSync(join(ours, 'castellan.yaml'));
    cpSync(
      join(theirs, 'terraform.storefront.tfstate'),
      join(ours, 'terraform.storefront.tfstate'),
    );
    await runCliWithTestEnvironment(
      ['adopt', '--state', 'terraform.storefront.tfstate', '--out', 'castellan.yaml'],
      {
        cwd: ours,
        env,
      },
    );
    expect(
      (await runCliWithTestEnvironment(['plan', '--target', 'azure'], { cwd: ours, env })).stdout,
    ).toBe('storefront: no changes\n');
    expect(
      (await runCliWithTestEnvironment(['adopt', '--out', 'other.yaml'], { cwd: ours, env }))
        .stderr,
    ).toContain('CAS8205');
  });
});

describe('the storefront, applied and adopted beside its sandbox', () => {
  it('is planned without changes', async () => {
    const adopted = await run('adopt', '--state', state, '--out', 'adopted/castellan.yaml');
    expect([adopted.exitCode, adopted.stderr]).toEqual([
      0,
      expect.stringContaining('containerApps 1, groups 2, workspaces 1'),
    ]);
    expect((await run('plan', 'adopted')).stdout).toBe('storefront: no changes\n');
  });

  it('is the same when adopted from terraform show -json', async () => {
    const [show, adopt] = [
      `terraform -chdir=.castellan/stacks/storefront show -json`,
      `${castellanCommand} adopt --state - --stack storefront`,
    ];
    const piped = execFileSync(
      'bash',
      ['-c', `eval "$(${castellanCommand} sandbox env)" && ${show} | ${adopt}`],
      { cwd: project },
    );
    expect(piped.toString()).toBe(readFileSync(join(project, 'adopted/castellan.yaml'), 'utf8'));
  });

  it('differs from the original as docs/guides/adopt.md says', () => {
    const [original, adopted] = ['castellan.yaml', 'adopted/castellan.yaml'].map(
      (file) =>
        parse(readFileSync(join(project, file), 'utf8')) as Record<string, Record<string, never>>,
    ) as [Record<string, Record<string, never>>, Record<string, Record<string, never>>];
    for (const section of ['registrations', 'workspaces', 'eventhouses', 'eventstreams'])
      expect(adopted[section]).toEqual(original[section]);
    // a description that the declaration leaves to its default is said
    expect(adopted['groups']).toEqual({
      'storefront-admins': {
        ...(original['groups']?.['storefront-admins'] as object | undefined),
        description: 'Storefront administrators',
      },
      shoppers: {
        ...(original['groups']?.['shoppers'] as object | undefined),
        description: 'Shoppers',
      },
    });
    expect(adopted['containerApps']).toMatchObject({
      storefront: {
        secrets: { 'codehost-client-secret': '${env:CODEHOST_CLIENT_SECRET}' },
        auth: {
          providers: {
            directory: { registration: 'storefront-login', allowedGroups: ['shoppers'] },
          },
        },
      },
    });
    expect(readFileSync(join(project, 'adopted/castellan.yaml'), 'utf8')).not.toContain('stand-in');
  });

  it('is adopted from the services of the sandbox beside it', async () => {
    const groups = JSON.parse((await run('directory', 'groups', '--json')).stdout) as {
      id: string;
    }[];
    const adopted = await run('adopt', '--out', 'live/castellan.yaml');
    expect([adopted.exitCode, adopted.stderr]).toEqual([
      0,
      expect.stringContaining('adopted: taken into the state; a plan shows no changes'),
    ]);
    expect((await run('plan', 'live')).stdout).toBe('adopted: no changes\n');
    // nothing that the first stack has was changed
    expect((await run('plan', 'castellan.yaml')).stdout).toBe('storefront: no changes\n');
    expect(JSON.parse((await run('directory', 'groups', '--json')).stdout)).toEqual(groups);
    const [fromState, live] = ['adopted', 'live'].map(
      (folder) => parse(readFileSync(join(project, folder, 'castellan.yaml'), 'utf8')) as object,
    );
    expect(live).toEqual({
      ...fromState,
      stack: 'adopted',
      // the services know display names, and no names of declarations
      registrations: {
        'storefront-sign-in': {
          displayName: 'Storefront sign-in',
          owners: ['ada', 'grace'],
          redirectUris: ['https://front.example/.auth/login/aad/callback'],
        },
      },
      environments: { 'cae-storefront': { name: 'cae-storefront' } },
      containerApps: {
        storefront: expect.objectContaining({ environment: 'cae-storefront' }) as object,
      },
      workspaces: { Telemetry: { displayName: 'Telemetry' } },
      eventhouses: {
        clickstore: expect.objectContaining({
          workspace: 'Telemetry',
          minimumConsumptionUnits: 4.25,
        }) as object,
      },
      eventstreams: { clicks: expect.objectContaining({ workspace: 'Telemetry' }) as object },
    });
    const secondAdoption = await run('adopt', '--out', 'live/castellan.yaml', '--force');
    expect([secondAdoption.exitCode, secondAdoption.stderr]).toEqual([
      2,
      expect.stringContaining('--no-import'),
    ]);
  });
});
