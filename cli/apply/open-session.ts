import { dirname, join, resolve } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { forkedFrom, environmentFolder } from '../../core/project/environment-folder.js';
import { loadConfig } from '../../policies/model/load-config.js';
import type { LoadedStack } from '../../policies/index.js';
import type { AppSettings, AppSettingsByName, SandboxHandle } from '../../sandbox/index.js';
import type { EngineName } from '../../stacks/terraform/engine-release.js';
import type { Engine } from '../../stacks/terraform/find-terraform.js';
import type { CliIo } from '../command.js';
import { findSeed } from '../seed-file.js';
import { requireApprovable } from './approval.js';
import { reportSkippedPaths } from '../skipped-paths.js';
import type { ApplyOptions } from './options.js';
import { type Progress, type PrintLine, runTask } from './progress.js';
import type { RunnableStack, ApplySession } from './session.js';
import { secretGenerator } from './generated-secrets.js';
import type { Finding } from '../../core/findings/finding.js';
import { nearest } from '../../core/text/nearest.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { authCloudLayer } from '../../policies/rules/declaration/auth-cloud-layer.js';
import { runCheck } from '../../policies/check/run-check.js';
import { stacksOfEnvironment } from '../../stacks/stacks-of-environment.js';
import { printText } from '../format.js';
import { placeText } from '../../policies/reporters/report.js';

/**
 * Loads and checks the stacks, and refuses changes that lack an approval. Writes nothing.
 *
 * @throws CAS8102, CAS8104 without approval, and as {@link loadCheckedStacks} does.
 */
export async function checkStacks(
  options: ApplyOptions,
  io: CliIo,
  progress: Progress,
  command: 'plan' | 'up' | 'down',
): Promise<readonly LoadedStack[]> {
  const loadedStacks = await runTask(progress, 'Check', (printLine) =>
    loadCheckedStacks(options, io, printLine),
  );
  if (command !== 'plan')
    requireApprovable(options, { command, isProtected: hasProtectedStack(loadedStacks) }, io);
  return loadedStacks;
}

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
 * The engine that the stacks ask for (`engine:`).
 *
 * @throws CAS2108 when they ask for different ones.
 */
export function engineOfStacks(stacks: readonly LoadedStack[]): EngineName | undefined {
  const engines = new Map(
    stacks.flatMap(({ config }) =>
      config.engine === undefined ? [] : [[config.engine, config.stack]],
    ),
  );
  if (engines.size > 1)
    throw new CastellanError(
      'CAS2108',
      [...engines].map(([engine, stack]) => `stack ${stack} has engine: ${engine}`).join(', '),
    );
  return [...engines.keys()][0];
}

/** Finds the Terraform program, and downloads it if none is installed. @throws CAS2101, CAS2102. */
export async function findTerraformProgram(
  options: Pick<ApplyOptions, 'download'> & { readonly engine?: EngineName | undefined },
  io: CliIo,
  printLine: PrintLine,
): Promise<string> {
  const { findTerraform } = await import('../../stacks/terraform/find-terraform.js');
  return findTerraform({
    projectDir: io.cwd,
    env: io.env,
    configuredEngine: options.engine,
    download: options.download,
    announce: printLine,
  });
}

/**
 * Finds the Terraform program as {@link findTerraformProgram} does. @throws CAS2102 also for one
 * that is too old to apply stacks.
 */
export async function findSupportedEngine(
  ...search: Parameters<typeof findTerraformProgram>
): Promise<{ readonly program: string; readonly engine: Engine }> {
  const program = await findTerraformProgram(...search);
  const { requireSupportedEngine } = await import('../../stacks/terraform/supported-engines.js');
  return { program, engine: await requireSupportedEngine(program) };
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

/**
 * Whether one of the stacks says `protected: true`, or what may mean that: another value than
 * `false`, or a misspelt name. `down` takes configurations with mistakes.
 */
export function hasProtectedStack(stacks: readonly LoadedStack[]): boolean {
  return stacks.some(({ config }) =>
    Object.entries((config as object | null) ?? {}).some(
      ([name, value]) => value !== false && nearest(name, ['protected']) !== undefined,
    ),
  );
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

/**
 * Loads and checks configurations like `castellan check`, with their policy, suppressions and
 * baseline; prints warnings and stops at errors. Leaves out what is not part of the environment.
 *
 * @throws CAS8103 with the errors and their locations; CAS2010 when there is no configuration.
 */
export async function loadCheckedStacks(
  options: ApplyOptions,
  io: CliIo,
  printLine: PrintLine,
): Promise<readonly LoadedStack[]> {
  const { paths, environment, target, isSelected } = options;
  const original = await originalEnvironment(options, io);
  const { stacks, findings, skippedPaths } = await runCheck({
    paths,
    environment: original ?? environment,
    isSelected,
    cwd: io.cwd,
    env: io.env,
  });
  reportSkippedPaths(skippedPaths, io);
  // settings that only our own sign-in layer enforces do not protect the app in the cloud
  const failedFindings = findings.flatMap((finding) => {
    if (finding.verdict !== 'fail') return [];
    if (finding.ruleId !== authCloudLayer.id) return [finding];
    return target === 'azure' ? [{ ...finding, severity: 'error' as const }] : [];
  });
  const errors = failedFindings.filter(({ severity }) => severity === 'error');
  for (const finding of failedFindings.filter(({ severity }) => severity === 'warning'))
    printLine(`warning: ${describeFinding(finding)}`);
  if (errors.length > 0)
    throw new CastellanError(
      'CAS8103',
      `\n${errors.map((finding) => `  ${describeFinding(finding)}`).join('\n')}`,
      {
        details: { findings: errors },
      },
    );
  if (stacks.length === 0)
    throw new CastellanError('CAS2010', `there is no castellan.yaml in ${paths.join(', ')}`);
  const environmentStacks = stacksOfEnvironment(stacks, original ?? environment, {
    cwd: io.cwd,
    announce: (line) => printText(io.stderr, `${line}\n`),
  });
  // the configuration is that of the original environment, but the states are the copy's own
  return original === undefined
    ? environmentStacks
    : environmentStacks.map((stack) => ({ ...stack, ...omitUndefined({ environment }) }));
}

/**
 * The environment of which this one is a copy (`castellan sandbox fork`), if the copy has no
 * overlay of its own: it then uses the configuration of the original.
 */
export async function originalEnvironment(
  { paths, environment, target }: ApplyOptions,
  { cwd }: CliIo,
): Promise<string | undefined> {
  if (environment === undefined || target !== 'sandbox') return undefined;
  const original = forkedFrom(cwd, environment);
  if (original === undefined) return undefined;
  const { stacks } = await loadConfig({ paths, environment, cwd });
  return stacks.some((stack) => stack.environment === environment) ? undefined : original;
}

function describeFinding(finding: Finding): string {
  return `${placeText(finding)}: ${finding.message} (${finding.ruleId})`;
}
