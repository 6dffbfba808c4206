import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { untilAccepting } from './free-port.js';
import type { Workload, WorkloadSpec } from './workload.js';

const run = promisify(execFile);

/** Whether a container engine answers. */
export async function engineAnswers(): Promise<boolean> {
  try {
    await run('docker', ['version', '--format', '{{.Server.Version}}'], { timeout: 5_000 });
    return true;
  } catch {
    return false; // not installed, not running or not allowed: apps run without it
  }
}

/** Removes the containers that an earlier run left behind. */
export async function removeContainers(project: string): Promise<void> {
  const { stdout } = await run('docker', ['ps', '-aq', '--filter', `label=castellan.project=${project}`], { timeout: 20_000 });
  const ids = stdout.split('\n').filter(Boolean);
  if (ids.length > 0) await run('docker', ['rm', '-f', ...ids], { timeout: 60_000 });
}

/**
 * Runs an app's image; its port is reachable from this machine only.
 *
 * @throws when the image can't be had or started.
 */
export async function startImage(spec: WorkloadSpec, project: string): Promise<Workload> {
  const name = `castellan-${project}-${spec.app}-${spec.replica}`;
  await run('docker', ['rm', '-f', name], { timeout: 60_000 }).catch(() => undefined); // usually there is none
  const names = Object.keys(spec.env);
  const args = ['run', '-d', '--name', name, '--label', `castellan.project=${project}`, '-p', `127.0.0.1::${spec.targetPort}`];
  // Values go by the environment of the command, not by its arguments, which every user of the machine can read.
  for (const variable of names) args.push('-e', variable);
  await run('docker', [...args, spec.image], { timeout: 600_000, env: { ...process.env, ...spec.env } });
  const { stdout } = await run('docker', ['port', name, `${spec.targetPort}/tcp`], { timeout: 20_000 });
  const port = Number(/:(\d+)\s*$/m.exec(stdout)?.[1]);
  const ready = await untilAccepting(port, () => false, 60_000);
  return {
    port,
    failure: () => (ready ? undefined : `the image ${spec.image} accepts no connection at port ${spec.targetPort}`),
    async stop() {
      await run('docker', ['rm', '-f', name], { timeout: 60_000 });
    },
  };
}
