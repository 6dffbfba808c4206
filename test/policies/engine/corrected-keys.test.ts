import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../support/run-cli.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-spelling-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const run = (...args: string[]) => runCli(args, { cwd: folder });
const write = (text: string): void => writeFileSync(join(folder, 'castellan.yaml'), text);
const read = (): string => readFileSync(join(folder, 'castellan.yaml'), 'utf8');
const findingLines = async (): Promise<readonly string[]> => {
  const { findings } = JSON.parse((await run('check', '--format', 'json')).stdout) as {
    findings: readonly {
      ruleId: string;
      severity: string;
      verdict: string;
      message: string;
      location: { line: number };
    }[];
  };
  return findings
    .filter(({ severity, verdict }) => severity === 'error' && verdict === 'fail')
    .map(({ ruleId, message, location }) => `${String(location.line)} ${ruleId}: ${message}`);
};

const correctYaml = `version: 1
stack: shop
azure: { location: westeurope }
registrations:
  login: { displayName: Login }
containerApps:
  shop:
    image: ghcr.io/contoso/shop:1.0.0
    targetPort: 8080
    replicas: { min: 1 }
    env: { MODE: "8080" }
    ingress: { external: true }
    auth: { redirectTo: directory, providers: { directory: { registration: login } } }
`;

describe('misspelt configurations', () => {
  it.each([
    [
      'a section',
      'containerApps:',
      'containerApp:',
      'property-unknown: containerApp is not a property here; did you mean "containerApps"?',
    ],
    [
      'a section that others refer to',
      'registrations:',
      'registration:',
      'did you mean "registrations"?',
    ],
    [
      'a key that rules need',
      'targetPort:',
      'targetport:',
      'targetport is not a property here; did you mean "targetPort"?',
    ],
    [
      'a key of a map that rules need',
      'ingress: { external',
      'ingress: { externl',
      'externl is not a property here',
    ],
    ['a number in quotes', 'min: 1', 'min: "1"', 'min must be an integer, not "1"'],
    [
      'a number where text is wanted',
      'MODE: "8080"',
      'MODE: 8080',
      'MODE must be text or a map, not 8080',
    ],
    [
      'a name',
      'registration: login',
      'registration: logn',
      'there is no registration "logn"; did you mean "login"?',
    ],
    [
      'a word of an enumeration',
      'auth: {',
      'auth: { restrictAccess: RequireAuthentication, ',
      'did you mean "requireAuthentication"?',
    ],
  ])('have one error for %s, which `castellan fix` corrects', async (_, right, wrong, expected) => {
    write(correctYaml.replace(right, wrong));
    const errors = await findingLines();
    expect(errors).toEqual([expect.stringContaining(expected)]);
    const { stdout } = await run('fix', '--unsafe');
    expect(stdout).toContain('+ ');
    expect(await findingLines()).toEqual([]);
    if (right !== 'auth: {') expect(read()).toBe(correctYaml);
  });

  it.each(['1GB', '1 Gi', '1g', '1gib'])(
    'gives memory of %s the unit of the platform',
    async (memory) => {
      write(
        correctYaml.replace(
          'targetPort: 8080',
          `targetPort: 8080\n    cpu: 0.5\n    memory: ${memory}`,
        ),
      );
      expect(await findingLines()).toHaveLength(1);
      await run('fix');
      expect(read()).toContain('memory: 1Gi');
    },
  );

  it('corrects a key within a misspelt key, each at its place', async () => {
    write(correctYaml.replace('ingress: { external', 'ingres: { externl'));
    expect((await findingLines()).map((line) => line.split(' ')[2])).toEqual(['ingres', 'externl']);
    await run('fix', '--unsafe');
    expect(read()).toBe(correctYaml);
  });

  it('corrects only the findings of a named rule, and refuses an unknown rule', async () => {
    write(correctYaml.replace('targetPort:', 'targetport:').replace('min: 1', 'min: "1"'));
    await run('fix', '--rule', 'property-type');
    expect(read()).toBe(correctYaml.replace('targetPort:', 'targetport:'));
    expect((await run('fix', '--rule', 'property-tpe')).stderr).toContain(
      'did you mean "property-type"?',
    );
  });

  it('lists all allowed keys, or the closest five and where to find the rest', async () => {
    write(correctYaml.replace('stack: shop', 'stack: shop\nxyz: 1'));
    expect((await findingLines())[0]).toMatch(
      /xyz is not a property here; allowed: (\w+, ){4}\w+ \(5 of \d+; https:\/\/\S+\/docs\/reference\/configuration.md lists all\)/,
    );
  });
});
