import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../support/run-cli.js';

const app = (name: string, registration: string): string =>
  `  ${name}: { image: "example.com/\${env:TAG}", targetPort: 80, ingress: { external: true }, secrets: { s: "\${env:CLIENT}" }, auth: { providers: { directory: { registration: ${registration}, allowedGroups: [g] } } } }\n`;

interface ReportedFinding {
  readonly ruleId: string;
  readonly verdict: string;
  readonly message: string;
  readonly environments?: readonly string[];
  readonly location?: { readonly file: string; readonly line: number };
}

async function check(
  files: Readonly<Record<string, string>>,
  env: Record<string, string> = {},
): Promise<readonly ReportedFinding[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'castellan-one-cause-'));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, file), text);
  const { stdout } = await runCli(['check', '--json'], { cwd, env });
  return (JSON.parse(stdout) as { findings: readonly ReportedFinding[] }).findings;
}

const head =
  'version: 1\nstack: shop\nprincipals: { ada: { user: ada@contoso.example }, bo: { user: bo@contoso.example } }\ngroups: { g: { kind: security, displayName: G, owners: [ada, bo] } }\n';

describe('one cause is one finding', () => {
  it('says once what is wrong with a registration, on its line, and names the apps', async () => {
    const findings = await check(
      {
        'castellan.yaml': `${head}registrations:\n  staff: { displayName: S, owners: [ada, bo], idTokens: false, groupMembershipClaims: [None] }\ncontainerApps:\n${app('shop', 'staff')}${app('desk', 'staff')}${app('till', 'staff')}${app('hall', 'staff')}`,
      },
      { TAG: 'a:1', CLIENT: 'x' },
    );
    expect(
      findings.map(({ ruleId, message, location }) => [ruleId, message, location?.line]),
    ).toEqual([
      [
        'auth-registration-agrees',
        'the registration issues no ID tokens, which the sign-in of "shop", "desk" and 2 more apps needs: remove idTokens: false',
        6,
      ],
      [
        'auth-registration-agrees',
        'tokens of the registration name no groups (groupMembershipClaims is None): allowedGroups of "shop", "desk" and 2 more apps would admit no one',
        6,
      ],
    ]);
  });

  it('says once that a variable is not set, that of a secret, too', async () => {
    const config = `${head}registrations: { staff: { displayName: S, owners: [ada, bo] } }\ncontainerApps:\n${app('shop', 'staff')}${app('desk', 'staff')}${app('till', 'staff')}`;
    const unknownFindings = (await check({ 'castellan.yaml': config })).filter(
      ({ verdict }) => verdict === 'unknown',
    );
    expect(unknownFindings.map(({ message, location }) => [message, location?.line])).toEqual([
      ["image can't be judged: TAG is not set; 2 more need it", 7],
      ["secrets.s can't be judged: CLIENT is not set; 2 more need it", 7],
    ]);
    expect(await check({ 'castellan.yaml': config }, { TAG: 'a:1', TF_VAR_CLIENT: 'x' })).toEqual(
      [],
    );
  });

  it('reports a finding of all environments once, and a mistake of the base file there', async () => {
    const findings = await check({
      'castellan.yaml': `${head}registrations: { staff: { displayName: S, owners: [ada, bo] } }\ncontainerApps:\n${app('a', 'staff')}`,
      'castellan.prod.yaml': 'containerApps: { a: { image: "example.com/a:2" } }\n',
      'castellan.test.yaml': 'containerApps: { a: { targetPort: 81 } }\n',
    });
    expect(
      findings.map(({ ruleId, location, environments }) => [ruleId, location?.file, environments]),
    ).toEqual([
      ['app-name', 'castellan.yaml', ['default', 'prod', 'test']],
      ['app-image-pinned', 'castellan.yaml', ['default', 'test']],
      ['property-value', 'castellan.yaml', ['default', 'prod', 'test']],
    ]);
  });

  it('takes a variable with braces only, and says which form to write', async () => {
    const findings = await check({
      'castellan.yaml': `${head}containerApps:\n  shop: { image: "example.com/a:1", targetPort: 80, secrets: { s: "env:CLIENT" } }\n`,
    });
    expect(findings).toMatchObject([
      {
        ruleId: 'secret-literal',
        message: 'a variable of the environment is written with braces: ${env:NAME}',
        fix: { description: 'write ${env:CLIENT}', value: '${env:CLIENT}' },
      },
    ]);
  });
});
