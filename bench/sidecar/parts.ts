import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startModAuthOpenIdc } from './apache.js';
import type { Peer, Testbed } from './testbed.js';
import { openIdleConnections } from './idle-connections.js';
import {
  startNginxAskingNode,
  startClientProxy,
  startBareProxy,
  startSidecarPeer,
  sessionCacheEntries,
} from './node-peers.js';
import { startHaproxy, startNginx } from './plain-peers.js';
import { cpuOfProcesses, residentBytes } from './processes.js';
import { type Latency, latencyAtRate } from './latency-at-rate.js';
import { sealedCookie, signIn } from './sign-in.js';
import {
  measureInTurn,
  median,
  printRatio,
  type PartContext,
  warmUpSeconds,
} from './part-context.js';
import { runWrk } from './wrk.js';

/** Requests a second and processor time per request, 1 KB, 64 connections. */
export async function measureThroughput(context: PartContext): Promise<void> {
  const { testbed, idp } = context;
  const key = randomBytes(32);
  const bareProxy = context.stopAtEnd(await startBareProxy(testbed));
  const nginx = context.stopAtEnd(await startNginx(testbed));
  const apache = context.stopAtEnd(await startModAuthOpenIdc(testbed));
  const authRequest = context.stopAtEnd(await startNginxAskingNode(testbed, key.toString('hex')));
  const sidecar = context.stopAtEnd(
    await startSidecarPeer(testbed, 'sidecar', sessionCacheEntries),
  );
  const sidecarVerifying = context.stopAtEnd(
    await startSidecarPeer(testbed, 'sidecar, verifying every request', '0'),
  );
  const [bare, plain, openIdc, viaAuthRequest, cached, verified] = await measureInTurn(
    context,
    '/small',
    [
      { peer: bareProxy, cookie: () => '' },
      { peer: nginx, cookie: () => '' },
      // mod_auth_openidc renews a cookie older than a minute: each round signs in anew.
      { peer: apache, cookie: () => signIn(apache.url, idp) },
      { peer: authRequest, cookie: () => sealedCookie(key) },
      { peer: sidecar, cookie: () => signIn(sidecar.url, idp) },
      { peer: sidecarVerifying, cookie: () => signIn(sidecarVerifying.url, idp) },
    ],
  );
  printRatio(context, 'nginx as a plain proxy', cached, plain, '0.40');
  printRatio(context, 'mod_auth_openidc, with the session cache', cached, openIdc, '3.5');
  printRatio(context, 'mod_auth_openidc, verifying every request', verified, openIdc, '2.2');
  printRatio(context, 'nginx auth_request + a node auth server', cached, viaAuthRequest, '1.4');
  printRatio(context, 'the bare node:http proxy', cached, bare);
  printRatio(context, 'the bare node:http proxy against nginx', bare, plain);
}

/** What undici would cost a request in place of the sidecar's own client to the app (ADR 7). */
export async function compareClients(context: PartContext): Promise<void> {
  const { testbed, idp } = context;
  const sidecarClient = context.stopAtEnd(await startClientProxy(testbed, 'sidecar'));
  const undici = context.stopAtEnd(await startClientProxy(testbed, 'undici'));
  const sidecar = context.stopAtEnd(
    await startSidecarPeer(testbed, 'sidecar', sessionCacheEntries),
  );
  const [withSidecarClient, withUndici, wholeSidecar] = await measureInTurn(context, '/small', [
    { peer: sidecarClient, cookie: () => '' },
    { peer: undici, cookie: () => '' },
    { peer: sidecar, cookie: () => signIn(sidecar.url, idp) },
  ]);
  printRatio(context, 'pure undici', withSidecarClient, withUndici);
  const shares = (wholeSidecar ?? []).map(
    ({ cpu }, round) =>
      ((withUndici?.[round]?.cpu ?? NaN) - (withSidecarClient?.[round]?.cpu ?? NaN)) / cpu,
  );
  context.print(`undici would add ${median(shares).toFixed(2)} of the sidecar's request`);
}

/** Latency at 3,000 requests a second. */
export async function measureLatency(context: PartContext): Promise<void> {
  const peers = [
    context.stopAtEnd(await startSidecarPeer(context.testbed, 'sidecar', sessionCacheEntries)),
    context.stopAtEnd(await startModAuthOpenIdc(context.testbed)),
    context.stopAtEnd(await startNginx(context.testbed)),
  ] as const;
  const measured: Latency[][] = [[], [], []];
  const session = (peer: Peer): string | Promise<string> =>
    peer.name.includes('plain') ? '' : signIn(peer.url, context.idp);
  for (const peer of peers) await runWrk(`${peer.url}/small`, await session(peer), 3);
  for (let round = 0; round < context.rounds; round++)
    for (const [index, peer] of peers.entries())
      measured[index]?.push(
        await latencyAtRate(`${peer.url}/small`, await session(peer), 3000, context.seconds + 1),
      );
  peers.forEach(({ name }, index) => {
    const [p50, p99] = [
      median((measured[index] ?? []).map((each) => each.p50)),
      median((measured[index] ?? []).map((each) => each.p99)),
    ];
    context.print(
      `${name.padEnd(44)} p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms at 3,000 requests a second`,
    );
  });
  const ratios = (measured[0] ?? []).map(
    ({ p99 }, round) => p99 / (measured[1]?.[round]?.p99 ?? NaN),
  );
  context.print(`p99 against mod_auth_openidc ${median(ratios).toFixed(2)} (goal <= 0.5)`);
}

/** Bodies of 1 MB. */
export async function measureLargeBodies(context: PartContext): Promise<void> {
  const bareProxy = context.stopAtEnd(await startBareProxy(context.testbed));
  const haproxy = context.stopAtEnd(await startHaproxy(context.testbed));
  const sidecar = context.stopAtEnd(
    await startSidecarPeer(context.testbed, 'sidecar', sessionCacheEntries),
  );
  const [bare, haproxyRounds, sidecarRounds] = await measureInTurn(context, '/large', [
    { peer: bareProxy, cookie: () => '' },
    { peer: haproxy, cookie: () => '' },
    { peer: sidecar, cookie: () => signIn(sidecar.url, context.idp) },
  ]);
  printRatio(context, 'haproxy, 1 MB bodies', sidecarRounds, haproxyRounds, '0.8');
  printRatio(context, 'the bare node:http proxy, 1 MB bodies', sidecarRounds, bare);
}

/** Memory of a fresh process and of idle connections. */
export async function measureMemory(context: PartContext): Promise<void> {
  const peer = context.stopAtEnd(
    await startSidecarPeer(context.testbed, 'sidecar', sessionCacheEntries),
  );
  const freshBytes = residentBytes(peer);
  const bareProxy = context.stopAtEnd(await startBareProxy(context.testbed));
  const bareBytes = residentBytes(bareProxy);
  const closeFirst = await openIdleConnections(peer.url, 100);
  const bytesBefore = residentBytes(peer);
  const connectionCount = 4000;
  const closeRest = await openIdleConnections(peer.url, connectionCount);
  const kilobytesPerConnection = (residentBytes(peer) - bytesBefore) / connectionCount / 1024;
  context.print(
    `fresh process ${(freshBytes / 1e6).toFixed(1)} MB (goal 60); the bare node:http proxy ${(bareBytes / 1e6).toFixed(1)} MB`,
  );
  context.print(`idle connection ${kilobytesPerConnection.toFixed(1)} KB (goal 25)`);
  closeFirst();
  closeRest();
}

/**
 * The throughput of two workers against one, by the processor time of the busier worker: the load
 * shares their cores, and would distort the throughput itself.
 */
export async function compareWorkers(context: PartContext): Promise<void> {
  const { testbed, idp } = context;
  const oneWorker = context.stopAtEnd(
    await startSidecarPeer(testbed, 'one worker', sessionCacheEntries),
  );
  const twoWorkers = context.stopAtEnd(
    await startSidecarPeer(testbed, 'two workers', sessionCacheEntries, ['--workers', '2'], '0,1'),
  );
  const ratios: number[] = [];
  for (let round = 0; round <= context.rounds; round++) {
    const costs: number[] = [];
    for (const peer of [oneWorker, twoWorkers]) {
      const session = await signIn(peer.url, idp);
      const cpuBefore = cpuOfProcesses(peer);
      const { requests } = await runWrk(
        `${peer.url}/small`,
        session,
        round === 0 ? warmUpSeconds : context.seconds,
      );
      const cpuUsed = cpuOfProcesses(peer).map((each, index) => each - (cpuBefore[index] ?? 0));
      costs.push(Math.max(...cpuUsed) / requests);
    }
    if (round > 0) ratios.push((costs[0] ?? NaN) / (costs[1] ?? NaN));
  }
  context.print(`two workers against one ${median(ratios).toFixed(2)} (goal >= 1.7)`);
}

/**
 * The memory of a process under load: started by npm, started as in the image, and of Node proxies
 * that only pass bytes on.
 */
export async function measureMemoryUnderLoad(context: PartContext): Promise<void> {
  const { testbed } = context;
  const sidecar = context.stopAtEnd(
    await startSidecarPeer(testbed, 'sidecar', sessionCacheEntries),
  );
  const imageSidecar = context.stopAtEnd(await startAsInImage(testbed));
  const session = (peer: Peer) => signIn(peer.url, context.idp);
  const peers = [
    { name: 'the sidecar', peer: sidecar, cookie: await session(sidecar) },
    {
      name: 'as the image starts it (goal <= 90)',
      peer: imageSidecar,
      cookie: await session(imageSidecar),
    },
    {
      name: 'a bare node:http proxy',
      peer: context.stopAtEnd(await startBareProxy(testbed)),
      cookie: '',
    },
    {
      name: '… with undici',
      peer: context.stopAtEnd(await startClientProxy(testbed, 'undici')),
      cookie: '',
    },
  ];
  for (const { name, peer, cookie } of peers) {
    let maxBytes = 0;
    const watch = setInterval(() => (maxBytes = Math.max(maxBytes, residentBytes(peer))), 100);
    await runWrk(`${peer.url}/small`, cookie, 20).finally(() => clearInterval(watch));
    context.print(`memory under load, ${name.padEnd(36)} ${(maxBytes / 1e6).toFixed(1)} MB`);
  }
}

/** The package that the image holds, with the image's settings of Node. */
async function startAsInImage(testbed: Testbed): Promise<Peer> {
  const settings = /^ENV NODE_OPTIONS=(.*)$/m.exec(readFileSync('Dockerfile', 'utf8'))?.[1];
  if (settings === undefined) throw new Error('Dockerfile has no NODE_OPTIONS');
  const before = process.env['NODE_OPTIONS'];
  process.env['NODE_OPTIONS'] = settings;
  try {
    const cli = resolve('packages/castellan-sidecar/dist/cli/bin.js');
    return await startSidecarPeer({ ...testbed, cli }, 'sidecar of the image', sessionCacheEntries);
  } finally {
    if (before === undefined) delete process.env['NODE_OPTIONS'];
    else process.env['NODE_OPTIONS'] = before;
  }
}
