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
 * `USERS=1000000 SNAPSHOT_GROUPS=100000 npm run bench -- access`.
 */
const users = Number(process.env['USERS'] ?? 1_000_000);
const groups = Number(process.env['SNAPSHOT_GROUPS'] ?? 100_000);
const [ruleCount, appCount] = [20, 50];
/** How much text is collected before it is written. */
const maxPendingText = 1024 * 1024;
const departments = Array.from({ length: 40 }, (_, index) => `Department ${String(index)}`);
/** The id of the n-th object of a kind: `a` for users, `b` for groups. */
const idOf = (kind: string, index: number): string =>
  `${kind}${index.toString(16).padStart(7, '0')}-0000-4000-8000-000000000000`;

function writeSnapshot(file: string): void {
  const handle = openSync(file, 'w');
  let text = 'users:\n';
  const flush = (): void => {
    writeSync(handle, text);
    text = '';
  };
  for (let userIndex = 0; userIndex < users; userIndex++) {
    const user = {
      id: idOf('a', userIndex),
      userPrincipalName: `user${String(userIndex)}@contoso.example`,
      displayName: `User ${String(userIndex)}`,
      department: departments[userIndex % departments.length],
    };
    text += `- ${JSON.stringify(user)}\n`;
    if (text.length > maxPendingText) flush();
  }
  text += 'groups:\n';
  for (let index = 0; index < groups; index++) {
    const members = Array.from({ length: 10 }, (_, each) => idOf('a', (index * 10 + each) % users));
    if (index + 1 < groups && index % 3 === 0) members.push(idOf('b', index + 1));
    text += `- ${JSON.stringify({ id: idOf('b', index), displayName: `Group ${String(index)}`, members })}\n`;
    if (text.length > maxPendingText) flush();
  }
  flush();
  closeSync(handle);
}

/** A stack of groups with rules, the first one with the given rule, and of apps that let them in. */
function stackOf(firstRule: string): StackConfig {
  const groupsWithRules = Object.fromEntries(
    Array.from({ length: ruleCount }, (_, index) => [
      `ruled-${String(index)}`,
      {
        kind: 'security',
        displayName: `Ruled ${String(index)}`,
        dynamicMembership: {
          rule: index === 0 ? firstRule : `user.department -eq "Department ${String(index)}"`,
        },
      },
    ]),
  );
  const containerApps = Object.fromEntries(
    Array.from({ length: appCount }, (_, index) => [
      `app-${String(index)}`,
      {
        image: 'app:1',
        ingress: { external: true },
        auth: {
          providers: {
            directory: {
              registration: 'login',
              allowedGroups: [
                `ruled-${String(index % ruleCount)}`,
                idOf('b', (index * 997) % groups),
              ],
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
    groups: groupsWithRules,
    containerApps,
  } as unknown as StackConfig;
}

/** The result of a function, and the seconds of processor time that it took. */
const measure = <T>(work: () => T): readonly [result: T, seconds: number] => {
  const { user, system } = process.cpuUsage();
  const result = work();
  const usage = process.cpuUsage({ user, system });
  return [result, (usage.user + usage.system) / 1e6];
};

const folder = mkdtempSync(join(tmpdir(), 'castellan-bench-'));
try {
  const file = join(folder, 'snapshot.yaml');
  writeSnapshot(file);
  const [snapshot, readSeconds] = measure(() =>
    directoryFromSeed(readSeedParts(file), 'the snapshot'),
  );
  const now = Date.now();
  const [head, answerSeconds] = measure(() => {
    const model = accessModel([stackOf('user.department -eq "Department 0"')], snapshot, { now });
    accessOverview(model);
    return model;
  });
  const [changes, compareSeconds] = measure(() =>
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
    `${String(users)} users, ${String(groups)} groups, ${String(ruleCount)} rules, ${String(appCount)} apps; snapshot ${(statSync(file).size / 1e6).toFixed(0)} MB`,
  );
  console.log(
    `reading ${readSeconds.toFixed(1)} s, answer ${answerSeconds.toFixed(1)} s (${((readSeconds + answerSeconds) / readSeconds).toFixed(2)} times reading, with it)`,
  );
  console.log(
    `comparison ${compareSeconds.toFixed(1)} s more (${((readSeconds + answerSeconds + compareSeconds) / (readSeconds + answerSeconds)).toFixed(2)} times one answer), ${String(gained)} gained; memory ${(rss / 1e6).toFixed(0)} MB`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
