import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/cli.js';
import { runCliWithTestEnvironment } from '../support/run-cli.js';

/** What stands in the live directory. */
const declared = `version: 1
stack: theirs
principals:
  ada: { user: ada@contoso.example }
  grace: { user: grace@contoso.example }
groups:
  staff: { displayName: Staff, description: Everybody of ours, kind: security, owners: [ada, grace], members: [ada] }
  shop: { displayName: Shop, kind: security, owners: [ada, grace], membershipRule: 'user.department -eq "Retail"' }
  news: { displayName: News, kind: unified, visibility: Private, theme: Teal, owners: [ada, grace], members: [grace] }
`;

/** A sandbox that plays the live directory, and a folder of somebody who works with it. */
const [cloud, ours] = ['cloud', 'ours'].map(() => mkdtempSync(join(tmpdir(), 'castellan-life-')));
let live: Record<string, string>;

const inFolder = async (cwd: string, env: Record<string, string>, ...args: string[]) => {
  const { exitCode, stdout, stderr } = await runCliWithTestEnvironment(args, { cwd, env });
  if (exitCode !== 0) throw new Error(`castellan ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
};
const us = (...args: string[]) => inFolder(ours ?? '', {}, ...args);
const usLive = (...args: string[]) => inFolder(ours ?? '', live, ...args);
const read = (file: string): string => readFileSync(join(ours ?? '', file), 'utf8');

beforeAll(async () => {
  const folder = cloud ?? '';
  cpSync(join(root, 'examples/storefront/seed.yaml'), join(folder, 'seed.yaml'));
  writeFileSync(join(folder, 'castellan.yaml'), declared);
  await inFolder(folder, {}, 'sandbox', 'start', '--seed', 'seed.yaml');
  await inFolder(folder, {}, 'up');
  live = JSON.parse(await inFolder(folder, {}, 'sandbox', 'env', '--json')) as typeof live;
});
afterAll(async () => {
  for (const folder of [cloud ?? '', ours ?? '']) {
    await runCliWithTestEnvironment(['sandbox', 'stop'], { cwd: folder });
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a snapshot of a live directory makes a sandbox in which a plan shows no changes', async () => {
  await usLive('adopt', 'groups', '--out', 'castellan.yaml');
  expect(await usLive('snapshot', '--from', 'live', '--out', 'seed.yaml')).toContain(
    '2 people, 3 groups',
  );
  await us('sandbox', 'start', '--seed', 'seed.yaml');
  // the copy has, word for word, what was declared of life
  const declaredOfLife = read('castellan.yaml');
  await us('adopt', 'groups', '--import', '--force', '--out', 'castellan.yaml');
  expect(read('castellan.yaml')).toBe(declaredOfLife);
  expect(await us('plan')).toBe('adopted: no changes\n');
});
