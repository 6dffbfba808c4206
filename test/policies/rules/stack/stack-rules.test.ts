import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../support/run-cli.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-stack-rules-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
const run = (...args: string[]) => runCli(args, { cwd: folder });
const findingsOf = async (rule: string) => {
  const { stdout } = await run('check', '--json');
  const { findings } = JSON.parse(stdout) as {
    findings: { ruleId: string; message: string; location?: { file: string; line: number } }[];
  };
  return findings
    .filter(({ ruleId }) => ruleId === rule)
    .map(({ message, location }) => `${location?.file}:${location?.line} ${message}`);
};
const baseYaml = `version: 1
stack: shop
azure: { location: West Europe }
containerApps:
  portal: { image: "example.com/p:1", env: { A: "1" } }
`;

describe('overlay-unmatched', () => {
  it('finds a misspelt name and what null does not remove, each with the name that was meant', async () => {
    write('castellan.yaml', baseYaml);
    write(
      'castellan.prod.yaml',
      'containerApps:\n  potral: { replicas: { min: 2 } }\n  contractor: null\n  portal: { env: { B: null } }\n',
    );
    expect(await findingsOf('overlay-unmatched')).toEqual([
      'castellan.prod.yaml:2 there is no "potral" below this overlay',
      'castellan.prod.yaml:3 there is no "contractor" below this overlay that null could remove',
      'castellan.prod.yaml:4 there is no "B" below this overlay that null could remove',
    ]);
  });

  it('renames a misspelt name', async () => {
    write('castellan.yaml', baseYaml);
    write('castellan.prod.yaml', 'containerApps:\n  potral: { replicas: { min: 2 } }\n');
    expect(await findingsOf('overlay-unmatched')).toEqual([
      'castellan.prod.yaml:2 there is no "potral" below this overlay; did you mean "portal"?',
    ]);
    await run('fix', '--unsafe');
    expect(readFileSync(join(folder, 'castellan.prod.yaml'), 'utf8')).toContain('  portal: {');
  });

  it('lets an overlay change, remove and add', async () => {
    write('castellan.yaml', `${baseYaml}  other: { image: "example.com/o:1" }\n`);
    write(
      'castellan.prod.yaml',
      'containerApps:\n  other: null\n  portal: { env: { A: null, C: "2" } }\n  entirely: { image: "example.com/e:1" }\n',
    );
    expect(await findingsOf('overlay-unmatched')).toEqual([]);
  });
});

describe('location-unknown', () => {
  it.each(['westeurope', 'West Europe', 'swedencentral'])('knows %s', async (location) => {
    write('castellan.yaml', baseYaml.replace('West Europe', location));
    expect(await findingsOf('location-unknown')).toEqual([]);
  });

  it('finds a misspelt region', async () => {
    write('castellan.yaml', baseYaml.replace('West Europe', 'westeurpe'));
    expect(await findingsOf('location-unknown')).toEqual([
      'castellan.yaml:3 "westeurpe" is not among the published regions; did you mean "westeurope"?',
    ]);
  });
});
