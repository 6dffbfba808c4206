import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { terraformProgram } from '../../support/terraform-program.js';

/** How a terraform command ended. */
export interface TerraformResult {
  readonly exitCode: number | null;
  /** Standard output and error together, without colours. */
  readonly output: string;
}

/** A folder with a configuration that the real terraform works on. */
export interface Workspace {
  readonly folder: string;
  /** Writes the configuration (Terraform JSON) and the files next to it. */
  write(config: object, files?: Readonly<Record<string, string>>): Promise<void>;
  run(...args: readonly string[]): Promise<TerraformResult>;
  /** Runs a command that must succeed; its output is the failure's message. */
  succeed(...args: readonly string[]): Promise<string>;
  /** Runs a command that must fail. */
  fail(...args: readonly string[]): Promise<string>;
  /** The outputs of the state, by name. */
  outputs(): Promise<Readonly<Record<string, unknown>>>;
  /** `terraform show -json` of the state. */
  state(): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>>;
  remove(): Promise<void>;
}

/** A fresh folder for terraform; nothing of the machine's own configuration counts there. */
export async function createWorkspace(env: Readonly<Record<string, string>>): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), 'cas-tf-'));
  const run = (...args: readonly string[]): Promise<TerraformResult> =>
    runTerraform(folder, env, args);
  const workspace: Workspace = {
    folder,
    async write(config, files = {}) {
      await writeFile(join(folder, 'main.tf.json'), JSON.stringify(config));
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    },
    run,
    async succeed(...args) {
      const { exitCode, output } = await run(...args);
      if (exitCode !== 0)
        throw new Error(`terraform ${args.join(' ')} ended with ${String(exitCode)}:\n${output}`);
      return output;
    },
    async fail(...args) {
      const { exitCode, output } = await run(...args);
      if (exitCode === 0)
        throw new Error(`terraform ${args.join(' ')} should have failed:\n${output}`);
      return output;
    },
    async outputs() {
      const parsed = JSON.parse(await workspace.succeed('output', '-json')) as Record<
        string,
        { value: unknown }
      >;
      return Object.fromEntries(Object.entries(parsed).map(([name, { value }]) => [name, value]));
    },
    async state() {
      type ShownState = {
        values?: {
          root_module: { resources?: { address: string; values: Record<string, unknown> }[] };
        };
      };
      const shownState = JSON.parse(await workspace.succeed('show', '-json')) as ShownState;
      return Object.fromEntries(
        (shownState.values?.root_module.resources ?? []).map(({ address, values }) => [
          address,
          values,
        ]),
      );
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
  return workspace;
}

function runTerraform(
  cwd: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<TerraformResult> {
  const child = spawn(terraformProgram, args, {
    cwd,
    env: {
      PATH: process.env['PATH'],
      // it ends before its garbage has to be collected, which takes a fifth of its processor time
      GOGC: 'off',
      GOMEMLIMIT: '1GiB',
      HOME: cwd,
      CHECKPOINT_DISABLE: '1',
      TF_CLI_CONFIG_FILE: '/dev/null',
      TF_IN_AUTOMATION: '1',
      TF_CLI_ARGS: '-no-color',
      TF_INPUT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (text: string): void => void (output += text);
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  return new Promise((done, fail) => {
    const timeout = setTimeout(() => child.kill('SIGKILL'), 120_000);
    child.once('error', fail);
    child.once('close', (exitCode) => {
      clearTimeout(timeout);
      done({ exitCode, output });
    });
  });
}
