import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../support/run-cli.js';

/** A repository whose policy is at its root, with a public app in a folder. */
function repository(): { readonly root: string; readonly apps: string; readonly file: string } {
  const root = mkdtempSync(join(tmpdir(), 'castellan-baseline-'));
  const apps = join(root, 'apps');
  for (const folder of [join(root, '.git'), apps]) mkdirSync(folder);
  writeFileSync(join(root, 'castellan.policy.yaml'), 'version: 1\n');
  writeFileSync(
    join(apps, 'castellan.yaml'),
    `version: 1
stack: shop
containerApps:
  shop: { image: "ghcr.io/contoso/shop:1.0.0", targetPort: 8080, ingress: { external: true } }
`,
  );
  return { root, apps, file: join(root, 'castellan.baseline.json') };
}

function filesIn(baseline: string): readonly string[] {
  const { findings } = JSON.parse(readFileSync(baseline, 'utf8')) as {
    findings: { file: string }[];
  };
  return findings.map(({ file }) => file);
}

async function exitCodes(
  runs: readonly (readonly [cwd: string, ...args: string[]])[],
): Promise<readonly number[]> {
  const codes: number[] = [];
  for (const [cwd, ...args] of runs) codes.push((await runCli(args, { cwd })).exitCode);
  return codes;
}

describe('a baseline beside the policy of a repository', () => {
  it.each(['root', 'apps'] as const)(
    'that is written in %s is the same in every folder, and for absolute paths',
    async (place) => {
      const { root, apps, file } = repository();
      const cwd = { root, apps }[place];
      expect(
        await exitCodes([
          [cwd, 'check'],
          [cwd, 'baseline', 'write'],
        ]),
      ).toEqual([1, 0]);
      expect(filesIn(file)).toEqual(['apps/castellan.yaml']);
      const configuration = join(apps, 'castellan.yaml');
      expect(
        await exitCodes([
          [root, 'check'],
          [apps, 'check'],
          [root, 'check', configuration],
          [apps, 'check', configuration],
          [apps, 'baseline', 'prune'],
          [root, 'baseline', 'prune', configuration],
          [root, 'baseline', 'write', configuration],
        ]),
      ).toEqual([0, 0, 0, 0, 0, 0, 0]);
      expect(filesIn(file)).toEqual(['apps/castellan.yaml']);
    },
  );

  it('whose files are relative to the folder in which it was written accepts findings there', async () => {
    const { apps, file } = repository();
    await runCli(['baseline', 'write'], { cwd: apps });
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('apps/castellan.yaml', 'castellan.yaml'));
    expect(await exitCodes([[apps, 'check']])).toEqual([0]);
  });
});
