import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  startOAuth2ProxyInFront,
  startNginxAskingOAuth2Proxy,
  startNginxAskingSidecar,
} from './oauth2-proxy.js';
import {
  sessionCacheEntries,
  startBareProxy,
  startNginxAskingNode,
  startSidecarPeer,
} from './node-peers.js';
import { cpuMicroseconds } from './processes.js';
import { measureInTurn, median, printRatio, type PartContext } from './part-context.js';
import { sealedCookie, signIn } from './sign-in.js';

/** The goals: how many times as much as oauth2-proxy the sidecar should serve. */
const goals = { inFront: '5', behindNginx: '2' } as const;

/**
 * The sidecar against oauth2-proxy: in front of the app, and behind nginx's `auth_request`, where a
 * Node auth server that only decrypts a cookie shows the least that such a server costs.
 */
export async function compareWithOAuth2Proxy(context: PartContext): Promise<void> {
  const { testbed, idp } = context;
  const sidecar = context.stopAtEnd(
    await startSidecarPeer(testbed, 'sidecar', sessionCacheEntries),
  );
  const key = randomBytes(32);
  const peers = [
    await startOAuth2ProxyInFront(testbed, 'least'),
    await startOAuth2ProxyInFront(testbed, 'equal'),
    await startNginxAskingSidecar(testbed),
    await startNginxAskingOAuth2Proxy(testbed, 'least'),
    await startNginxAskingOAuth2Proxy(testbed, 'equal'),
  ];
  const nginxAskingNode = await startNginxAskingNode(testbed, key.toString('hex'));
  for (const peer of [...peers, nginxAskingNode]) context.stopAtEnd(peer);
  const [
    sidecarSamples,
    leastSamples,
    equalSamples,
    nginxSidecarSamples,
    nginxLeastSamples,
    nginxEqualSamples,
    nginxNodeSamples,
  ] = await measureInTurn(context, '/small', [
    { peer: sidecar, cookie: () => signIn(sidecar.url, idp) },
    ...peers.map((peer) => ({ peer, cookie: () => signIn(peer.url, idp, peer.signInPath) })),
    { peer: nginxAskingNode, cookie: () => sealedCookie(key) },
  ]);
  printRatio(
    context,
    'oauth2-proxy that does the least',
    sidecarSamples,
    leastSamples,
    goals.inFront,
  );
  printRatio(
    context,
    'oauth2-proxy that logs and tells as much',
    sidecarSamples,
    equalSamples,
    goals.inFront,
  );
  printRatio(
    context,
    'nginx auth_request: oauth2-proxy that does the least',
    nginxSidecarSamples,
    nginxLeastSamples,
    goals.behindNginx,
  );
  printRatio(
    context,
    '… that logs and tells as much',
    nginxSidecarSamples,
    nginxEqualSamples,
    goals.behindNginx,
  );
  printRatio(
    context,
    '… the least, against a Node auth server',
    nginxNodeSamples,
    nginxLeastSamples,
  );
}

/** Processor time of an upload of 300 MB, which the app reads to its end. */
export async function compareUploads(context: PartContext): Promise<void> {
  const app = http.createServer((request, response) => {
    request.resume().on('end', () => response.end('ok'));
  });
  await new Promise<void>((done) => app.listen(0, '127.0.0.1', done));
  try {
    await compareUploadsTo((app.address() as AddressInfo).port, context);
  } finally {
    app.close();
  }
}

async function compareUploadsTo(originPort: number, context: PartContext): Promise<void> {
  const testbed = { ...context.testbed, originPort };
  const sidecar = context.stopAtEnd(
    await startSidecarPeer(testbed, 'sidecar', sessionCacheEntries),
  );
  const oauth2Proxy = await startOAuth2ProxyInFront(testbed, 'least');
  context.stopAtEnd(oauth2Proxy);
  const peers = [
    { peer: sidecar, cookie: () => signIn(sidecar.url, context.idp) },
    {
      peer: oauth2Proxy,
      cookie: () => signIn(oauth2Proxy.url, context.idp, oauth2Proxy.signInPath),
    },
    { peer: context.stopAtEnd(await startBareProxy(testbed)), cookie: () => '' },
  ];
  const cpuSeconds: number[][] = [[], [], []];
  for (let round = 0; round <= context.rounds; round++)
    for (const [index, { peer, cookie }] of peers.entries()) {
      const session = await cookie();
      const before = cpuMicroseconds(peer);
      await send(peer.url, session, 300);
      if (round > 0) cpuSeconds[index]?.push((cpuMicroseconds(peer) - before) / 1e6);
    }
  const [ofSidecar, ofOAuth2Proxy, ofBareProxy] = cpuSeconds.map((each) => median(each).toFixed(2));
  context.print(
    `300 MB upload: sidecar ${ofSidecar} s CPU, oauth2-proxy ${ofOAuth2Proxy} s, a bare node:http proxy ${ofBareProxy} s`,
  );
  const ratios = (cpuSeconds[0] ?? []).map((each, round) => each / (cpuSeconds[1]?.[round] ?? NaN));
  context.print(`300 MB upload against oauth2-proxy ${median(ratios).toFixed(2)} (goal <= 1.2)`);
}

/** Sends megabytes, and reads the answer. */
async function send(url: string, cookie: string, megabytes: number): Promise<void> {
  const piece = Buffer.alloc(1024 * 1024, 'x');
  const headers = { cookie, origin: url, 'content-length': megabytes * piece.length };
  const request = http.request(`${url}/upload`, { method: 'POST', headers, agent: false });
  const answerEnd = new Promise<void>((done, fail) => {
    request.on('error', fail).on('response', (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) done();
        else fail(new Error(`${url}: ${String(response.statusCode)}`));
      });
    });
  });
  for (let count = 0; count < megabytes; count++)
    if (!request.write(piece))
      await Promise.race([answerEnd, new Promise((done) => request.once('drain', done))]);
  request.end();
  await answerEnd;
}
