import { dirname, join, resolve } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { environmentFolder } from '../../core/project/environment-folder.js';
import type { LoadedStack } from '../../policies/index.js';
import type { AppSettings, AppSettingsByName, SandboxHandle } from '../../sandbox/index.js';
import type { CliIo } from '../command.js';
import { findSeed } from '../seed-file.js';
import type { ApplyOptions } from './options.js';
import { type Progress, type PrintLine, runTask } from './progress.js';
import type { RunnableStack, ApplySession } from './session.js';
import { secretGenerator } from './generated-secrets.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { hasProtectedStack } from './check-stacks.js';
import { engineOfStacks, findSupportedEngine } from './terraform-program.js';

/**
 * Prepares the target of checked stacks, and synthesizes them for it.
 *
 * @throws the errors of the sandbox, the synthesis and the search for Terraform.
 */
export async function openSession(
  loadedStacks: readonly LoadedStack[],
  options: ApplyOptions,
  io: CliIo,
  progress: Progress,
): Promise<ApplySession> {
  const { program, engine } = await runTask(progress, 'Find Terraform', (printLine) =>
    findSupportedEngine({ ...options, engine: engineOfStacks(loadedStacks) }, io, printLine),
  );
  const sandbox =
    options.target === 'sandbox'
      ? await runTask(progress, 'Sandbox', (printLine) =>
          startSeededSandbox(loadedStacks, options, io, printLine),
        )
      : undefined;
  const targetEnv =
    sandbox === undefined ? {} : sandbox.environmentVariables(options.providers, io.env);
  const env = { ...io.env, ...targetEnv };
  const stacks = await runTask(progress, 'Synthesize', (printLine) =>
    synthesizeStacks(loadedStacks, options, { ...io, env }, printLine),
  );
  const apps = Object.assign(
    {},
    ...loadedStacks.map((stack) => appSettingsOf(stack, io.cwd)),
  ) as AppSettingsByName;
  const builds = loadedStacks.flatMap((stack) => imageBuildsOf(stack, io.cwd));
  return {
    stacks,
    apps,
    builds,
    isProtected: hasProtectedStack(loadedStacks),
    terraformProgram: program,
    engine: engine.name,
    ...omitUndefined({ sandbox }),
  };
}

/**
 * Starts the sandbox of previously synthesized stacks, with its data, or uses the running one.
 *
 * @returns undefined if the target is the cloud.
 */
export async function startTargetSandbox(
  { target, environment }: ApplyOptions,
  io: CliIo,
  printLine: PrintLine,
): Promise<SandboxHandle | undefined> {
  if (target === 'azure') return undefined;
  const { ensureSandbox } = await import('../../sandbox/index.js');
  return ensureSandbox({ projectDir: io.cwd, environment, onProgress: printLine });
}

/** Starts the sandbox, or uses the running one, and adds the seeds of all stacks. */
async function startSeededSandbox(
  loadedStacks: readonly LoadedStack[],
  { environment }: ApplyOptions,
  io: CliIo,
  printLine: PrintLine,
): Promise<SandboxHandle> {
  const { ensureSandbox } = await import('../../sandbox/index.js');
  const seeds = [
    ...new Set(loadedStacks.flatMap((stack) => findSeed(stack, io.cwd, [io.cwd]) ?? [])),
  ];
  const [first, ...others] = seeds;
  const location = { projectDir: io.cwd, environment };
  let sandbox = await ensureSandbox({
    ...location,
    onProgress: printLine,
    ...omitUndefined({ seedFile: first }),
  });
  for (const seedFile of others) sandbox = await ensureSandbox({ ...location, seedFile });
  return sandbox;
}

/** The folders from which images of a stack's apps are built, by `sandbox.build`. */
function imageBuildsOf(
  { config, files }: LoadedStack,
  cwd: string,
): NonNullable<ApplySession['builds']> {
  const folder = dirname(resolve(cwd, files[0] ?? '.'));
  return Object.entries(config.containerApps ?? {}).flatMap(([key, { name, sandbox }]) =>
    sandbox?.build === undefined
      ? []
      : [{ app: name ?? key, folder: resolve(folder, sandbox.build) }],
  );
}

/**
 * Builds the images of the apps, if the target is the sandbox and a container engine runs.
 *
 * @returns the session, whose apps run the built images.
 * @throws CAS4015 when one cannot be built.
 */
export async function buildImages(
  session: ApplySession,
  progress: Progress,
): Promise<ApplySession> {
  const { builds = [], sandbox } = session;
  if (builds.length === 0 || sandbox === undefined) return session;
  return runTask(progress, 'Build', async (printLine) => {
    const { isContainerEngineRunning, buildImage } =
      await import('../../sandbox/hosting/container-engine.js');
    if (!(await isContainerEngineRunning())) {
      printLine(
        `no container engine answers: ${builds.map(({ app }) => app).join(', ')} can't be built, and a page is shown in place of it`,
      );
      return session;
    }
    const apps: Record<string, AppSettings> = { ...session.apps };
    for (const { app, folder } of builds) {
      printLine(`building ${app}`);
      apps[app] = { ...apps[app], image: await buildImage(app, folder) };
    }
    return { ...session, apps };
  });
}

/** How the sandbox runs the apps of a stack, by name; nothing of it is applied to the cloud. */
function appSettingsOf({ config, files }: LoadedStack, cwd: string): AppSettingsByName {
  const folder = dirname(resolve(cwd, files[0] ?? '.'));
  const apps = Object.entries(config.containerApps ?? {}).map(([key, app]) => {
    const { command, env, page, workingDirectory } = app.sandbox ?? {};
    const isProcess = command !== undefined || workingDirectory !== undefined;
    const settings = {
      ...(command !== undefined && {
        command: typeof command === 'string' ? command : command.map(quoteForShell).join(' '),
      }),
      ...omitUndefined({
        env,
        page,
        workingDirectory: isProcess ? resolve(folder, workingDirectory ?? '.') : undefined,
      }),
      dialect: config.dialect ?? ('neutral' as const),
      requiresAuth: app.auth !== undefined,
    };
    return [app.name ?? key, settings] as const;
  });
  return Object.fromEntries(apps);
}

function quoteForShell(word: string): string {
  return `'${word.replace(/'/g, `'\\''`)}'`;
}

async function synthesizeStacks(
  loadedStacks: readonly LoadedStack[],
  options: ApplyOptions,
  io: CliIo,
  printLine: PrintLine,
): Promise<RunnableStack[]> {
  const { synthesize, terraformVariables } = await import('../../stacks/index.js');
  const { target } = options;
  const isSandbox = target === 'sandbox';
  const folder = environmentFolder(options.environment);
  const secrets = secretGenerator(io.cwd, options.environment);
  const stacks = synthesize({
    stacks: loadedStacks,
    // a folder for each target: Terraform refuses another state in the same folder
    outdir: isSandbox ? folder : join(folder, target),
    stateDirectory: isSandbox ? folder : '.',
    target,
    env: io.env,
    cwd: io.cwd,
    skipValidation: true,
  });
  const preparedStacks = stacks.map((stack) => {
    const config = loadedStacks.find((each) => each.config.stack === stack.name)?.config;
    if (config === undefined) throw new Error(`no configuration of ${stack.name}`);
    const variables = terraformVariables(
      config,
      io.env,
      isSandbox ? secrets.valueOf : undefined,
      target,
    );
    if (variables.missing.length > 0)
      throw new CastellanError(
        'CAS1002',
        `${stack.name} needs ${variables.missing.join(', ')} in the environment`,
      );
    return { ...stack, env: { ...io.env, ...variables.env } };
  });
  if (secrets.requested.length > 0)
    printLine(`${secrets.requested.join(', ')} not set: the sandbox uses a made-up value`);
  return preparedStacks;
}
