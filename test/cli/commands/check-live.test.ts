import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { id, user } from '../../services/directory/support/directory.js';
import { ServedDirectory } from '../../services/directory/support/served.js';
import { runCli } from '../../support/run-cli.js';

const methods = (...kinds: string[]) =>
  kinds.map((kind) => ({ 'odata.type': `#svc.directory.${kind}AuthenticationMethod` }));
const group = (number: number, nickname: string, more: object) => ({
  id: id(number),
  displayName: nickname,
  mailNickname: nickname,
  mailEnabled: false,
  securityEnabled: true,
  ...more,
});
const seed = {
  users: [
    user(id(1), {
      userPrincipalName: 'ada@contoso.example',
      authenticationMethods: methods('fido2'),
    }),
    user(id(2), { userPrincipalName: 'grace@contoso.example', authenticationMethods: [] }),
  ],
  groups: [
    group(10, 'sales', { owners: [id(1)], description: 'Changed by hand' }),
    group(11, 'buyers', { owners: [id(1), id(2)] }),
    group(12, 'empty', {}),
  ],
};
const yaml = `version: 1
stack: people
principals: { ada: { user: ada@contoso.example }, grace: { user: grace@contoso.example } }
groups:
  sales: { kind: security, displayName: sales, description: All of EMEA, owners: [ada, grace] }
  buyers: { kind: security, displayName: buyers, owners: [ada, grace] }
  empty: { kind: security, displayName: empty, owners: [ada, grace] }
  gone: { kind: security, displayName: gone, owners: [ada, grace] }
`;

describe('castellan check --live', () => {
  let served: ServedDirectory;
  let folder: string;
  beforeAll(async () => {
    served = await ServedDirectory.start({ seed });
    folder = mkdtempSync(join(tmpdir(), 'castellan-check-live-'));
    writeFileSync(join(folder, 'castellan.yaml'), yaml);
  });
  afterAll(async () => {
    await served.stop();
    rmSync(folder, { recursive: true });
  });

  it('reports differences from a real directory, by line and id', async () => {
    const { exitCode, stdout } = await runCli(
      ['check', '--live', '--endpoint', served.origin, '--format', 'json'],
      { cwd: folder },
    );
    interface LiveFinding {
      readonly ruleId: string;
      readonly liveId?: string;
      readonly location: { readonly line: number };
    }
    const { findings } = JSON.parse(stdout) as { findings: LiveFinding[] };
    expect(exitCode).toBe(1);
    expect(
      findings
        .map(({ ruleId, liveId, location }) => `${location.line} ${ruleId} ${liveId ?? ''}`)
        .sort(),
    ).toEqual([
      `5 live-group-drift ${id(10)}`, // the description
      `5 live-group-drift ${id(10)}`, // grace owns nothing
      `5 live-group-owners ${id(10)}`,
      `6 live-owner-strong-method ${id(11)}`,
      `7 live-group-drift ${id(12)}`,
      `7 live-group-drift ${id(12)}`,
      `7 live-group-ownerless ${id(12)}`,
      `7 live-group-owners ${id(12)}`,
      '8 live-group-missing ',
    ]);
  });

  it('takes nobody for an owner who has the name of one as a display name', async () => {
    const forged = await ServedDirectory.start({
      seed: {
        users: [
          user(id(1), { userPrincipalName: 'ada@contoso.example' }),
          user(id(3), {
            userPrincipalName: 'mallory@contoso.example',
            displayName: 'grace@contoso.example',
            mailNickname: 'grace@contoso.example',
          }),
        ],
        groups: [group(10, 'sales', { owners: [id(1), id(3)], description: 'All of EMEA' })],
      },
    });
    writeFileSync(
      join(folder, 'castellan.yaml'),
      yaml.replace(/ {2}(buyers|empty|gone): .*\n/g, ''),
    );
    const { stdout } = await runCli(['check', '--live', '--endpoint', forged.origin], {
      cwd: folder,
    });
    await forged.stop();
    expect(stdout).toContain('mallory@contoso.example');
    expect(stdout).toContain('live-group-drift');
  });

  it('finds a renamed group by the id of a state, and a deleted one by its name', async () => {
    const changedYaml = yaml.replace(
      'buyers: { kind: security, displayName: buyers',
      'traders: { kind: security, displayName: Traders',
    );
    writeFileSync(join(folder, 'castellan.yaml'), changedYaml);
    const resource = (name: string, object: string) => ({
      mode: 'managed',
      type: 'azuread_group',
      name,
      instances: [{ attributes: { id: `/groups/${object}`, object_id: object } }],
    });
    const resources = [resource('traders', id(11)), resource('sales', id(99))];
    writeFileSync(join(folder, 'terraform.tfstate'), JSON.stringify({ version: 4, resources }));
    const { stdout } = await runCli(
      [
        'check',
        '--live',
        '--endpoint',
        served.origin,
        '--state',
        'terraform.tfstate',
        '--format',
        'json',
      ],
      {
        cwd: folder,
      },
    );
    const { findings } = JSON.parse(stdout) as {
      findings: { ruleId: string; message: string; liveId?: string }[];
    };
    expect(
      findings.filter(({ liveId }) => liveId === id(11)).map(({ message }) => message),
    ).toContain('displayName is "buyers" in the directory, declared is "Traders"');
    expect(findings.filter(({ ruleId }) => ruleId === 'live-group-missing')).toHaveLength(1);
    writeFileSync(join(folder, 'castellan.yaml'), yaml);
  });

  it('sends no requests without the option', async () => {
    expect(await runCli(['check'], { cwd: folder })).toMatchObject({ exitCode: 0 });
    expect(await runCli(['check', '--endpoint', served.origin], { cwd: folder })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('give --live, too') as string,
    });
  });
});
