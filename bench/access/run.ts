import { mkdtempSync, openSync, rmSync, statSync, writeSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessOverview } from '../../access/answer/overview.js';
import { compareAccess } from '../../access/compare/compare.js';
import { directoryFromSeed } from '../../access/directory/from-seed.js';
import { accessModel } from '../../access/model.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import { readSeedParts } from '../../sandbox/serve/seed-parts.js';

/**
 * Reads a snapshot, answers for every app, and compares with a change of one rule:
 * `USERS=1000000 SNAPSHOT_GROUPS=100000 node run.js`.
 */
const users = Number(process.env['USERS'] ?? 1_000_000);
const groups = Number(process.env['SNAPSHOT_GROUPS'] ?? 100_000);
const [rules, apps] = [20, 50];
const departments = Array.from({ length: 40 }, (_, at) => `Department ${String(at)}`);
const idOf = (kind: string, at: number): string =>
  `${kind}${at.toString(16).padStart(7, '0')}-0000-4000-8000-000000000000`;

function writeSnapshot(file: string): void {
  const handle = openSync(file, 'w');
  let text = 'users:\n';
  const flush = (): void => {
    writeSync(handle, text);
    text = '';
  };
  for (let at = 0; at < users; at++) {
    const user = {
      id: idOf('a', at),
      userPrincipalName: `user${String(at)}@contoso.example`,
      displayName: `User ${String(at)}`,
      department: departments[at % departments.length],
    };
    text += `- ${JSON.stringify(user)}\n`;
    if (text.length > 1 << 20) flush();
  }
  text += 'groups:\n';
  for (let at = 0; at < groups; at++) {
    const members = Array.from({ length: 10 }, (_, each) => idOf('a', (at * 10 + each) % users));
    if (at + 1 < groups && at % 3 === 0) members.push(idOf('b', at + 1));
    text += `- ${JSON.stringify({ id: idOf('b', at), displayName: `Group ${String(at)}`, members })}\n`;
    if (text.length > 1 << 20) flush();
  }
  flush();
  closeSync(handle);
}

function stackOf(first: string): StackConfig {
  const withRules = Object.fromEntries(
    Array.from({ length: rules }, (_, at) => [
      `ruled-${String(at)}`,
      {
        kind: 'security',
        displayName: `Ruled ${String(at)}`,
        dynamicMembership: {
          rule: at === 0 ? first : `user.department -eq "Department ${String(at)}"`,
        },
      },
    ]),
  );
  const declared = Object.fromEntries(
    Array.from({ length: apps }, (_, at) => [
      `app-${String(at)}`,
      {
        image: 'app:1',
        ingress: { external: true },
        auth: {
          providers: {
            directory: {
              registration: 'login',
              allowedGroups: [`ruled-${String(at % rules)}`, idOf('b', (at * 997) % groups)],
            },
          },
        },
      },
    ]),
  );
  return {
    version: 1,
    stack: 'bench',
    registrations: { login: { displayName: 'Sign-in' } },
    groups: withRules,
    containerApps: declared,
  } as unknown as StackConfig;
}

const seconds = <T>(work: () => T): readonly [T, number] => {
  const { user, system } = process.cpuUsage();
  const result = work();
  const used = process.cpuUsage({ user, system });
  return [result, (used.user + used.system) / 1e6];
};

const folder = mkdtempSync(join(tmpdir(), 'castellan-bench-'));
try {
  const file = join(folder, 'snapshot.yaml');
  writeSnapshot(file);
  const [snapshot, reading] = seconds(() => directoryFromSeed(readSeedParts(file), 'the snapshot'));
  const now = Date.now();
  const [head, answering] = seconds(() => {
    const model = accessModel([stackOf('user.department -eq "Department 0"')], snapshot, { now });
    accessOverview(model);
    return model;
  });
  const [changes, comparing] = seconds(() =>
    compareAccess(
      head,
      accessModel([stackOf('user.department -startsWith "Department 1"')], snapshot, {
        now,
        reuseFrom: head,
      }),
    ),
  );
  const gained = changes.reduce((sum, change) => sum + change.gained.count, 0);
  const { rss } = process.memoryUsage();
  console.log(
    `${String(users)} users, ${String(groups)} groups, ${String(rules)} rules, ${String(apps)} apps; snapshot ${(statSync(file).size / 1e6).toFixed(0)} MB`,
  );
  console.log(
    `reading ${reading.toFixed(1)} s, answer ${answering.toFixed(1)} s (${((reading + answering) / reading).toFixed(2)} times reading, with it)`,
  );
  console.log(
    `comparison ${comparing.toFixed(1)} s more (${((reading + answering + comparing) / (reading + answering)).toFixed(2)} times one answer), ${String(gained)} gained; memory ${(rss / 1e6).toFixed(0)} MB`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
