import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { newProject, startSandbox, type TestSandbox } from '../../sandbox/e2e-support.js';
import { sandboxEnvironmentVariables } from '../../../sandbox/environment-variables.js';
import { castellan, cliPath } from '../../support/cli.js';
import { kill, processesWith } from '../../support/processes.js';

/** The name of the stack that every declaration here has. */
const stack = 'small';

/**
 * At how many moments each kind of program is interrupted. `npm run test:long` sets the variable;
 * where it is not set, vitest.config.mts leaves these tests out.
 */
export const momentCount = Number(process.env['CASTELLAN_INTERRUPTS'] ?? 1);

/**
 * A source of random numbers from 0 to 1, for the moments of interruption.
 *
 * @param kind what is interrupted: each kind has its own numbers, the same in every run; another
 *   `CASTELLAN_PROPERTY_SEED` gives others.
 */
export function numbersFor(kind: string): () => number {
  const seed = Number(process.env['CASTELLAN_PROPERTY_SEED'] ?? 20_261);
  return seeded([...kind].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), seed));
}

/** A program to run. */
interface Program {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A project with a sandbox of its own, which starts with its first command. */
export class Project {
  readonly #started: Promise<TestSandbox>;
  readonly folder = newProject();

  constructor(declaration: string) {
    writeFileSync(join(this.folder, 'castellan.yaml'), declaration);
    this.#started = startSandbox(this.folder);
  }

  sandbox(): Promise<TestSandbox> {
    return this.#started;
  }

  async succeeds(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await castellan(args, { cwd: this.folder });
    expect({ args, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({
      args,
      exitCode: 0,
      stderr: '',
    });
    return stdout;
  }

  /**
   * Runs a command and interrupts it after some milliseconds, unless it has ended.
   *
   * @param interrupt gets the id of the command's process group.
   * @returns what the command wrote, to both outputs.
   */
  async runInterrupted(
    command: string,
    afterMilliseconds: number,
    interrupt: (processGroup: number) => void,
  ): Promise<string> {
    const env = { ...process.env, CI: '1', NO_COLOR: '1' };
    const { output } = await runInterrupted(
      { program: process.execPath, args: [cliPath, command], cwd: this.folder, env },
      afterMilliseconds,
      interrupt,
    );
    expect(output).not.toContain('CAS8999');
    return output;
  }

  /** Ends the sandbox, also one that is just starting. */
  killSandbox(): void {
    processesWith(`sandbox run --project ${this.folder}`).forEach(kill);
  }

  /**
   * What Terraform made, as the services list it, without ids: what is there twice is listed twice.
   */
  async inventory(): Promise<readonly string[]> {
    const sandbox = await this.sandbox();
    const { subscriptionId } = sandbox.settings;
    const list = async (path: string): Promise<readonly Entry[]> => {
      const { status, body } = await sandbox.api('GET', path);
      if (status === 200) return (body as { value: readonly Entry[] }).value;
      throw new Error(`GET ${path} answered ${status}`);
    };
    const [groups, applications, principals, policies, settings, workspaces, resources] =
      await Promise.all([
        list('/v1.0/groups'),
        list('/v1.0/applications'),
        list('/v1.0/servicePrincipals'),
        list('/v1.0/groupLifecyclePolicies'),
        list('/v1.0/groupSettings'),
        list('/v1/workspaces'),
        list(`/subscriptions/${subscriptionId}/resources?api-version=2021-04-01`),
      ]);
    const nestedEntries = await Promise.all([
      ...groups.map(async ({ id, displayName }) =>
        (await list(`/v1.0/groups/${id}/settings`)).map(settingOf(displayName)),
      ),
      ...workspaces.map(async ({ id, displayName }) =>
        (await list(`/v1/workspaces/${id}/items`)).map(
          (item) => `${item.type} ${item.displayName} of ${displayName}: ${item.description}`,
        ),
      ),
      ...resources
        .filter(({ type }) => type === 'Microsoft.App/containerApps')
        .map(async ({ id, name }) =>
          (await list(`${id}/authConfigs?api-version=2025-07-01`)).map(
            (auth) => `sign-in of ${name}: ${JSON.stringify(auth.properties)}`,
          ),
        ),
      list(`/subscriptions/${subscriptionId}/resourcegroups?api-version=2021-04-01`).then((all) =>
        all.map(({ name }) => `resources ${name}`),
      ),
    ]);
    return [
      ...groups.map(
        ({ displayName, preferredLanguage }) => `group ${displayName} ${preferredLanguage ?? ''}`,
      ),
      ...applications.map(
        ({ displayName, passwordCredentials, web }) =>
          `application ${displayName}, passwords: ${passwordCredentials?.length}, at ${web?.redirectUris.join(' ')}`,
      ),
      ...principals.map(({ displayName }) => `principal ${displayName}`),
      ...policies.map(({ groupLifetimeInDays }) => `lifecycle of ${groupLifetimeInDays} days`),
      ...settings.map(settingOf('all')),
      ...workspaces.map(({ displayName }) => `workspace ${displayName}`),
      ...resources.map(({ type, name }) => `${type} ${name}`),
      ...nestedEntries.flat(),
    ]
      .map((line) =>
        line
          .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
          .replace(/localhost:\d+/g, 'localhost'),
      )
      .sort();
  }

  /**
   * Expects that Terraform plans nothing: all that is declared is in the state of the stack, and is
   * there as declared.
   */
  async expectNoChanges(): Promise<void> {
    const cwd = join(this.folder, '.castellan/stacks', stack);
    const { code, output } = await runToEnd({
      program: 'terraform',
      args: ['plan', '-detailed-exitcode', '-no-color'],
      cwd,
      env: this.environment(),
    });
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  }

  /** The environment variables for Terraform, as `castellan sandbox env` prints them. */
  environment(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      CHECKPOINT_DISABLE: '1',
      ...sandboxEnvironmentVariables(this.folder, { providers: 'castellan' }),
    };
  }

  /** Expects that no resource is left in the state of the stack. */
  expectEmptyState(): void {
    const state = readFileSync(
      join(this.folder, '.castellan', `terraform.${stack}.tfstate`),
      'utf8',
    );
    expect((JSON.parse(state) as { resources: unknown[] }).resources).toEqual([]);
  }

  async end(): Promise<void> {
    await (await this.sandbox()).stop();
  }
}

/** An entry of a list of the services, with the properties that the inventory shows. */
interface Entry {
  readonly id: string;
  readonly displayName: string;
  readonly name: string;
  readonly type: string;
  readonly description?: string;
  readonly preferredLanguage?: string | null;
  readonly passwordCredentials?: readonly unknown[];
  readonly web?: { readonly redirectUris: readonly string[] };
  readonly groupLifetimeInDays?: number;
  readonly values?: readonly { readonly name: string; readonly value: string }[];
  readonly properties?: unknown;
}

const settingOf =
  (whose: string) =>
  ({ displayName, values = [] }: Entry): string =>
    `setting ${displayName} of ${whose}: ${values.map(({ name, value }) => `${name}=${value}`).join(' ')}`;

/** How long something takes, in milliseconds. */
export async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Runs a program to its end. @returns what it wrote, to both outputs */
export function runToEnd(
  program: Program,
): Promise<{ readonly code: number | null; readonly output: string }> {
  return runInterrupted(program, 0, () => undefined);
}

/**
 * Runs a program and interrupts it after some milliseconds, unless it has ended.
 *
 * @param interrupt gets the id of the program's process group.
 */
export async function runInterrupted(
  { program, args, cwd, env }: Program,
  afterMilliseconds: number,
  interrupt: (processGroup: number, hasEnded: () => boolean) => Promise<void> | void,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const closed = new Promise<void>((done, fail) =>
    child.once('error', fail).once('close', () => done()),
  );
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  await Promise.race([closed, wait(afterMilliseconds)]);
  if (!hasEnded() && child.pid !== undefined) await interrupt(child.pid, hasEnded);
  await closed;
  return { code: child.exitCode, output };
}

/** The same numbers from 0 to 1 for the same seed, anywhere (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
