import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import {
  startOAuth2ProxyInFront,
  startAskingOAuth2Proxy,
  startAskingSidecar,
} from './oauth2-proxy.js';
import type { Ground, Peer } from './testbed.js';
import { startAuthRequest, startClient, startFloor, startSidecarPeer } from './node-peers.js';
import { cpuMicroseconds, cpuOfChildren, residentBytes } from './processes.js';
import { interleave, median, ratio, type Stage } from './stage.js';
import { sealedCookie, signIn } from './sign-in.js';
import { wrk } from './wrk.js';

/**
 * Against oauth2-proxy: in front of the app, and behind nginx that asks, where a Node auth server
 * that only opens a cookie is the floor.
 */
export async function goPeers(stage: Stage): Promise<void> {
  const { ground, idp } = stage;
  const own = stage.keep(await startSidecarPeer(ground, 'sidecar', '10000'));
  const key = randomBytes(32);
  const peers = [
    await startOAuth2ProxyInFront(ground, 'least'),
    await startOAuth2ProxyInFront(ground, 'equal'),
    await startAskingSidecar(ground),
    await startAskingOAuth2Proxy(ground, 'least'),
    await startAskingOAuth2Proxy(ground, 'equal'),
  ];
  const asksFloor = await startAuthRequest(ground, key.toString('hex'));
  for (const peer of [...peers, asksFloor]) stage.keep(peer);
  const [ours, least, equal, byUs, byLeast, byEqual, byFloor] = await interleave(stage, '/small', [
    { peer: own, cookie: () => signIn(own.url, idp) },
    ...peers.map((peer) => ({ peer, cookie: () => signIn(peer.url, idp, peer.signInPath) })),
    { peer: asksFloor, cookie: () => sealedCookie(key) },
  ]);
  ratio(stage, 'oauth2-proxy that does the least', ours, least, '5');
  ratio(stage, 'oauth2-proxy that logs and tells as much', ours, equal, '5');
  ratio(stage, 'nginx auth_request: oauth2-proxy that does the least', byUs, byLeast, '2');
  ratio(stage, '… that logs and tells as much', byUs, byEqual, '2');
  ratio(stage, '… the least, against a Node auth server', byFloor, byLeast);
}

/** Processor time of an upload of 300 MB, which the app reads to its end. */
export async function upload(stage: Stage): Promise<void> {
  const app = http.createServer((request, response) => {
    request.resume().on('end', () => response.end('ok'));
  });
  await new Promise<void>((done) => app.listen(0, '127.0.0.1', done));
  const ground = { ...stage.ground, originPort: (app.address() as AddressInfo).port };
  const own = stage.keep(await startSidecarPeer(ground, 'sidecar', '10000'));
  const theirs = await startOAuth2ProxyInFront(ground, 'least');
  stage.keep(theirs);
  const peers = [
    { peer: own, path: undefined },
    { peer: theirs, path: theirs.signInPath },
    { peer: stage.keep(await startFloor(ground)), path: null },
  ];
  const seconds: number[][] = [[], [], []];
  for (let round = 0; round <= stage.rounds; round++)
    for (const [index, { peer, path }] of peers.entries()) {
      const cookie = path === null ? '' : await signIn(peer.url, stage.idp, path);
      const before = cpuMicroseconds(peer);
      await send(peer.url, cookie, 300);
      if (round > 0) seconds[index]?.push((cpuMicroseconds(peer) - before) / 1e6);
    }
  const [ours, other, bare] = seconds.map((each) => median(each).toFixed(2));
  stage.print(
    `300 MB upload: sidecar ${ours} s CPU, oauth2-proxy ${other} s, a bare node:http proxy ${bare} s`,
  );
  const ratios = (seconds[0] ?? []).map((each, round) => each / (seconds[1]?.[round] ?? NaN));
  stage.print(`300 MB upload against oauth2-proxy ${median(ratios).toFixed(2)} (goal <= 1.2)`);
  app.close();
}

/** Sends megabytes, and reads the answer. */
async function send(url: string, cookie: string, megabytes: number): Promise<void> {
  const piece = Buffer.alloc(1024 * 1024, 'x');
  const headers = { cookie, origin: url, 'content-length': megabytes * piece.length };
  const request = http.request(`${url}/upload`, { method: 'POST', headers, agent: false });
  const answered = new Promise<void>((done, fail) => {
    request.on('error', fail).on('response', (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) done();
        else fail(new Error(`${url}: ${String(response.statusCode)}`));
      });
    });
  });
  for (let count = 0; count < megabytes; count++)
    if (!request.write(piece))
      await Promise.race([answered, new Promise((done) => request.once('drain', done))]);
  request.end();
  await answered;
}

/**
 * What two workers can take, against one: by the processor time of the busier one, so that the
 * load, which has no core of its own beside them, doesn't count.
 */
export async function workers(stage: Stage): Promise<void> {
  const { ground, idp } = stage;
  const one = stage.keep(await startSidecarPeer(ground, 'one worker', '10000'));
  const two = stage.keep(
    await startSidecarPeer(ground, 'two workers', '10000', ['--workers', '2'], '0,1'),
  );
  const ratios: number[] = [];
  for (let round = 0; round <= stage.rounds; round++) {
    const costs: number[] = [];
    for (const peer of [one, two]) {
      const session = await signIn(peer.url, idp);
      const before = cpuOfChildren(peer);
      const { requests } = await wrk(`${peer.url}/small`, session, round === 0 ? 4 : stage.seconds);
      const used = cpuOfChildren(peer).map((each, index) => each - (before[index] ?? 0));
      costs.push(Math.max(...used) / requests);
    }
    if (round > 0) ratios.push((costs[0] ?? NaN) / (costs[1] ?? NaN));
  }
  stage.print(`two workers against one ${median(ratios).toFixed(2)} (goal >= 1.7)`);
}

/**
 * Memory of a process after seconds under load: as npm starts it, as the image does, and beside
 * them Node proxies that only pass bytes on.
 */
export async function memoryUnderLoad(stage: Stage): Promise<void> {
  const { ground } = stage;
  const own = stage.keep(await startSidecarPeer(ground, 'sidecar', '10000'));
  const image = stage.keep(await startAsInImage(ground));
  const session = (peer: Peer) => signIn(peer.url, stage.idp);
  const peers = [
    { name: 'the sidecar', peer: own, cookie: await session(own) },
    { name: 'as the image starts it (goal <= 90)', peer: image, cookie: await session(image) },
    { name: 'a bare node:http proxy', peer: stage.keep(await startFloor(ground)), cookie: '' },
    { name: '… with undici', peer: stage.keep(await startClient(ground, 'undici')), cookie: '' },
  ];
  for (const { name, peer, cookie } of peers) {
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, residentBytes(peer))), 100);
    await wrk(`${peer.url}/small`, cookie, 20).finally(() => clearInterval(watch));
    stage.print(`memory under load, ${name.padEnd(36)} ${(most / 1e6).toFixed(1)} MB`);
  }
}

/** The package that the image holds, with the image's settings of Node. */
async function startAsInImage(ground: Ground): Promise<Peer> {
  const settings = /^ENV NODE_OPTIONS=(.*)$/m.exec(readFileSync('Dockerfile', 'utf8'))?.[1];
  if (settings === undefined) throw new Error('Dockerfile has no NODE_OPTIONS');
  const before = process.env['NODE_OPTIONS'];
  process.env['NODE_OPTIONS'] = settings;
  try {
    const cli = resolve('packages/castellan-sidecar/dist/cli/bin.js');
    return await startSidecarPeer({ ...ground, cli }, 'sidecar of the image', '10000');
  } finally {
    if (before === undefined) delete process.env['NODE_OPTIONS'];
    else process.env['NODE_OPTIONS'] = before;
  }
}
