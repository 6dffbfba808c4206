import { setTimeout as wait } from 'node:timers/promises';
import { environmentFolder } from '../../core/project/environment-folder.js';
import type { AppStatus, SandboxHandle } from '../../sandbox/index.js';
import type { CliIo } from '../command.js';
import type { ApplyOptions } from './options.js';
import type { Session } from './session.js';

/** An app that crashes right after its start is seen within this time. */
const steadyMilliseconds = 1_000;
const startMilliseconds = 60_000;

/**
 * Prints where the apps are and how they fare, and how to look further.
 *
 * @returns `failed` when an app of the applied stacks does not run.
 */
export async function showApps(
  { sandbox, apps: own }: Session,
  { paths, environment }: ApplyOptions,
  io: CliIo,
): Promise<'running' | 'failed'> {
  if (sandbox === undefined) return 'running';
  const apps = await settled(sandbox, own);
  for (const { name, url, state, detail, auth } of apps) {
    const note = [state, ...(auth ? ['behind sign-in'] : []), ...(detail === undefined ? [] : [detail])].join(', ');
    io.stdout.write(`  ${url ?? `${name} (no ingress)`}  ${note}\n`);
  }
  const flag = environment === undefined ? '' : ` -e ${environment}`;
  io.stdout.write(
    [
      `The sandbox keeps running at ${sandbox.origin} (certificate authority: ${environmentFolder(environment)}/ca.pem). To look further:`,
      `  ${sandbox.console}`,
      '    the console, in a browser: the token in its address lets one look and act',
      `  eval "$(castellan sandbox env${flag})"`.padEnd(38) + ' for terraform, cdktf and curl in this shell',
      `  castellan status${flag}`.padEnd(38) + ' what runs, and where',
      `  castellan down${flag} ${paths.join(' ')}`.padEnd(38) + ' to remove it again; --all stops the sandbox too',
      '',
    ].join('\n'),
  );
  const failed = apps.filter(({ name, state }) => own.has(name) && state === 'failed');
  for (const { name, detail = 'it does not run' } of failed)
    io.stderr.write(`castellan: ${name} failed: ${detail}; \`castellan logs${flag} ${name}\` shows its output\n`);
  return failed.length === 0 ? 'running' : 'failed';
}

/** How the apps fare once those of the applied stacks have started: what runs by a command must go on running for a moment. */
async function settled(sandbox: SandboxHandle, own: ReadonlySet<string>): Promise<readonly AppStatus[]> {
  const deadline = Date.now() + startMilliseconds;
  let since = Date.now();
  for (;;) {
    const apps = await sandbox.apps();
    const mine = apps.filter(({ name }) => own.has(name));
    const isStarting = mine.some(({ state }) => state === 'starting' || state === 'waiting');
    if (isStarting) since = Date.now();
    const isSteady = mine.every(({ runs, state }) => runs === 'page' || state === 'failed') || Date.now() - since >= steadyMilliseconds;
    if ((!isStarting && isSteady) || Date.now() > deadline) return apps;
    await wait(100);
  }
}
