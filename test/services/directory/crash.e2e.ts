import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningCli, startCastellan } from '../../support/cli.js';
import { waitUntil } from '../../support/wait-until.js';

/** What the service has acknowledged before it was killed. */
interface AcknowledgedWrites {
  readonly groups: Set<string>;
  /** The members of the first group. */
  readonly members: Set<string>;
  readonly deleted: Set<string>;
}

describe('a directory that is killed during many writes', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-crash-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const start = (): Promise<RunningCli> =>
    startCastellan([
      'serve',
      'directory',
      '--listen',
      '127.0.0.1:0',
      '--no-auth',
      '--throttle',
      'off',
      '--database',
      `sqlite:${join(folder, 'd.db')}`,
    ]);

  it('keeps everything that it has acknowledged', async () => {
    const acknowledged: AcknowledgedWrites = {
      groups: new Set(),
      members: new Set(),
      deleted: new Set(),
    };
    let container: string | undefined;
    for (let round = 0; round < 3; round++) {
      const running = await start();
      try {
        const address = `${running.ready['listening']}/v1.0`;
        container ??= await createGroup(address, 'container');
        await expectAcknowledged(address, container, acknowledged);
        const isKilled = (): boolean => running.process.killed;
        const nameOf = (worker: number): string => `${round}-${worker}`;
        const writers = Array.from({ length: 8 }, (_, worker) =>
          writeUntilKilled(address, container as string, nameOf(worker), acknowledged, isKilled),
        );
        await waitUntil('ten groups', () => acknowledged.groups.size >= (round + 1) * 10);
        await running.stop('SIGKILL');
        await Promise.all(writers);
      } finally {
        await running.stop('SIGKILL');
      }
    }
    expect(acknowledged.deleted.size).toBeGreaterThan(0);
    const running = await start();
    try {
      await expectAcknowledged(
        `${running.ready['listening']}/v1.0`,
        container as string,
        acknowledged,
      );
    } finally {
      await running.stop();
    }
  }, 120_000);
});

async function createGroup(address: string, name: string): Promise<string> {
  const body = {
    displayName: name,
    mailNickname: name.replace(/\W/g, ''),
    mailEnabled: false,
    securityEnabled: true,
  };
  const answer = await ask(address, 'POST', '/groups', body);
  if (answer.status !== 201) throw new Error(`not created: ${answer.status}`);
  return ((await answer.json()) as { id: string }).id;
}

/** Creates groups, puts them into the container and deletes some, until the service is gone. */
async function writeUntilKilled(
  address: string,
  container: string,
  name: string,
  acknowledged: AcknowledgedWrites,
  isKilled: () => boolean,
): Promise<void> {
  for (let count = 0; ; count++) {
    try {
      const group = await createGroup(address, `${name}-${count}`);
      acknowledged.groups.add(group);
      const added = await ask(address, 'POST', `/groups/${container}/members/$ref`, {
        '@odata.id': `${address}/groups/${group}`,
      });
      if (added.status === 204) acknowledged.members.add(group);
      if (count % 3 !== 0) continue;
      acknowledged.groups.delete(group); // from here on it may be gone or not
      acknowledged.members.delete(group);
      if ((await ask(address, 'DELETE', `/groups/${group}`)).status === 204)
        acknowledged.deleted.add(group);
    } catch (error) {
      if (isKilled()) return; // what was not acknowledged is not counted
      throw error;
    }
  }
}

async function expectAcknowledged(
  address: string,
  container: string,
  acknowledged: AcknowledgedWrites,
): Promise<void> {
  const live = new Set(await ids(`${address}/groups?$select=id&$top=999`));
  const members = new Set(await ids(`${address}/groups/${container}/members?$select=id&$top=999`));
  const deleted = new Set(
    await ids(`${address}/directory/deletedItems/svc.directory.group?$select=id&$top=999`),
  );
  expect([...acknowledged.groups].filter((id) => !live.has(id))).toEqual([]);
  expect([...acknowledged.members].filter((id) => !members.has(id))).toEqual([]);
  expect(
    [...acknowledged.deleted].filter((id) => live.has(id) || !deleted.has(id) || members.has(id)),
  ).toEqual([]);
}

async function ids(link: string | undefined): Promise<string[]> {
  const foundIds: string[] = [];
  while (link !== undefined) {
    const page = (await (await fetch(link)).json()) as {
      value: { id: string }[];
      '@odata.nextLink'?: string;
    };
    foundIds.push(...page.value.map((each) => each.id));
    link = page['@odata.nextLink'];
  }
  return foundIds;
}

function ask(address: string, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(address + path, {
    method,
    headers: { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(10_000),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
