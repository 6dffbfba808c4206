import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { Client } from 'pg';

const root = join(__dirname, '../../..');

interface Server {
  readonly child: ChildProcess;
  /** The address at which it answers, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
}

/** Starts one process of the services, as docs/guides/scale-out.md does. */
async function serve(database: string): Promise<Server> {
  const services = ['serve', 'directory', 'items', '--no-auth', '--throttle', 'off'];
  const options = ['--listen', '127.0.0.1:0', '--long-running', 'never', '--database', database];
  const child = spawn(process.execPath, [join(root, 'dist/cli/bin.js'), ...services, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, origin: (JSON.parse(line) as { listening: string }).listening };
}

async function send(url: string, body?: object): Promise<Record<string, string>> {
  const answer = await fetch(url, {
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, string>;
}

type MeasuredRequest = (origin: string) => Promise<unknown>;

/** How many requests are in flight at a time. */
const connections = 32;

/** The requests that are measured, by name: each takes the origin of the process that it goes to. */
async function measuredRequests(
  origin: string,
): Promise<Readonly<Record<string, MeasuredRequest>>> {
  const groupBody = (): object => {
    const name = `g${randomUUID()}`;
    return { displayName: name, mailNickname: name, mailEnabled: false, securityEnabled: true };
  };
  const { id } = await send(`${origin}/v1.0/groups`, groupBody());
  const workspaces: string[] = [];
  let createdItems = 0;
  return {
    'groups read': (origin) => send(`${origin}/v1.0/groups/${id ?? ''}`),
    'groups created': (origin) => send(`${origin}/v1.0/groups`, groupBody()),
    // a workspace has 1,000 items at most
    'items created': async (origin) => {
      const index = Math.floor(createdItems++ / 900);
      workspaces[index] ??= (await send(`${origin}/v1/workspaces`, { displayName: randomUUID() }))[
        'id'
      ] as string;
      const item = { type: 'Notebook', displayName: randomUUID() };
      return send(`${origin}/v1/workspaces/${workspaces[index]}/items`, item);
    },
  };
}

/** Requests a second, and the milliseconds that 99 of 100 of them take at most. */
async function measure(request: MeasuredRequest, servers: readonly Server[], seconds: number) {
  const durationsMs: number[] = [];
  let sentCount = 0;
  const endMs = performance.now() + seconds * 1000;
  const client = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const startMs = performance.now();
      await request(servers[sentCount++ % servers.length]?.origin ?? '');
      durationsMs.push(performance.now() - startMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  durationsMs.sort((a, b) => a - b);
  return {
    rate: Math.round(durationsMs.length / seconds),
    p99: Math.round(durationsMs[Math.floor(durationsMs.length * 0.99)] ?? NaN),
  };
}

/**
 * `npm run bench -- scale-out postgres://… [seconds]`: one against three processes on one
 * PostgreSQL, over 32 connections; after a build. All of them share the cores of this machine.
 */
async function run([url, seconds = '5']: readonly string[]): Promise<void> {
  if (url === undefined) throw new Error('name a PostgreSQL server: postgres://user@host/database');
  console.log(`${availableParallelism()} cores, ${seconds} s each, ${connections} connections`);
  for (const count of [1, 3]) {
    const name = `bench_${randomUUID().replaceAll('-', '')}`;
    const admin = new Client(url);
    await admin.connect();
    await admin.query(`create database ${name}`);
    const database = url.replace(/\/[^/]*$/, `/${name}`);
    const servers = await Promise.all(Array.from({ length: count }, () => serve(database)));
    try {
      for (const [requestName, request] of Object.entries(
        await measuredRequests(servers[0]?.origin ?? ''),
      )) {
        await measure(request, servers, 1); // warms up
        const { rate, p99 } = await measure(request, servers, Number(seconds));
        console.log(
          `${count} process${count === 1 ? '' : 'es'}: ${rate} ${requestName} a second, p99 ${p99} ms`,
        );
      }
    } finally {
      for (const { child } of servers) child.kill();
      await Promise.all(servers.map(({ child }) => child.exitCode ?? once(child, 'exit')));
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    }
  }
}

void run(process.argv.slice(2));
