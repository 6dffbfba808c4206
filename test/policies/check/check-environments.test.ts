import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../support/run-cli.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-environments-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
const run = (...args: string[]) => runCli(args, { cwd: folder });
interface JsonFinding {
  readonly ruleId: string;
  readonly verdict: string;
  readonly message: string;
  readonly environments?: readonly string[];
  readonly location: { readonly file: string };
}
const findingsOf = async (...args: string[]): Promise<readonly JsonFinding[]> => {
  const { findings } = JSON.parse((await run('check', '--format', 'json', ...args)).stdout) as {
    findings: readonly JsonFinding[];
  };
  return findings.filter(({ ruleId }) => ruleId !== 'group-two-owners');
};
const findingLines = async (...args: string[]): Promise<readonly string[]> =>
  (await findingsOf(...args)).map(
    ({ ruleId, environments, location }) =>
      `${ruleId} ${location.file} ${environments?.join(',') ?? '-'}`,
  );

const config = (nickname: string): string => `version: 1
stack: shop
principals: { ada: { user: ada@contoso.example } }
groups:
  admins: { kind: security, displayName: Admins, mailNickname: "${nickname}", owners: [ada] }
`;

describe('checking every environment', () => {
  it('names the environments of each finding', async () => {
    write('castellan.yaml', config('not good'));
    write('castellan.dev.yaml', 'groups: { admins: { mailNickname: fine } }\n');
    write('castellan.prod.yaml', 'groups: { admins: { displayName: "" } }\n');
    expect(await findingLines()).toEqual([
      'group-display-name castellan.prod.yaml prod',
      'group-mail-nickname castellan.yaml default,prod',
    ]);
    expect(await findingLines('-e', 'dev')).toEqual([]);
    expect(await findingLines('-e', 'prod')).toEqual([
      'group-display-name castellan.prod.yaml prod',
      'group-mail-nickname castellan.yaml prod',
    ]);
    expect((await run('check')).stdout).toContain('error group-mail-nickname in default, prod\n');
  });

  it('counts a finding once that the baselines of several environments accept', async () => {
    write('castellan.yaml', config('not good'));
    write('castellan.prod.yaml', 'protected: true\n');
    await run('baseline', 'write');
    const { stdout } = await run('check', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ summary: { errors: 0, baselined: 1 } });
  });

  it('leaves out a stack without the overlay of the named one, and says so', async () => {
    write('castellan.yaml', config('fine'));
    write('castellan.prod.yaml', 'protected: true\n');
    mkdirSync(join(folder, 'other'));
    write('other/castellan.yaml', config('not good').replace('stack: shop', 'stack: other'));
    expect(await findingLines()).toEqual(['group-mail-nickname other/castellan.yaml default']);
    expect(await findingLines('-e', 'prod')).toEqual([]);
    expect((await run('check', '-e', 'prod')).stderr).toContain(
      'other/castellan.yaml is left out: other/castellan.prod.yaml does not exist',
    );
    expect(await findingLines('-e', 'default')).toEqual([
      'group-mail-nickname other/castellan.yaml default',
    ]);
  });

  it('reports an environment that does not exist', async () => {
    write('castellan.yaml', config('fine'));
    write('castellan.prod.yaml', 'protected: true\n');
    expect((await run('check', '-e', 'porduction')).stdout).toContain(
      'error config-unreadable in porduction\n',
    );
  });

  it('does not mention environments if there are none', async () => {
    write('castellan.yaml', config('not good'));
    expect(await findingLines()).toEqual(['group-mail-nickname castellan.yaml -']);
  });

  it('calls a suppression unused only where no environment needs it', async () => {
    write('castellan.yaml', config('not good'));
    write('castellan.dev.yaml', 'groups: { admins: { mailNickname: fine } }\n');
    write(
      'castellan.policy.yaml',
      'version: 1\nsuppressions:\n  - { rule: group-mail-nickname, path: groups.admins, reason: old, owner: ada, until: 2999-01-01 }\n  - { rule: group-mail-nickname, path: groups.admins, environments: [dev], reason: old, owner: ada, until: 2999-01-01 }\n',
    );
    expect(await findingLines()).toEqual(['suppression-unused castellan.policy.yaml dev']);
    expect((await run('suppress', 'prune', '-e', 'dev')).stdout).toBe('1 removed\n');
    expect(await findingLines('-e', 'dev')).toEqual([]);
    expect((await run('suppress', 'prune', '-e', 'dev')).stdout).toBe('0 removed\n');
    write('castellan.yaml', config('fine'));
    expect((await run('suppress', 'prune')).stdout).toBe('1 removed\n');
  });

  it('accepts a finding for the environments in which it holds', async () => {
    write('castellan.yaml', config('fine'));
    write('castellan.prod.yaml', 'groups: { admins: { mailNickname: "not good" } }\n');
    const accepted = ['--reason', 'old', '--owner', 'ada', '--until', '2999-01-01'];
    expect(
      (await run('suppress', 'add', 'group-mail-nickname@groups.admins', ...accepted)).exitCode,
    ).toBe(0);
    expect(await findingLines()).toEqual([]);
    expect((await run('suppress', 'list')).stdout).toContain('environments=prod');
  });

  it('has a baseline for each environment', async () => {
    write('castellan.yaml', config('not good'));
    write('castellan.prod.yaml', 'groups: { admins: { displayName: "" } }\n');
    const { stdout } = await run('baseline', 'write');
    expect(stdout).toBe(
      'castellan.baseline.json: 1 finding\ncastellan.baseline.prod.json: 2 findings\n',
    );
    expect(await findingLines()).toEqual([]);
    write('castellan.yaml', config('fine'));
    expect(await findingLines()).toEqual([
      'baseline-stale castellan.baseline.json default',
      'baseline-stale castellan.baseline.prod.json prod',
    ]);
  });

  it('refuses a state that two environments would share', async () => {
    const backend = (key: string): string =>
      `${config('fine')}backend: { azurerm: { storageAccountName: states, containerName: states, key: "${key}" } }\n`;
    write('castellan.yaml', backend('shop.tfstate'));
    expect(await findingLines()).toEqual([]);
    write('castellan.prod.yaml', 'groups: { admins: { description: Of production } }\n');
    expect(await findingLines()).toEqual(['config-backend castellan.yaml default,prod']);
    expect((await findingsOf('-e', 'prod'))[0]?.message).toContain('${castellan.environment}');
    write('castellan.yaml', backend('${castellan.stack}-${castellan.environment}.tfstate'));
    expect(await findingLines()).toEqual([]);
    write('castellan.yaml', backend('shop.tfstate'));
    write('castellan.prod.yaml', 'backend: { azurerm: { key: shop-prod.tfstate } }\n');
    expect(await findingLines()).toEqual([]);
  });

  it('does not mistake an included file for an overlay', async () => {
    write('castellan.yaml', `include: [castellan.groups.yaml]\n${config('fine')}`);
    write(
      'castellan.groups.yaml',
      'groups: { others: { kind: security, displayName: Others, mailNickname: "not good", owners: [ada] } }\n',
    );
    expect(await findingLines()).toEqual(['group-mail-nickname castellan.groups.yaml -']);
  });

  it('names an unset variable, also if no rule needs it', async () => {
    write(
      'castellan.yaml',
      config('fine').replace(
        'displayName: Admins',
        'displayName: Admins, description: "${env:MOTTO}"',
      ),
    );
    const [finding] = (await findingsOf()).filter(({ verdict }) => verdict === 'unknown');
    expect(finding?.message).toBe("description can't be judged: MOTTO is not set");
    expect((await run('check', '--fail-on-unknown')).exitCode).toBe(3);
  });
});
