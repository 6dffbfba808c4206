import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/cli.js';
import { runCliWithTestEnvironment } from '../support/run-cli.js';

/** What the live directory contains. */
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

/** A sandbox that plays the live directory, and the folder of a user who reads from it. */
const [liveFolder, userFolder] = ['cloud', 'ours'].map(() =>
  mkdtempSync(join(tmpdir(), 'castellan-life-')),
);
let liveVariables: Record<string, string>;

const inFolder = async (cwd: string, env: Record<string, string>, ...args: string[]) => {
  const { exitCode, stdout, stderr } = await runCliWithTestEnvironment(args, { cwd, env });
  if (exitCode !== 0) throw new Error(`castellan ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
};
const runForUser = (...args: string[]) => inFolder(userFolder ?? '', {}, ...args);
const runForUserAgainstLive = (...args: string[]) =>
  inFolder(userFolder ?? '', liveVariables, ...args);
const read = (file: string): string => readFileSync(join(userFolder ?? '', file), 'utf8');

beforeAll(async () => {
  const folder = liveFolder ?? '';
  cpSync(join(root, 'examples/storefront/seed.yaml'), join(folder, 'seed.yaml'));
  writeFileSync(join(folder, 'castellan.yaml'), declared);
  await inFolder(folder, {}, 'sandbox', 'start', '--seed', 'seed.yaml');
  await inFolder(folder, {}, 'up');
  liveVariables = JSON.parse(
    await inFolder(folder, {}, 'sandbox', 'env', '--json'),
  ) as typeof liveVariables;
});
afterAll(async () => {
  for (const folder of [liveFolder ?? '', userFolder ?? '']) {
    await runCliWithTestEnvironment(['sandbox', 'stop'], { cwd: folder });
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a snapshot of a live directory makes a sandbox in which a plan shows no changes', async () => {
  await runForUserAgainstLive('adopt', 'groups', '--out', 'castellan.yaml');
  expect(await runForUserAgainstLive('snapshot', '--from', 'live', '--out', 'seed.yaml')).toContain(
    '2 people, 3 groups',
  );
  await runForUser('sandbox', 'start', '--seed', 'seed.yaml');
  // groups adopted from the copy are declared word for word as those of the live directory
  const adoptedFromLive = read('castellan.yaml');
  await runForUser('adopt', 'groups', '--import', '--force', '--out', 'castellan.yaml');
  expect(read('castellan.yaml')).toBe(adoptedFromLive);
  expect(await runForUser('plan')).toBe('adopted: no changes\n');
});
