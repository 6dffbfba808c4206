import http from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  startOAuth2ProxyInFront,
  startAskingOAuth2Proxy,
  startAskingSidecar,
} from './oauth2-proxy.js';
import type { AuthPeer } from './ground.js';
import { startFloor, startSidecarPeer } from './node-peers.js';
import { cpuMicroseconds, cpuOfChildren, residentBytes } from './processes.js';
import { interleave, median, ratio, type Stage } from './stage.js';
import { signIn } from './sign-in.js';
import { wrk } from './wrk.js';

/** Against oauth2-proxy: in front of the app, and behind nginx that asks. */
export async function goPeers(stage: Stage): Promise<void> {
  const { ground, idp } = stage;
  const own = stage.keep(await startSidecarPeer(ground, 'sidecar', '10000'));
  const theirs = await startOAuth2ProxyInFront(ground);
  const [asksUs, asksThem] = [
    await startAskingSidecar(ground),
    await startAskingOAuth2Proxy(ground),
  ];
  for (const peer of [theirs, asksUs, asksThem]) stage.keep(peer);
  const visit = (peer: AuthPeer) => ({
    peer,
    cookie: () => signIn(peer.url, idp, peer.signInPath),
  });
  const [ours, other, byUs, byThem] = await interleave(stage, '/small', [
    { peer: own, cookie: () => signIn(own.url, idp) },
    visit(theirs),
    visit(asksUs),
    visit(asksThem),
  ]);
  ratio(stage, 'oauth2-proxy', ours, other, '5');
  ratio(stage, 'nginx auth_request: sidecar against oauth2-proxy', byUs, byThem, '2');
}

/** Processor time of an upload of 300 MB, which the app reads to its end. */
export async function upload(stage: Stage): Promise<void> {
  const app = http.createServer((request, response) => {
    request.resume().on('end', () => response.end('ok'));
  });
  await new Promise<void>((done) => app.listen(0, '127.0.0.1', done));
  const ground = { ...stage.ground, originPort: (app.address() as AddressInfo).port };
  const own = stage.keep(await startSidecarPeer(ground, 'sidecar', '10000'));
  const theirs = await startOAuth2ProxyInFront(ground);
  stage.keep(theirs);
  const peers = [
    { peer: own, path: undefined },
    { peer: theirs, path: theirs.signInPath },
  ];
  const seconds: number[][] = [[], []];
  for (let round = 0; round <= stage.rounds; round++)
    for (const [index, { peer, path }] of peers.entries()) {
      const cookie = await signIn(peer.url, stage.idp, path);
      const before = cpuMicroseconds(peer);
      await send(peer.url, cookie, 300);
      if (round > 0) seconds[index]?.push((cpuMicroseconds(peer) - before) / 1e6);
    }
  const [ours, other] = seconds.map(median);
  stage.print(
    `300 MB upload: sidecar ${ours?.toFixed(2)} s CPU, oauth2-proxy ${other?.toFixed(2)} s`,
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

/** Memory of a process after seconds under load, and of a Node that only passes bytes on. */
export async function memoryUnderLoad(stage: Stage): Promise<void> {
  const ours = stage.keep(await startSidecarPeer(stage.ground, 'sidecar', '10000'));
  const session = await signIn(ours.url, stage.idp);
  const bare = stage.keep(await startFloor(stage.ground));
  const figures: string[] = [];
  for (const peer of [ours, bare]) {
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, residentBytes(peer))), 100);
    await wrk(`${peer.url}/small`, session, 10);
    clearInterval(watch);
    figures.push(`${(most / 1e6).toFixed(1)} MB`);
  }
  stage.print(
    `memory under load ${figures[0] ?? ''} (goal <= 90); the bare node:http proxy ${figures[1] ?? ''}`,
  );
}
