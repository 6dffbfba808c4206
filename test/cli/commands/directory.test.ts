import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { freePort } from '../../support/ports.js';
import { type CliRun, runCli } from '../../support/run-cli.js';
import { id, user } from '../../services/directory/support/directory.js';
import { ServedDirectory } from '../../services/directory/support/served.js';

const seed = {
  users: [
    user(id(1), {
      displayName: 'Ada Lovelace',
      userPrincipalName: 'ada@contoso.example',
      authenticationMethods: [
        {
          'odata.type': '#svc.directory.phoneAuthenticationMethod',
          phoneNumber: '+1 5550001234',
          authenticationPhoneType: 'mobile',
        },
      ],
    }),
    user(id(2), {
      displayName: 'Grace \u001b[31mHopper',
      userPrincipalName: 'grace@contoso.example',
    }),
  ],
  servicePrincipals: [{ id: id(3), displayName: 'robot' }],
  groups: [
    {
      id: id(10),
      displayName: 'Sales EMEA',
      mailNickname: 'sales-emea',
      mailEnabled: false,
      securityEnabled: true,
      owners: [id(1), id(3)],
      members: [id(2), id(12)],
      description: 'All of EMEA',
    },
    {
      id: id(11),
      displayName: 'Shoppers',
      mailNickname: 'shoppers',
      mailEnabled: true,
      securityEnabled: false,
      groupTypes: ['Unified', 'DynamicMembership'],
      membershipRule: 'user.city -eq "Rome"',
      membershipRuleProcessingState: 'On',
      owners: [id(1), id(2)],
    },
    {
      id: id(12),
      displayName: 'Inner',
      mailNickname: 'inner',
      mailEnabled: false,
      securityEnabled: true,
    },
    {
      id: id(13),
      displayName: 'List',
      mailNickname: 'list',
      mail: 'list@contoso.example',
      mailEnabled: true,
      securityEnabled: false,
    },
  ],
};

describe('the commands about the directory', () => {
  let served: ServedDirectory;
  let folder: string;
  let env: Record<string, string> = {};
  const run = (...args: string[]): Promise<CliRun> =>
    runCli([...args, '--endpoint', served.origin], { cwd: folder, env });
  beforeAll(async () => {
    served = await ServedDirectory.start({ seed });
    folder = mkdtempSync(join(tmpdir(), 'castellan-adopt-'));
  });
  afterAll(async () => {
    await served.stop();
    rmSync(folder, { recursive: true });
  });

  it('list groups as a table', async () => {
    expect(await run('directory', 'groups', 'list')).toEqual({
      exitCode: 0,
      stderr: '4 entries\n',
      stdout: [
        'NAME        KIND          MEMBERSHIP   VISIBILITY  NICKNAME    ID',
        `Sales EMEA  security      assigned     Private     sales-emea  ${id(10)}`,
        `Shoppers    unified       by rule, On  Public      shoppers    ${id(11)}`,
        `Inner       security      assigned     Private     inner       ${id(12)}`,
        `List        distribution  assigned     Private     list        ${id(13)}`,
        '',
      ].join('\n'),
    });
  });

  it('say that they ask the cloud where no sandbox runs', async () => {
    const authority = `http://127.0.0.1:${await freePort()}`;
    const credential = {
      ARM_TENANT_ID: id(90),
      ARM_CLIENT_ID: id(91),
      ARM_CLIENT_SECRET: 'secret',
      AZURE_AUTHORITY_HOST: authority,
    };
    const { exitCode, stderr } = await runCli(['directory', 'groups'], {
      cwd: folder,
      env: credential,
    });
    expect([exitCode, stderr.split('\n')]).toEqual([
      2,
      expect.arrayContaining([
        'no sandbox runs in this folder: asking the cloud; --endpoint names another service',
        expect.stringMatching(/^castellan: CAS5004 .* can't be reached for a token/) as string,
      ]),
    ]);
  });

  it('treat an empty variable like an unset one', async () => {
    env = { SSL_CERT_FILE: '', NODE_EXTRA_CA_CERTS: '' };
    expect((await run('directory', 'groups', 'show', 'inner')).exitCode).toBe(0);
    env = {};
  });

  it('list groups as JSON, by filter, by search, and up to a limit', async () => {
    const names = async (...args: string[]): Promise<string[]> =>
      (
        JSON.parse((await run('directory', 'groups', 'list', '--json', ...args)).stdout) as {
          displayName: string;
        }[]
      ).map((group) => group.displayName);
    expect(await names('--filter', "startsWith(displayName,'s')")).toEqual([
      'Sales EMEA',
      'Shoppers',
    ]);
    expect(await names('--filter', "displayName ne 'Inner'")).toHaveLength(3);
    expect(await names('--search', 'emea')).toEqual(['Sales EMEA']);
    expect(await names('--limit', '1')).toHaveLength(1);
  });

  it('show a group by id, nickname or name', async () => {
    const byName = await run('directory', 'groups', 'show', 'sales emea');
    expect(byName.stdout).toContain('owners         Ada Lovelace, robot');
    expect(byName.stdout).toContain('members        2');
    expect((await run('directory', 'groups', 'show', id(10))).stdout).toBe(byName.stdout);
    expect((await run('directory', 'groups', 'show', 'sales-emea')).stdout).toBe(byName.stdout);
    expect(
      JSON.parse((await run('directory', 'groups', 'show', 'sales-emea', '--json')).stdout),
    ).toMatchObject({ id: id(10) });
  });

  it('list members and owners, without control characters', async () => {
    const { stdout } = await run('directory', 'groups', 'members', 'sales-emea');
    expect(stdout).toContain('Grace  [31mHopper');
    expect(stdout).not.toContain('\u001b');
    expect((await run('directory', 'groups', 'owners', 'sales-emea')).stdout).toContain(
      'robot         servicePrincipal',
    );
  });

  it('list deleted groups, with the time of deletion', async () => {
    const deletedGroup = await served.directory.group({ displayName: 'Gone' });
    await served.directory.delete(`/groups/${deletedGroup['id']}`);
    const { stdout } = await run('directory', 'groups', 'deleted');
    await served.directory.delete(`/directory/deletedItems/${deletedGroup['id']}`);
    expect(stdout.split('\n')).toEqual([
      `NAME  KIND      DELETED               ID`,
      `Gone  security  2026-01-15T10:00:00Z  ${deletedGroup['id']}`,
      '',
    ]);
  });

  it('list authentication methods', async () => {
    const { exitCode, stdout } = await run('directory', 'auth-methods', 'ada@contoso.example');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('mobile +1 5550001234');
  });

  it.each([
    [['directory', 'groups', 'show', 'nosuch'], 'CAS8201'],
    [['directory', 'auth-methods'], 'CAS8001'],
    [['directory', 'auth-methods', 'nobody@contoso.example'], 'CAS5001'],
    [['directory', 'groups', 'list', '--limit', 'many'], 'CAS8001'],
    [['directory', 'groups', 'list', '--filter', 'nonsense'], 'CAS5001'],
    [['directory', 'groups', 'list', '--dialect', 'klingon'], 'CAS8001'],
  ])('%j ends with 2 and names %s', async (args, code) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(code);
  });

  it('adopt groups into a configuration that passes the check', async () => {
    const { exitCode, stderr } = await run(
      'adopt',
      'groups',
      '--stack',
      'people',
      '--out',
      'castellan.yaml',
    );
    expect(exitCode).toBe(0);
    expect(stderr).toContain('note: List (');
    expect(stderr).toContain('3 groups declared in castellan.yaml');
    expect(parse(readFileSync(join(folder, 'castellan.yaml'), 'utf8'))).toEqual({
      version: 1,
      stack: 'people',
      principals: {
        ada: { user: 'ada@contoso.example' },
        grace: { user: 'grace@contoso.example' },
        robot: { servicePrincipal: id(3) },
      },
      groups: {
        'sales-emea': {
          kind: 'security',
          displayName: 'Sales EMEA',
          description: 'All of EMEA',
          mailNickname: 'sales-emea',
          visibility: 'Private',
          owners: ['ada', 'robot'],
          members: ['grace', 'inner'],
        },
        shoppers: {
          kind: 'unified',
          displayName: 'Shoppers',
          description: '',
          mailNickname: 'shoppers',
          visibility: 'Public',
          dynamicMembership: { rule: 'user.city -eq "Rome"', processing: 'On' },
          owners: ['ada', 'grace'],
        },
        inner: {
          kind: 'security',
          displayName: 'Inner',
          description: '',
          mailNickname: 'inner',
          visibility: 'Private',
          ownersManagedElsewhere: true,
        },
      },
    });
    const secondRun = await run('adopt', 'groups', '--out', 'castellan.yaml');
    expect([secondRun.exitCode, secondRun.stderr]).toEqual([2, expect.stringContaining('CAS8202')]);
    const checkRun = await runCli(['check', 'castellan.yaml', '--format', 'json'], { cwd: folder });
    expect(checkRun.exitCode).toBe(0);
  });

  it('adopt the filtered groups, skip members on request, and report if nothing was found', async () => {
    const filteredRun = await run(
      'adopt',
      'groups',
      '--filter',
      "displayName eq 'Sales EMEA'",
      '--no-members',
    );
    expect(parse(filteredRun.stdout)).toMatchObject({
      stack: 'adopted',
      groups: { 'sales-emea': { membersManagedElsewhere: true } },
    });
    expect(parse(filteredRun.stdout).groups['sales-emea']).not.toHaveProperty('members');
    const emptyRun = await run('adopt', 'groups', '--filter', "displayName eq 'nosuch'");
    expect([emptyRun.exitCode, emptyRun.stdout]).toEqual([4, '']);
  });
});
