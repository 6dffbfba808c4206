import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { type RunningCli, startCastellan } from '../../support/cli.js';
import { emptyPostgres } from '../../support/postgres.js';
import { describeWithTool } from '../../support/require-tool.js';

/** How often a process is killed: `npm run test:long` sets more. */
const killCount = Number(process.env['CASTELLAN_KILLS'] ?? 3);
const operationSeconds = 1;

interface Process {
  running: RunningCli;
  origin: string;
}

async function start(database: string, ...moreArguments: readonly string[]): Promise<Process> {
  const running = await startCastellan([
    'serve',
    'directory',
    'items',
    '--no-auth',
    '--dialect',
    'azure',
    '--database',
    database,
    '--long-running',
    'always',
    '--long-running-seconds',
    String(operationSeconds),
    ...moreArguments,
  ]);
  return { running, origin: running.ready['listening'] ?? '' };
}

interface Reply {
  readonly status: number;
  readonly location: string | null;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers of any shape
  readonly body: any;
}

async function send(
  { origin }: Process,
  method: string,
  path: string,
  body?: object,
): Promise<Reply> {
  const answer = await fetch(origin + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    location: answer.headers.get('location'),
    body: text === '' ? undefined : JSON.parse(text),
  };
}

const group = (name: string, rule?: string): object => ({
  displayName: name,
  mailNickname: name,
  mailEnabled: false,
  securityEnabled: true,
  ...(rule !== undefined && {
    groupTypes: ['DynamicMembership'],
    membershipRule: rule,
    membershipRuleProcessingState: 'On',
  }),
});

describeWithTool('postgres', 'several processes on one PostgreSQL', () => {
  let database: string;
  let processes: Process[];
  beforeAll(async () => {
    database = await emptyPostgres();
    // one of them creates the tables
    processes = await Promise.all([start(database), start(database), start(database)]);
  });
  afterAll(async () => {
    await Promise.all(processes.map(({ running }) => running.stop('SIGKILL')));
  });
  const anyProcess = (): Process => processes[randomInt(processes.length)] as Process;

  test('an operation of a killed process ends at another within 15 seconds', async () => {
    const [first, second] = processes as [Process, Process];
    const workspace = await send(first, 'POST', '/v1/workspaces', { displayName: randomUUID() });
    const path = `/v1/workspaces/${String(workspace.body.id)}/items`;
    const accepted = await send(first, 'POST', path, { displayName: 'left', type: 'Lakehouse' });
    expect(accepted.status).toBe(202);
    await first.running.stop('SIGKILL');
    const killedAt = Date.now();
    const operation = new URL(accepted.location ?? '').pathname;
    await expect
      .poll(async () => (await send(second, 'GET', operation)).body.status as string, {
        timeout: 15_000,
      })
      .toBe('Succeeded');
    expect(Date.now() - killedAt).toBeLessThan(15_000);
    processes[0] = await start(database);
  });

  test('nothing acknowledged is lost or made twice while processes are killed', async () => {
    const workspace = await send(anyProcess(), 'POST', '/v1/workspaces', {
      displayName: randomUUID(),
    });
    const items = `/v1/workspaces/${String(workspace.body.id)}/items`;
    await send(
      anyProcess(),
      'POST',
      '/v1.0/groups',
      group('everyone', 'user.department -eq "kill"'),
    );
    const acknowledged = { groups: new Set<string>(), people: new Set<string>() };
    const operations: string[] = [];
    let isLoadRunning = true;
    const client = async (): Promise<void> => {
      while (isLoadRunning) {
        const name = `k${randomUUID()}`;
        const person = {
          displayName: name,
          userPrincipalName: `${name}@contoso.example`,
          mailNickname: name,
          accountEnabled: true,
          department: 'kill',
          passwordProfile: { password: `Aa1!${name}` },
        };
        try {
          const created = await send(anyProcess(), 'POST', '/v1.0/groups', group(name));
          if (created.status === 201) acknowledged.groups.add(name);
          const item = { displayName: name, type: 'Lakehouse' };
          const accepted = await send(anyProcess(), 'POST', items, item);
          if (accepted.status === 202 && accepted.location !== null)
            operations.push(new URL(accepted.location).pathname);
          const joined = await send(anyProcess(), 'POST', '/v1.0/users', person);
          if (joined.status === 201) acknowledged.people.add(String(joined.body.id));
        } catch {
          await wait(20); // killed while it was asked: not acknowledged
        }
      }
    };
    const clients = Array.from({ length: 6 }, client);
    for (let kill = 0; kill < killCount; kill++) {
      await wait(randomInt(200, 900));
      const index = randomInt(processes.length);
      await processes[index]?.running.stop('SIGKILL');
      processes[index] = await start(database);
    }
    isLoadRunning = false;
    await Promise.all(clients);
    expect(operations.length).toBeGreaterThan(0);
    expect(acknowledged.groups.size).toBeGreaterThan(0);

    const stoppedAt = Date.now();
    for (const operation of operations)
      await expect
        .poll(async () => (await send(anyProcess(), 'GET', operation)).body.status as string, {
          timeout: 15_000,
        })
        .toBe('Succeeded');
    expect(Date.now() - stoppedAt).toBeLessThan(60_000);
    const postgres = new Client(database);
    await postgres.connect();
    const rows = async (query: string): Promise<Record<string, string>[]> =>
      (await postgres.query<Record<string, string>>(query)).rows;
    const duplicatesQuery = `select display_name from items_item where state = 'active' and type = 'Lakehouse' group by display_name having count(*) > 1`;
    expect(await rows(duplicatesQuery)).toEqual([]);
    const active = await rows(
      `select count(*) as count from items_item where state = 'active' and type = 'Lakehouse' and display_name like 'k%'`,
    );
    expect(Number(active[0]?.['count'])).toBeGreaterThanOrEqual(operations.length);
    const waiting = await rows(`select id from items_operation where status = 'Running'`);
    expect(waiting).toEqual([]);
    await postgres.end();

    const groupCounts = new Map<string, number>();
    const members = new Set<string>();
    const readPages = async (path: string, visit: (entry: Record<string, string>) => void) => {
      for (let next: string | undefined = path; next !== undefined;) {
        const page = await send(processes[0] as Process, 'GET', next);
        for (const entry of page.body.value as Record<string, string>[]) visit(entry);
        const link = page.body['@odata.nextLink'] as string | undefined;
        next = link === undefined ? undefined : link.slice(new URL(link).origin.length);
      }
    };
    let everyone = '';
    await readPages('/v1.0/groups?$top=999', ({ id = '', displayName = '' }) => {
      groupCounts.set(displayName, (groupCounts.get(displayName) ?? 0) + 1);
      if (displayName === 'everyone') everyone = id;
    });
    for (const name of acknowledged.groups) expect(groupCounts.get(name)).toBe(1);
    await readPages(`/v1.0/groups/${everyone}/members?$top=999`, ({ id = '' }) => members.add(id));
    for (const id of acknowledged.people) expect(members).toContain(id);
  });

  test('a throttle counts the requests of all processes', async () => {
    const emptyDatabase = await emptyPostgres();
    const first = await start(emptyDatabase);
    const both = [first, await start(emptyDatabase)];
    try {
      let refusedCount = 0;
      // 1,500 at once and 100 a second for an operation: 3,000 are too many for two that count
      // together
      const startedAt = Date.now();
      for (let batch = 0; batch < 60; batch++) {
        const replies = await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            send(both[index % 2] as Process, 'GET', '/v1/workspaces'),
          ),
        );
        refusedCount += replies.filter(({ status }) => status === 429).length;
      }
      const allowed = 1500 + ((Date.now() - startedAt) / 1000) * 100;
      expect(3000 - refusedCount).toBeLessThanOrEqual(allowed + 1);
      expect(3000 - refusedCount).toBeGreaterThan(Math.min(3000, allowed) - 150);
    } finally {
      await Promise.all(both.map(({ running }) => running.stop('SIGKILL')));
    }
  });
});
