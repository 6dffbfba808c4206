import { randomBytes } from 'node:crypto';
import { startModAuthOpenIdc } from './apache.js';
import type { Peer } from './testbed.js';
import { idleConnections } from './idle-connections.js';
import { startAuthRequest, startClient, startFloor, startSidecarPeer } from './node-peers.js';
import { startHaproxy, startNginx } from './plain-peers.js';
import { residentBytes } from './processes.js';
import { type Latency, latencyAtRate } from './latency-at-rate.js';
import { sealedCookie, signIn } from './sign-in.js';
import { interleave, median, ratio, type Stage } from './stage.js';
import { wrk } from './wrk.js';

/** Requests a second and processor time per request, 1 KB, 64 connections. */
export async function throughput(stage: Stage): Promise<void> {
  const { ground, idp } = stage;
  const key = randomBytes(32);
  const floor = stage.keep(await startFloor(ground));
  const nginx = stage.keep(await startNginx(ground));
  const apache = stage.keep(await startModAuthOpenIdc(ground));
  const authRequest = stage.keep(await startAuthRequest(ground, key.toString('hex')));
  const own = stage.keep(await startSidecarPeer(ground, 'sidecar', '10000'));
  const verifying = stage.keep(
    await startSidecarPeer(ground, 'sidecar, verifying every request', '0'),
  );
  const [bare, plain, openIdc, checks, cached, verified] = await interleave(stage, '/small', [
    { peer: floor, cookie: () => '' },
    { peer: nginx, cookie: () => '' },
    // It renews a client cookie older than a minute: each round has a fresh one.
    { peer: apache, cookie: () => signIn(apache.url, idp) },
    { peer: authRequest, cookie: () => sealedCookie(key) },
    { peer: own, cookie: () => signIn(own.url, idp) },
    { peer: verifying, cookie: () => signIn(verifying.url, idp) },
  ]);
  ratio(stage, 'nginx as a plain proxy', cached, plain, '0.40');
  ratio(stage, 'mod_auth_openidc, with the session cache', cached, openIdc, '3.5');
  ratio(stage, 'mod_auth_openidc, verifying every request', verified, openIdc, '2.2');
  ratio(stage, 'nginx auth_request + a node auth server', cached, checks, '1.4');
  ratio(stage, 'the bare node:http proxy', cached, bare);
  ratio(stage, 'the bare node:http proxy against nginx', bare, plain);
}

/** What undici would cost a request in place of the sidecar's own client to the app (ADR 7). */
export async function clients(stage: Stage): Promise<void> {
  const { ground, idp } = stage;
  const lean = stage.keep(await startClient(ground, 'lean'));
  const undici = stage.keep(await startClient(ground, 'undici'));
  const own = stage.keep(await startSidecarPeer(ground, 'sidecar', '10000'));
  const [by, pure, whole] = await interleave(stage, '/small', [
    { peer: lean, cookie: () => '' },
    { peer: undici, cookie: () => '' },
    { peer: own, cookie: () => signIn(own.url, idp) },
  ]);
  ratio(stage, 'pure undici', by, pure);
  const shares = (whole ?? []).map(
    ({ cpu }, round) => ((pure?.[round]?.cpu ?? NaN) - (by?.[round]?.cpu ?? NaN)) / cpu,
  );
  stage.print(`undici would add ${median(shares).toFixed(2)} of the sidecar's request`);
}

/** Latency at 3,000 requests a second. */
export async function latency(stage: Stage): Promise<void> {
  const peers = [
    stage.keep(await startSidecarPeer(stage.ground, 'sidecar', '10000')),
    stage.keep(await startModAuthOpenIdc(stage.ground)),
    stage.keep(await startNginx(stage.ground)),
  ] as const;
  const measured: Latency[][] = [[], [], []];
  const session = (peer: Peer): string | Promise<string> =>
    peer.name.includes('plain') ? '' : signIn(peer.url, stage.idp);
  for (const peer of peers) await wrk(`${peer.url}/small`, await session(peer), 3);
  for (let round = 0; round < stage.rounds; round++)
    for (const [index, peer] of peers.entries())
      measured[index]?.push(
        await latencyAtRate(`${peer.url}/small`, await session(peer), 3000, stage.seconds + 1),
      );
  peers.forEach(({ name }, index) => {
    const [p50, p99] = [
      median((measured[index] ?? []).map((each) => each.p50)),
      median((measured[index] ?? []).map((each) => each.p99)),
    ];
    stage.print(
      `${name.padEnd(44)} p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms at 3,000 requests a second`,
    );
  });
  const ratios = (measured[0] ?? []).map(
    ({ p99 }, round) => p99 / (measured[1]?.[round]?.p99 ?? NaN),
  );
  stage.print(`p99 against mod_auth_openidc ${median(ratios).toFixed(2)} (goal <= 0.5)`);
}

/** Bodies of 1 MB. */
export async function large(stage: Stage): Promise<void> {
  const floor = stage.keep(await startFloor(stage.ground));
  const haproxy = stage.keep(await startHaproxy(stage.ground));
  const own = stage.keep(await startSidecarPeer(stage.ground, 'sidecar', '10000'));
  const [bare, theirs, ours] = await interleave(stage, '/large', [
    { peer: floor, cookie: () => '' },
    { peer: haproxy, cookie: () => '' },
    { peer: own, cookie: () => signIn(own.url, stage.idp) },
  ]);
  ratio(stage, 'haproxy, 1 MB bodies', ours, theirs, '0.8');
  ratio(stage, 'the bare node:http proxy, 1 MB bodies', ours, bare);
}

/** Memory of a fresh process and of idle connections. */
export async function memory(stage: Stage): Promise<void> {
  const peer = stage.keep(await startSidecarPeer(stage.ground, 'sidecar', '10000'));
  const fresh = residentBytes(peer);
  const floor = stage.keep(await startFloor(stage.ground));
  const bare = residentBytes(floor);
  const closeFirst = await idleConnections(peer.url, 100);
  const base = residentBytes(peer);
  const count = 4000;
  const close = await idleConnections(peer.url, count);
  const each = (residentBytes(peer) - base) / count / 1024;
  stage.print(
    `fresh process ${(fresh / 1e6).toFixed(1)} MB (goal 60); the bare node:http proxy ${(bare / 1e6).toFixed(1)} MB`,
  );
  stage.print(`idle connection ${each.toFixed(1)} KB (goal 25)`);
  closeFirst();
  close();
}
