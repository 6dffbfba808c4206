import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CastellanError } from '../core/errors/castellan-error.js';
import type { Finding } from '../core/findings/finding.js';
import {
  defaultEnvironment,
  environmentFolder,
  environmentOfShell,
} from '../core/project/environment-folder.js';
import { checkEnvironment } from '../policies/check/check-environments.js';
import { originalEnvironment } from './original-environment.js';
import { lockRunningProviders } from './provider-lock.js';
import type { EnvironmentVariables } from '../core/process/environment-variables.js';
import { stacksOfEnvironment } from './stacks-of-environment.js';
import { synthesize, type SynthesizedStack } from './synthesize.js';
import { type Target, targetOf } from '../core/sandbox/target.js';

/** Which configurations to synthesize, and where to. */
export interface SynthesizeConfigOptions {
  /** Files and folders; a folder means the castellan.yaml in it. */
  readonly paths: readonly string[];
  /**
   * The output folder. @default `CDKTF_OUTDIR`, which the cdktf command line sets, or `cdktf.out`
   */
  readonly outdir?: string;
  /**
   * Where the stacks are applied. @default the sandbox if the environment points there, or the
   * cloud
   */
  readonly target?: Target;
  /**
   * The environment whose overlays (`castellan.prod.yaml`) are applied. A stack without one is not
   * part of it, and left out.
   *
   * @default that of the shell's sandbox (`castellan sandbox env -e prod`), or the default one
   */
  readonly environment?: string;
  /** Whether to take the configurations in subfolders, too. @default false */
  readonly recursive?: boolean;
  /** The environment variables for `${env:NAME}` and the target. @default process.env */
  readonly env?: EnvironmentVariables;
  /** The folder to which paths are relative. @default process.cwd() */
  readonly cwd?: string;
  /** Gets a line about each stack that is left out, which says why. @default printed on stderr */
  readonly announce?: (line: string) => void;
}

/**
 * Loads configurations and writes their Terraform JSON: a complete cdktf app.
 *
 * @example
 * // main.ts, which cdktf.json names: `"app": "npx ts-node main.ts"`
 * void synthesizeConfig({ paths: [__dirname] });
 * @throws CAS8103 with the findings when a configuration cannot be read or violates a limit,
 *   CAS2010 when there is none or none is part of the environment, CAS2014 for an unknown `CASTELLAN_TARGET`; see {@link synthesize} for
 *   the others.
 */
export async function synthesizeConfig(
  options: SynthesizeConfigOptions,
): Promise<SynthesizedStack[]> {
  const {
    env = process.env,
    cwd = process.cwd(),
    announce = (line) => process.stderr.write(`${line}\n`),
  } = options;
  const target = options.target ?? targetOf(env);
  const shellEnvironment = target === 'sandbox' ? environmentOfShell(env) : undefined;
  const named = options.environment ?? shellEnvironment;
  const environment = named === defaultEnvironment ? undefined : named;
  const paths = { paths: options.paths, recursive: options.recursive ?? false, cwd };
  const original = await originalEnvironment({ ...paths, environment, target });
  const { stacks, findings, notes } = await checkEnvironment({
    ...paths,
    env,
    environment: original ?? environment,
  });
  for (const note of notes) announce(note);
  throwIfInvalid(findings);
  if (stacks.length === 0)
    throw new CastellanError(
      'CAS2010',
      `there is no castellan.yaml in ${options.paths.join(', ')}`,
    );
  // the sandbox's folder has the state, so that cdktf and `castellan up` use the same one
  const sandboxFolder = environmentFolder(environment);
  const hasSandboxFolder = target === 'sandbox' && existsSync(resolve(cwd, sandboxFolder));
  const synthesizedStacks = synthesize({
    stacks: stacksOfEnvironment(stacks, original ?? environment, {
      cwd,
      announce,
      copy: original && environment,
    }),
    outdir: options.outdir ?? (env['CDKTF_OUTDIR'] || 'cdktf.out'),
    target,
    env,
    cwd,
    skipValidation: true,
    ...(hasSandboxFolder && { stateDirectory: sandboxFolder }),
  });
  if (env['TF_REATTACH_PROVIDERS'])
    for (const { directory } of synthesizedStacks) lockRunningProviders(directory);
  return synthesizedStacks;
}

function throwIfInvalid(findings: readonly Finding[]): void {
  const failures = findings.filter(
    ({ verdict, severity }) => verdict === 'fail' && severity === 'error',
  );
  if (failures.length === 0) return;
  const lines = failures.map(({ location, message }) =>
    location === undefined
      ? message
      : `${location.file}:${location.line}:${location.column}: ${message}`,
  );
  throw new CastellanError('CAS8103', `\n  ${lines.join('\n  ')}`, {
    details: { findings: failures },
  });
}
