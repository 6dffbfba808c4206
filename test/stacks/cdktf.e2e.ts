import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { castellan, root } from '../support/cli.js';
import { terraformProgram } from '../support/terraform-program.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

/** A user's own project that has castellan as a dependency. */
const project = mkdtempSync(join(tmpdir(), 'castellan-cdktf-'));
let env: NodeJS.ProcessEnv = {};
const colourCodes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

const programEnv = (): NodeJS.ProcessEnv => ({
  ...process.env,
  ...env,
  CI: '1',
  CHECKPOINT_DISABLE: '1',
  // `npm run types` and test/package/strict-types.e2e.ts check the types of the programs
  TS_NODE_TRANSPILE_ONLY: 'true',
  TF_CLI_CONFIG_FILE: '/dev/null',
});

function cdktf(...args: string[]): { exitCode: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/cdktf-cli/bundle/bin/cdktf'), ...args],
    { cwd: project, env: programEnv(), encoding: 'utf8', timeout: 300_000 },
  );
  return { exitCode: status, output: (stdout + stderr).replace(colourCodes, '') };
}

/**
 * OpenTofu's init removes the providers that its own registry lacks from the lock file, in which
 * cdktf looks before it asks a registry.
 */
const skipLockFlags = terraformProgram === 'tofu' ? ['--skip-provider-lock'] : [];

/** The resources that Terraform manages, from its state. */
function managedResources(): readonly object[] {
  const state = join(project, '.castellan/terraform.storefront.tfstate');
  const { resources } = JSON.parse(readFileSync(state, 'utf8')) as {
    resources: readonly { readonly mode: string }[];
  };
  return resources.filter(({ mode }) => mode === 'managed');
}

beforeAll(async () => {
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  for (const name of ['ts-node', 'typescript', '@types', 'cdktf', 'constructs'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  symlinkSync(root, join(modules, 'castellan'));
  symlinkSync(join(root, 'node_modules/ts-node/dist/bin.js'), join(modules, '.bin/ts-node'));
  cpSync(join(root, 'examples/storefront/castellan.yaml'), join(project, 'castellan.yaml'));
  cpSync(join(root, 'examples/storefront/seed.yaml'), join(project, 'seed.yaml'));
  writeFileSync(join(project, 'package.json'), '{"name":"shop","private":true}');
  writeFileSync(
    join(project, 'main.ts'),
    "import { synthesizeConfig } from 'castellan/stacks';\n\nvoid synthesizeConfig({ paths: [__dirname] });\n",
  );
  writeFileSync(
    join(project, 'tsconfig.json'),
    '{"compilerOptions":{"target":"ES2022","module":"CommonJS","esModuleInterop":true,"strict":true,"skipLibCheck":true}}',
  );
  const settings = {
    ...(JSON.parse(readFileSync(join(root, 'cdktf.json'), 'utf8')) as object),
    app: 'node_modules/.bin/ts-node main.ts',
  };
  writeFileSync(join(project, 'cdktf.json'), JSON.stringify(settings));
  const started = await castellan(['sandbox', 'start', '--seed', 'seed.yaml'], { cwd: project });
  expect({
    exitCode: started.exitCode,
    stderr: started.exitCode === 0 ? '' : started.stderr,
  }).toEqual({ exitCode: 0, stderr: '' });
  const printed = (await castellan(['sandbox', 'env'], { cwd: project })).stdout;
  env = Object.fromEntries(
    [...printed.matchAll(/^export ([A-Z_0-9]+)='(.*)'$/gm)].map(([, name, value]) => [
      String(name),
      value,
    ]),
  );
});
afterAll(async () => {
  await castellan(['sandbox', 'stop'], { cwd: project });
  rmSync(project, { recursive: true, force: true });
});

describe("a user's own cdktf project on castellan", () => {
  // test/package/templates.e2e.ts runs `cdktf synth`
  it('synthesizes and deploys with the real Terraform', () => {
    const { exitCode, output } = cdktf('deploy', '*', '--auto-approve', '--skip-provider-lock');
    expect({ exitCode, output: exitCode === 0 ? '' : output }).toEqual({ exitCode: 0, output: '' });
    expect(output).toContain('storefront');
    expect(output).toMatch(/13 added, 0 changed/);
  });

  it('shows no differences, without asking a registry', () => {
    const { exitCode, output } = cdktf('diff', '--skip-synth', ...skipLockFlags);
    expect({ exitCode, output: exitCode === 0 ? '' : output }).toEqual({ exitCode: 0, output: '' });
    expect(output).toMatch(/No changes/);
  });

  it('finds the TypeScript example valid as it is', () => {
    cpSync(join(root, 'examples/typescript/main.ts'), join(project, 'example.ts'));
    // as cdktf runs it for `cdktf synth --output example.out`
    const synth = spawnSync(process.execPath, ['node_modules/.bin/ts-node', 'example.ts'], {
      cwd: project,
      env: { ...programEnv(), CDKTF_OUTDIR: 'example.out' },
      encoding: 'utf8',
    });
    expect([synth.status, synth.status === 0 ? '' : synth.stderr]).toEqual([0, '']);
    const stack = join(project, 'example.out/stacks/storefront');
    for (const command of ['init', 'validate']) {
      const run = spawnSync(terraformProgram, [`-chdir=${stack}`, command, '-no-color'], {
        env: { ...process.env, ...env },
        encoding: 'utf8',
      });
      expect([run.status, run.status === 0 ? '' : run.stdout + run.stderr]).toEqual([0, '']);
    }
  });

  it('destroys', () => {
    const before = managedResources();
    const { exitCode, output } = cdktf(
      'destroy',
      '*',
      '--auto-approve',
      '--skip-synth',
      ...skipLockFlags,
    );
    expect({ exitCode, output: exitCode === 0 ? '' : output }).toEqual({ exitCode: 0, output: '' });
    // cdktf may end before it has shown Terraform's last line: the state says what is left
    expect([before.length, managedResources()]).toEqual([13, []]);
  });
});
