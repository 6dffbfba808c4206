import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pino from 'pino';
import { HostedApp } from '../../../sandbox/hosting/hosted-app.js';
import { Processes } from '../../../sandbox/hosting/processes.js';
import type { DeclaredApp } from '../../../services/resource-manager/index.js';

let folder: string;
const { PATH } = process.env;
/** What listens in the containers. */
const listener = createServer();
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-hosted-app-'));
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  const { port } = listener.address() as AddressInfo;
  // takes the place of the engine's command
  const docker = `#!/bin/sh
case "$1 $2" in
  'image inspect' | 'images -q') echo there ;;
  'port '*) echo "80/tcp -> 127.0.0.1:${port}" ;;
  'inspect --format') cat ${folder}/is-running ;;
  'start --attach' | 'wait '*) exec sleep 8 ;;
esac
`;
  writeFileSync(join(folder, 'docker'), docker);
  chmodSync(join(folder, 'docker'), 0o755);
  process.env['PATH'] = `${folder}:${PATH ?? ''}`;
});
afterEach(() => {
  process.env['PATH'] = PATH;
  listener.close();
  rmSync(folder, { recursive: true });
});

const declaredApp = (revision: string): DeclaredApp => ({
  id: '/web',
  name: 'web',
  properties: { configuration: { ingress: { targetPort: 80 } } },
  secrets: [],
  revisions: [
    {
      name: `web--${revision}`,
      template: {
        containers: [{ name: 'main', image: revision }],
        scale: { minReplicas: 0, cooldownPeriod: 0 },
      },
    },
  ],
});

const until = async (app: HostedApp, state: string): Promise<void> => {
  while (app.status().state !== state) await wait(20);
};

test('a request that waits for the first replica of a revision waits for that of its successor', async () => {
  const app = new HostedApp(
    {
      processes: new Processes(join(folder, 'processes.json')),
      hostingFolder: folder,
      caFile: '',
      clockFile: '',
      issuer: '',
      domain: 'localhost:1',
      projectDir: folder,
      root: folder,
      project: 'test',
      log: pino({ level: 'silent' }),
      groupName: () => Promise.resolve(undefined),
      hasContainerEngine: () => Promise.resolve(true),
    },
    declaredApp('one'),
    {},
  );
  try {
    await until(app, 'idle');
    writeFileSync(join(folder, 'is-running'), 'false'); // its replica never gets ready
    const leasing = app.lease({});
    await until(app, 'starting');
    app.update(declaredApp('two'), {});
    await wait(300);
    writeFileSync(join(folder, 'is-running'), 'true');
    const lease = await leasing;
    expect([lease?.port, app.status().state]).toEqual([
      (listener.address() as AddressInfo).port,
      'running',
    ]);
    lease?.release();
  } finally {
    await app.close();
  }
}, 15_000);
