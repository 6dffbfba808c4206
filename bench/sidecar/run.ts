/**
 * Measures the sidecar and its peers side by side: `node dist-bench/bench/sidecar/run.js` after a build, see docs/reference/sidecar.md.
 * One core for the proxy, one for load and origin; 64 connections, 1 KB, sessions from a real login. Ratios count, absolute figures vary.
 */
import { createCipheriv, randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { TestIdentityProvider } from '../../test/services/auth-sidecar/support/identity-provider.js';
import { browser, CookieJar, request } from '../../test/services/auth-sidecar/support/raw-client.js';
import { idleConnections, p99AtRate, wrk } from './load.js';
import type { Ground, Peer } from './peers.js';
import {
  cpuMicroseconds,
  freePort,
  residentBytes,
  startAuthRequest,
  startHaproxy,
  startModAuthOpenIdc,
  startNginx,
  startOrigin,
  startSidecarPeer,
} from './peers.js';

interface Row {
  readonly name: string;
  readonly perSecond: number;
  readonly cpu: number;
}

const seconds = Number(process.env['BENCH_SECONDS'] ?? 5);
/** Compiled code is what is measured: a first round that doesn't count lets each peer reach it. */
const warmUp = Number(process.env['BENCH_WARM_UP'] ?? 15);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);

async function logIn(url: string, idp: TestIdentityProvider): Promise<string> {
  const jar = new CookieJar();
  let path = '/small';
  for (let step = 0; step < 6; step++) {
    const answer = await request(url, { path, headers: { ...browser, ...(jar.header === '' ? {} : { Cookie: jar.header }) } });
    jar.take(answer);
    if (answer.status === 200) return jar.header;
    const location = new URL(answer.headers['location']?.[0] ?? '', url);
    const target = location.origin === idp.url ? new URL(idp.authorize(location)) : location;
    path = target.pathname + target.search;
  }
  throw new Error(`no sign-in at ${url}`);
}

function sealedCookie(key: Buffer): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const claims = JSON.stringify({ sub: 'subject-1', name: 'Ada Lovelace', filler: 'x'.repeat(250) });
  const body = Buffer.concat([iv, cipher.update(claims), cipher.final(), cipher.getAuthTag()]);
  return `session=${body.toString('base64url')}`;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

async function main(): Promise<void> {
  const idp = await new TestIdentityProvider().start();
  const directory = mkdtempSync(join(tmpdir(), 'sidecar-bench-'));
  const cli = process.env['CASTELLAN_CLI'] ?? resolve('dist/cli/bin.js');
  const ground: Ground = {
    directory,
    originPort: await freePort(),
    issuer: idp.url,
    clientId: idp.clientId,
    clientSecret: idp.secret,
    cli,
  };
  const started: { kill(signal: 'SIGTERM'): unknown }[] = [await startOrigin(ground)];
  try {
    const key = randomBytes(32);
    const peers: Peer[] = [
      await startNginx(ground),
      await startHaproxy(ground),
      await startModAuthOpenIdc(ground),
      await startAuthRequest(ground, key.toString('hex')),
      await startSidecarPeer(ground, 'sidecar', '10000'),
      await startSidecarPeer(ground, 'sidecar, verifying every request', '0'),
    ];
    started.push(...peers.flatMap(({ processes }) => processes));
    const fresh = residentBytes(peers[4] as Peer);
    const login = async (peer: Peer): Promise<string> =>
      peer.name.includes('plain') ? '' : peer.name.includes('auth_request') ? sealedCookie(key) : logIn(peer.url, idp);
    const samples = new Map<string, Row[]>();
    for (let round = 0; round <= rounds; round++) {
      for (const peer of peers) {
        const cookie = await login(peer);
        const before = cpuMicroseconds(peer);
        const result = await wrk(`${peer.url}/small`, cookie, round === 0 ? warmUp : seconds);
        if (result.failures > 0) throw new Error(`${peer.name}: ${result.failures} failures`);
        const row = { name: peer.name, perSecond: result.perSecond, cpu: (cpuMicroseconds(peer) - before) / result.requests };
        if (round > 0) samples.set(peer.name, [...(samples.get(peer.name) ?? []), row]);
      }
    }
    const rows = [...samples].map(([name, all]) => ({
      name,
      perSecond: median(all.map((row) => row.perSecond)),
      cpu: median(all.map((row) => row.cpu)),
    }));
    for (const row of rows)
      print(`${row.name.padEnd(44)} ${row.perSecond.toFixed(0).padStart(7)} req/s  ${row.cpu.toFixed(1).padStart(6)} µs CPU/request`);
    const [nginx, , apache, authRequest, sidecar, verifying] = rows as [Row, Row, Row, Row, Row, Row];
    const ratio = (label: string, ours: Row, theirs: Row, goal: number): void =>
      print(
        `${label.padEnd(64)} ${(ours.perSecond / theirs.perSecond).toFixed(2)} by requests, ${(theirs.cpu / ours.cpu).toFixed(2)} by CPU (goal ${goal})`,
      );
    ratio('against nginx as a plain proxy', sidecar, nginx, 0.45);
    ratio('against mod_auth_openidc, with the session cache', sidecar, apache, 4);
    ratio('against mod_auth_openidc, verifying every request', verifying, apache, 2.5);
    ratio('against nginx auth_request + a node auth server', sidecar, authRequest, 1.4);
    const [openIdc, own] = [peers[2] as Peer, peers[4] as Peer];
    const late: number[] = [];
    for (const peer of [own, openIdc]) late.push(await p99AtRate(`${peer.url}/small`, await login(peer), 3000, seconds));
    print(
      `p99 at 3,000 requests a second: ${late[0]?.toFixed(2)} ms, mod_auth_openidc ${late[1]?.toFixed(2)} ms: ${((late[0] ?? 0) / (late[1] ?? 1)).toFixed(2)} (goal <= 0.5)`,
    );
    const large: number[] = [];
    for (const peer of [own, peers[1] as Peer]) large.push((await wrk(`${peer.url}/large`, await login(peer), seconds)).perSecond);
    print(
      `1 MB bodies: ${large[0]?.toFixed(0)} MB/s, haproxy ${large[1]?.toFixed(0)} MB/s: ${((large[0] ?? 0) / (large[1] ?? 1)).toFixed(2)} (goal 0.8)`,
    );
    const last = await startSidecarPeer(ground, 'idle', '10000');
    started.push(...last.processes);
    const close = await idleConnections(last.url, 100);
    const base = residentBytes(last);
    const closeAll = await idleConnections(last.url, 2000);
    print(
      `memory: fresh process ${(fresh / 1e6).toFixed(0)} MB (goal 60), idle connection ${((residentBytes(last) - base) / 2000 / 1024).toFixed(1)} KB (goal 25)`,
    );
    close();
    closeAll();
    print(versions());
  } finally {
    for (const process of started) process.kill('SIGTERM');
    await idp.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function versions(): string {
  const packages = ['nginx', 'haproxy', 'apache2', 'libapache2-mod-auth-openidc'];
  return execFileSync('dpkg-query', ['-W', '-f', '${Package} ${Version}, ', ...packages], { encoding: 'utf8' }) + `node ${process.version}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
