/**
 * Measures the sidecar and its peers side by side, after a build:
 * `npm run bench -- sidecar throughput latency` runs these of the `parts` below, and without names
 * all of them. One core for the proxy, one for load, app and identity provider; 64 connections,
 * 1 KB, sessions from a real sign-in; token store, access log, metrics and timeouts on. Only ratios
 * count; absolute figures depend on the machine.
 */
import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { TestIdentityProvider } from '../../test/services/auth-sidecar/support/identity-provider.js';
import { freePort, type Testbed, loadGeneratorCore, type Peer } from './testbed.js';
import { compareUploads, compareWithOAuth2Proxy } from './oauth2-proxy-comparisons.js';
import {
  compareClients,
  compareWorkers,
  measureLargeBodies,
  measureLatency,
  measureMemory,
  measureMemoryUnderLoad,
  measureThroughput,
} from './parts.js';
import type { PartContext } from './part-context.js';
import { startOrigin } from './plain-peers.js';
import { usualClaims } from './sign-in.js';

const parts: Readonly<Record<string, (context: PartContext) => Promise<void>>> = {
  throughput: measureThroughput,
  clients: compareClients,
  latency: measureLatency,
  large: measureLargeBodies,
  memory: measureMemory,
  'oauth2-proxy': compareWithOAuth2Proxy,
  upload: compareUploads,
  workers: compareWorkers,
  'memory-under-load': measureMemoryUnderLoad,
};

async function main(args: readonly string[]): Promise<void> {
  const names = args.length === 0 ? Object.keys(parts) : args;
  const unknown = names.find((name) => parts[name] === undefined);
  if (unknown !== undefined)
    throw new Error(`"${unknown}" is none of ${Object.keys(parts).join(', ')}`);
  // This process is part of the load: never on the proxy's core
  execFileSync('taskset', ['-a', '-cp', loadGeneratorCore, String(process.pid)]);
  const idp = await new TestIdentityProvider().start();
  idp.claims = usualClaims;
  const directory = mkdtempSync(join(tmpdir(), 'sidecar-bench-'));
  const cli = process.env['CASTELLAN_CLI'] ?? resolve('dist/cli/bin.js');
  const testbed: Testbed = {
    directory,
    originPort: await freePort(),
    issuer: idp.url,
    clientId: idp.clientId,
    clientSecret: idp.secret,
    cli,
  };
  const seconds = Number(process.env['BENCH_SECONDS'] ?? 2);
  const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);
  let origin: ChildProcess | undefined;
  try {
    origin = await startOrigin(testbed);
    print(versions());
    for (const name of names) {
      const peers: Peer[] = [];
      const stopAtEnd = (peer: Peer): Peer => {
        peers.push(peer);
        return peer;
      };
      try {
        await parts[name]?.({ testbed, idp, seconds, rounds, stopAtEnd, print });
      } finally {
        for (const { processes } of peers) for (const process of processes) process.kill('SIGTERM');
      }
    }
  } finally {
    origin?.kill('SIGTERM');
    await idp.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function versions(): string {
  const packages = ['nginx', 'haproxy', 'apache2', 'libapache2-mod-auth-openidc'];
  return (
    // Each part needs only some of these packages; the status is 1 when one is missing.
    spawnSync('dpkg-query', ['-W', '-f', '${Package} ${Version}, ', ...packages], {
      encoding: 'utf8',
    }).stdout + `node ${process.version}`
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 1;
});
