import type * as sandbox from '../../../sandbox/index.js';

/** What a recorder records, as a sentence. */
export const recordingText = ({ file, calls }: sandbox.RecordingStatus): string =>
  file === undefined ? 'nothing is recorded\n' : `records in ${file}: ${calls} calls so far\n`;

/** What a recorder that was switched off has recorded. */
export const recordedText = ({ file, calls }: sandbox.RecordingStatus): string =>
  file === undefined ? 'nothing was recorded\n' : `${file}: ${calls} calls\n`;

/** The time of a sandbox. */
export function clockText({ now, aheadSeconds }: sandbox.ClockStatus): string {
  const days = (aheadSeconds / 86_400).toFixed(1).replace(/\.0$/, '');
  const ahead = aheadSeconds < 86_400 ? `${String(aheadSeconds)} seconds` : `${days} days`;
  return `${now}${aheadSeconds === 0 ? '' : `, ${ahead} ahead of this machine`}\n`;
}

/**
 * Whether a sandbox runs, where, and how its apps are.
 *
 * @param name the project, with the environment if it is not the default one.
 */
export function statusText(status: sandbox.SandboxStatus, name: string): string {
  if (!status.running) return `no sandbox runs for ${name}\n`;
  const apps = status.apps.map(
    ({ name, state, runs, url, auth, replicas, detail }) =>
      `  ${name}: ${state}, ${runs}, ${replicas} replica${replicas === 1 ? '' : 's'}${auth ? ', behind sign-in' : ''}${url === undefined ? '' : `, ${url}`}${detail === undefined ? '' : `\n    ${detail}`}\n`,
  );
  return [
    `runs at ${status.origin} (process ${status.pid}, since ${status.startedAt})\n`,
    ...(status.clock.aheadSeconds === 0 ? [] : [`its time is ${clockText(status.clock)}`]),
    ...(status.faults.faults.length === 0
      ? []
      : [`it injects faults: ${status.faults.name ?? 'of a test'}\n`]),
    `tenant ${status.tenantId}, subscription ${status.subscriptionId}\n`,
    `authority ${status.caFile}, log ${status.log}\n`,
    apps.length === 0 ? 'no apps\n' : 'apps:\n',
    ...apps,
  ].join('');
}
