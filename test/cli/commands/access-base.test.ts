import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../../support/run-cli.js';
import {
  commitToMain,
  configWithRule,
  repositoryWithChange,
  retailRule,
  seed,
} from './support/access-change.js';

test('the output says who gains and who loses access, and why', async () => {
  const cwd = repositoryWithChange(
    configWithRule(retailRule),
    configWithRule('user.department -eq "Operations"'),
  );
  const { stdout, exitCode } = await runCli(['access', '--base', 'main'], { cwd });
  expect(stdout).toBe(`storefront
  new: ada@contoso.example, if department were "Operations" (the rule of shoppers)
  lost: ada@contoso.example, if department were "Retail" (the rule of shoppers)
  + 1 person (grace@contoso.example): the rule of shoppers is now user.department -eq "Operations" (was user.department -eq "Retail")
  - 1 person (ada@contoso.example): the rule of shoppers is now user.department -eq "Operations" (was user.department -eq "Retail")
castellan.yaml:6:3: info: who can get into storefront changed: gains ada@contoso.example, if department were "Operations"; loses ada@contoso.example, if department were "Retail" (access-door-changed)
castellan.yaml:6:3: info: since the change storefront would let in ada@contoso.example, if department were "Operations": the rule of shoppers (access-widened)
`);
  expect(exitCode).toBe(0);
});

test('the JSON lists apps, people and paths', async () => {
  const cwd = repositoryWithChange(
    configWithRule(retailRule),
    configWithRule('user.department -ne "Sales"', '[/docs]'),
  );
  const { stdout, exitCode } = await runCli(['access', '--base', 'main', '--format', 'json'], {
    cwd,
  });
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    apps: [
      {
        app: 'storefront',
        gained: [{ person: 'grace@contoso.example', provider: 'directory' }],
        lost: [],
        publicGained: ['/docs'],
        publicLost: ['/healthz'],
      },
      { app: 'other', gained: [], lost: [], publicGained: [], publicLost: [] },
    ],
    findings: [
      { ruleId: 'access-door-changed', severity: 'info' },
      {
        ruleId: 'access-widened',
        messageId: 'public',
        severity: 'warning',
        location: { file: 'castellan.yaml' },
      },
    ],
  });
});

test('the Markdown is a comment for a pull request with a picture of the changed chains', async () => {
  const cwd = repositoryWithChange(
    configWithRule(retailRule),
    configWithRule('user.department -ne "Sales"'),
  );
  const { stdout } = await runCli(['access', '--base', 'main', '--format', 'markdown'], { cwd });
  expect(stdout).toContain('<!-- castellan-access -->\n### Who gets in, compared with main\n');
  expect(stdout).toContain(
    '| + | 1 person (grace@\u200Bcontoso.example) | the rule of shoppers is now',
  );
  expect(stdout).toContain('```mermaid\nflowchart LR\n  n0["app storefront"]\n');
});

test('a comment states each reason once', async () => {
  const comment = async (before: string, after: string, policy?: string): Promise<string> => {
    const cwd = repositoryWithChange(before, after);
    writeFileSync(join(cwd, 'castellan.policy.yaml'), `version: 1\nrules: { ${policy ?? ''} }\n`);
    commitToMain(cwd, 'castellan.policy.yaml');
    const { stdout } = await runCli(['access', '--base', 'main', '--format', 'markdown'], { cwd });
    return stdout.replace(/<details>[^]*/, '');
  };
  const wide = configWithRule('user.department -ne "Sales"');
  expect(await comment(configWithRule(retailRule), wide)).toBe(`<!-- castellan-access -->
### Who gets in, compared with main

**storefront**

| | who | why |
|---|---|---|
| new | ada@\u200Bcontoso.example, if department were not set | the rule of shoppers |
| + | 1 person (grace@\u200Bcontoso.example) | the rule of shoppers is now user.department -ne "Sales" (was user.department -eq "Retail") |
| = | 1 person | as before |

`);
  expect(
    await comment(configWithRule(retailRule), wide, 'access-widened: { options: { atMost: 0 } }'),
  ).toContain(
    '| warning: 1 person can get into storefront since the change, more than 0 | `access-widened` |',
  );
  const openedComment = await comment(
    configWithRule(retailRule),
    configWithRule(retailRule, '[/healthz, /docs]'),
  );
  expect(openedComment.match(/\/docs/g)).toHaveLength(2); // the change, and the rule's verdict of it
  expect(openedComment).not.toContain('| new |');
});

test('the policy limits how many people may gain access, and sets the severity', async () => {
  const cwd = repositoryWithChange(
    configWithRule(retailRule),
    configWithRule('user.department -ne "Sales"'),
  );
  writeFileSync(
    join(cwd, 'castellan.policy.yaml'),
    'version: 1\nrules: { access-widened: { severity: error, options: { atMost: 0 } } }\n',
  );
  commitToMain(cwd, 'castellan.policy.yaml');
  const { stdout, exitCode } = await runCli(['access', '--base', 'main'], { cwd });
  expect(stdout).toContain('error: 1 person can get into storefront since the change, more than 0');
  expect(exitCode).toBe(1);
});

test('everyone losing access is an error, and there are no findings without a change', async () => {
  const changedFolder = repositoryWithChange(
    configWithRule(retailRule),
    configWithRule('user.department -eq "Retial"'),
  );
  const lostByAll = await runCli(['access', '--base', 'main'], { cwd: changedFolder });
  expect(lostByAll.stdout).toContain(
    'error: everyone who got into storefront loses access (1 person)',
  );
  const unchanged = await runCli(['access', '--base', 'main'], {
    cwd: repositoryWithChange(configWithRule(retailRule), configWithRule(retailRule)),
  });
  expect(unchanged).toMatchObject({
    exitCode: 0,
    stdout: 'no one gains or loses access, compared with main (proved for all possible people)\n',
  });
});

test('an app that loses its sign-in is reported as open to everyone, and not as closed', async () => {
  const configWithoutAuth = configWithRule(retailRule).replace(
    / {4}auth: \{ excludedPaths.*\n/,
    '',
  );
  const { stdout } = await runCli(['access', '--base', 'main'], {
    cwd: repositoryWithChange(configWithRule(retailRule), configWithoutAuth),
  });
  expect(stdout).toContain(
    'storefront is open to everyone now, without a sign-in (access-widened)',
  );
  expect(stdout).not.toContain('access-lost-everyone');
});

test('for the cloud, decisions that differ in its own sign-in layer are reported for each changed app', async () => {
  const cwd = repositoryWithChange(
    configWithRule(retailRule),
    configWithRule('user.department -ne "Sales"'),
  );
  const run = async (...args: string[]) =>
    (await runCli(['access', '--base', 'main', ...args], { cwd })).stdout;
  const path =
    'the cloud documents no rules for excluded paths: beyond exactly /healthz nothing is sure to be public, for example /healthz/a';
  expect(await run('--target', 'azure')).toContain(`\n  ? in the cloud: ${path}\n`);
  expect(await run('--target', 'azure', '--format', 'markdown')).toContain(
    `| ? | in the cloud | ${path} |\n`,
  );
  const { apps } = JSON.parse(await run('--target', 'azure', '--format', 'json')) as {
    apps: { differences?: unknown }[];
  };
  expect(apps[0]?.differences).toContainEqual({ what: path });
  expect(await run()).not.toContain('cloud');
});

interface Proofs {
  readonly apps: readonly { readonly app: string; readonly proof: object }[];
  readonly findings: readonly { readonly ruleId: string; readonly messageId: string }[];
}

test.each([
  [
    'contains for eq',
    'user.department -eq "Sales"',
    'user.department -contains "Sal"',
    { department: 'Sal' },
  ],
  [
    'an -or that binds wider than meant',
    'user.userType -eq "Member" -and (user.city -eq "Oslo" -or user.city -eq "Rome")',
    'user.userType -eq "Member" -and user.city -eq "Oslo" -or user.city -eq "Rome"',
    { city: 'Rome' },
  ],
  [
    '-ne, which lets a missing value in',
    'user.userType -eq "Member"',
    'user.userType -ne "Guest"',
    { userType: null },
  ],
  [
    'match without anchors',
    'user.mail -match "^[a-z]+@contoso.example$"',
    'user.mail -match "[a-z]+@contoso.example"',
    { mail: 'a0a@contoso.example' },
  ],
])(
  'without people, somebody who would get in is shown: %s',
  async (_name, before, after, attributes) => {
    const cwd = repositoryWithChange(configWithRule(before), configWithRule(after));
    const flags = ['access', '--base', 'main', '--from', 'none', '--format', 'json'];
    const { stdout, exitCode } = await runCli(flags, { cwd });
    const { apps, findings } = JSON.parse(stdout) as Proofs;
    expect(apps[0]).toMatchObject({
      app: 'storefront',
      gained: [],
      proof: { gain: { verdict: 'new', example: { attributes }, reasons: expect.any(Array) } },
    });
    expect(apps[1]?.proof).toEqual({ gain: { verdict: 'none' }, loss: { verdict: 'none' } });
    expect(findings.map(({ ruleId, messageId }) => `${ruleId} ${messageId}`)).toEqual([
      'access-door-changed changed',
      'access-widened possible',
    ]);
    expect(exitCode).toBe(0);
    writeFileSync(
      join(cwd, 'castellan.policy.yaml'),
      'version: 1\nrules: { access-widened: error }\n',
    );
    commitToMain(cwd, 'castellan.policy.yaml');
    expect(await runCli(flags, { cwd })).toMatchObject({ exitCode: 1 });
    writeFileSync(
      join(cwd, 'castellan.policy.yaml'),
      'version: 1\nrules: { access-widened: { severity: error, options: { proof: false } } }\n',
    );
    commitToMain(cwd, 'castellan.policy.yaml');
    expect(await runCli(flags, { cwd })).toMatchObject({ exitCode: 0 });
  },
);

test('without people, somebody in a nested group is shown', async () => {
  const nested = (members: string): string =>
    configWithRule(retailRule).replace(
      / {2}shoppers: .*/,
      `  shoppers: { kind: security, displayName: Shoppers, members: [${members}] }
  partners: { kind: security, displayName: Partners, membersManagedElsewhere: true }`,
    );
  const { stdout } = await runCli(['access', '--base', 'main', '--from', 'none'], {
    cwd: repositoryWithChange(nested(''), nested('partners')),
  });
  expect(stdout).toContain('storefront\n  new: anyone in partners (the group partners)\n');
});

test('without people, it is proved that the same rule in other words changes nothing', async () => {
  const cwd = repositoryWithChange(
    configWithRule('user.department -in ["A","B"]'),
    configWithRule('user.department -eq "b" -or user.department -eq "a"'),
  );
  expect(await runCli(['access', '--base', 'main', '--from', 'none'], { cwd })).toMatchObject({
    stdout: 'no one gains or loses access, compared with main (proved for all possible people)\n',
    exitCode: 0,
  });
});

test('the members of an unknown group count as not admitted before, so that the change fails', async () => {
  const foreign = '3c1b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60';
  const memberOf = `user.memberof -any (group.objectId -in ["${foreign}"])`;
  const cwd = repositoryWithChange(configWithRule(memberOf), configWithRule(retailRule));
  writeFileSync(
    join(cwd, 'castellan.policy.yaml'),
    'version: 1\nrules: { access-widened: error }\n',
  );
  commitToMain(cwd, 'castellan.policy.yaml');
  const flags = ['access', '--base', 'main', '--from', 'none'];
  const { stdout, exitCode } = await runCli(flags, { cwd });
  const why = `the group ${foreign} is neither in the configuration nor in the directory that was read`;
  expect(stdout.split('\n')[1]).toBe(`  new: perhaps anyone whose department is "Retail" (${why})`);
  expect(stdout).toContain(
    `error: since the change storefront may let in anyone whose department is "Retail": ${why} (access-widened)`,
  );
  expect(exitCode).toBe(1);
  const json = await runCli([...flags, '--format', 'json'], { cwd });
  expect((JSON.parse(json.stdout) as { apps: object[] }).apps[0]).toMatchObject({
    proof: {
      gain: {
        verdict: 'unknown',
        example: { attributes: { department: 'Retail' } },
        reasons: [
          expect.stringContaining(foreign),
          expect.stringMatching(/^now: /),
          expect.stringMatching(/^before: /),
        ],
      },
    },
  });
});

test('a proof ends at the limit of work', async () => {
  const cwd = repositoryWithChange(
    configWithRule('user.department -contains "q"'),
    configWithRule(
      ['a', 'b', 'c', 'd'].map((each) => `user.department -contains "${each}"`).join(' -and '),
    ),
  );
  const flags = ['access', '--base', 'main', '--from', 'none', '--effort', '50'];
  const { stdout } = await runCli(flags, { cwd });
  expect(stdout).toContain(
    '  new: not known (the question takes more work than --effort allows)\n',
  );
  expect(await runCli([...flags.slice(0, -1), 'much'], { cwd })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--effort is a number of steps') as string,
  });
});

test('an unknown commit is an error', async () => {
  const { exitCode, stderr } = await runCli(['access', '--base', 'nowhere'], {
    cwd: repositoryWithChange(configWithRule(retailRule), configWithRule(retailRule)),
  });
  expect(stderr).toContain('CAS7004');
  expect(exitCode).toBe(2);
});

test('owners and role members can let others in', async () => {
  const cwd = repositoryWithChange(configWithRule(retailRule), configWithRule(retailRule));
  writeFileSync(
    join(cwd, 'roles.yaml'),
    `${seed}directoryRoles:\n  - { roleTemplateId: fe930be7-5e62-47db-91af-98c3a49a38b1, displayName: User Administrator, members: [grace@contoso.example] }\n`,
  );
  const { stdout } = await runCli(
    ['access', 'storefront', '--controllers', '--from', 'roles.yaml'],
    { cwd },
  );
  expect(stdout).toContain(
    'can let others in: grace@contoso.example (User Administrator: may change shoppers)\n',
  );
  expect(stdout).toContain(
    'can let others in: grace@contoso.example (User Administrator: may change what the rule of shoppers asks)\n',
  );
});

const guests = `  - { id: 2b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6072, userPrincipalName: guest@fabrikam.example, displayName: Guest, userType: Guest, department: Sales }\n`;

test('a finding is accepted by a comment with a reason and an end date, and comes back after it', async () => {
  const accepted = (rule: string, until: string): string =>
    configWithRule(rule).replace(
      '  storefront:\n',
      `  # castellan-ignore access-widened reason="the sale for partners" owner=ada until=${until}\n  storefront:\n`,
    );
  const run = async (until: string) => {
    const cwd = repositoryWithChange(
      accepted(retailRule, until),
      accepted('user.department -ne "Retail"', until),
    );
    writeFileSync(join(cwd, 'seed.yaml'), seed + guests);
    return runCli(['access', '--base', 'main'], { cwd });
  };
  const found = await run('2099-01-31');
  expect(found.stdout).toContain('1 finding is accepted by suppressions or the baseline\n');
  expect(found).toMatchObject({
    exitCode: 0,
    stdout: expect.not.stringContaining('access-widened') as string,
  });
  expect(await run('2020-01-31')).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining(
      '1 person from outside (guests) can get into storefront',
    ) as string,
  });
});

test('the baseline accepts only the exact finding', async () => {
  const cwd = repositoryWithChange(
    configWithRule(retailRule),
    configWithRule(retailRule, '[/docs]'),
  );
  const found = await runCli(['access', '--base', 'main', '--write-baseline'], { cwd });
  expect(found).toMatchObject({
    exitCode: 0,
    stderr: 'castellan.baseline.json: 1 finding added\n',
  });
  const untrusted = await runCli(['access', '--base', 'main'], { cwd });
  expect(untrusted.exitCode).toBe(1);
  expect(untrusted.stdout).toContain('policy-weakened');
  commitToMain(cwd, 'castellan.baseline.json');
  expect(await runCli(['access', '--base', 'main'], { cwd })).toMatchObject({ exitCode: 0 });
  expect(await runCli(['access', '--base', 'main', '--baseline', 'none'], { cwd })).toMatchObject({
    exitCode: 1,
  });
  writeFileSync(join(cwd, 'castellan.yaml'), configWithRule(retailRule, '[/docs, /other]'));
  const other = await runCli(['access', '--base', 'main'], { cwd });
  expect(other.stdout).toContain('/other of storefront becomes public');
  expect(other.stdout).not.toContain('/docs of storefront becomes public (');
});

test('options apply to the stacks and environments of a scope in the policy', async () => {
  const cwd = repositoryWithChange(
    configWithRule(retailRule),
    configWithRule('user.department -ne "Sales"'),
  );
  const policy = (environment: string): void =>
    writeFileSync(
      join(cwd, 'castellan.policy.yaml'),
      `version: 1\nscopes: [{ stacks: [shop], environments: [${environment}], rules: { access-widened: { severity: error, options: { atMost: 0 } } } }]\n`,
    );
  policy('prod');
  commitToMain(cwd, 'castellan.policy.yaml');
  expect(await runCli(['access', '--base', 'main'], { cwd })).toMatchObject({ exitCode: 0 });
  policy('default');
  commitToMain(cwd, 'castellan.policy.yaml');
  expect(await runCli(['access', '--base', 'main'], { cwd })).toMatchObject({ exitCode: 1 });
  writeFileSync(join(cwd, 'castellan.policy.yaml'), 'version: 1\nrules: { access-widened: off }\n');
  expect(await runCli(['access', '--base', 'main'], { cwd })).toMatchObject({ exitCode: 1 });
  commitToMain(cwd, 'castellan.policy.yaml');
  expect(await runCli(['access', '--base', 'main'], { cwd })).toMatchObject({ exitCode: 0 });
});

test('a user who may change what a rule reads can let themselves in', async () => {
  const cwd = repositoryWithChange(
    configWithRule(retailRule),
    configWithRule('user.mobile -startsWith "+39"'),
  );
  const { stdout, exitCode } = await runCli(['access', '--base', 'main', '--controllers'], { cwd });
  const by = 'may change mobilePhone of the own account, which the rule of shoppers asks';
  expect(stdout).toContain(`  + everyone: can let others in: ${by}\n`);
  expect(stdout).toContain(
    `warning: everyone has no access to storefront, but can grant it to themselves: ${by} (access-self-service)\n`,
  );
  expect(exitCode).toBe(1);
  const now = await runCli(['access', 'storefront', '--controllers'], { cwd });
  expect(now.stdout).toContain(`can let others in: everyone (${by})\n`);
});

test('a new owner who is not among the people that were read can let themselves in', async () => {
  const withOwners = (owners: string, members = 'ada'): string =>
    configWithRule('').replace(
      /  shoppers: .*/,
      `  shoppers: { kind: security, displayName: Shoppers, members: [${members}], owners: [${owners}] }
principals:
  ada: { user: ada@contoso.example }
  mallory: { user: mallory@evil.example }
  robot: { servicePrincipal: robot }`,
    );
  const message =
    'warning: mallory@evil.example is not among the people that were read, and can grant access to storefront to themselves: owner of shoppers (access-self-service)\n';
  const cwd = repositoryWithChange(withOwners('ada'), withOwners('ada, mallory, robot'));
  const { stdout, exitCode } = await runCli(['access', '--base', 'main'], { cwd });
  expect(stdout).toContain(message);
  expect(stdout.match(/access-self-service/g)).toHaveLength(1);
  expect(exitCode).toBe(1);
  writeFileSync(join(cwd, 'castellan.yaml'), withOwners('ada, mallory', 'ada, mallory'));
  const member = await runCli(['access', '--base', 'main'], { cwd });
  expect(member.stdout).not.toContain('access-self-service');
  writeFileSync(join(cwd, 'castellan.yaml'), withOwners('ada, mallory'));
  writeFileSync(
    join(cwd, 'castellan.policy.yaml'),
    'version: 1\nrules: { access-self-service: { options: { allowed: [mallory@evil.example] } } }\n',
  );
  commitToMain(cwd, 'castellan.policy.yaml');
  const allowed = await runCli(['access', '--base', 'main'], { cwd });
  expect(allowed.stdout).not.toContain('access-self-service');
});

test('an owner more of an allowed group is shown where nobody gains access', async () => {
  const withOwners = (owners: string): string =>
    configWithRule('').replace(
      /  shoppers: .*/,
      `  shoppers: { kind: security, displayName: Shoppers, members: [ada, grace], owners: [${owners}] }
principals:
  ada: { user: ada@contoso.example }
  grace: { user: grace@contoso.example }`,
    );
  const cwd = repositoryWithChange(withOwners('ada'), withOwners('ada, grace'));
  const { stdout } = await runCli(['access', '--base', 'main'], { cwd });
  expect(stdout).toContain('  + grace@contoso.example: can let others in: owner of shoppers\n');
  expect(stdout).not.toContain('no one gains or loses access');
  const comment = await runCli(['access', '--base', 'main', '--format', 'markdown'], { cwd });
  expect(comment.stdout).toContain('can let others in: owner of shoppers |');
});

test('names with control characters, line breaks or markup stay text', async () => {
  const cwd = repositoryWithChange(
    configWithRule(retailRule),
    configWithRule('user.department -ne "Sales"'),
  );
  const name = '"x\\e[31m\\n::error::|<b>@contoso.example"';
  writeFileSync(
    join(cwd, 'seed.yaml'),
    `${seed}  - { userPrincipalName: ${name}, displayName: X, department: Legal }\n`,
  );
  const run = async (...args: string[]): Promise<string> =>
    (await runCli(['access', ...args], { cwd })).stdout;
  const outputs = [
    await run('--people'),
    await run('--base', 'main', '--people'),
    await run('--person', 'X'),
  ];

  writeFileSync(
    join(cwd, 'castellan.access-test.yaml'),
    '- { app: storefront, person: "X\\e[31m\\n::error::", expect: allowed }\n',
  );
  outputs.push(
    (await runCli(['test'], { cwd })).stdout,
    (await runCli(['access', '--person', 'X\u001b[31m\n::error::'], { cwd })).stderr,
  );
  for (const text of outputs) expect(text).not.toMatch(/\u001b|^ *::/m);
  const markdown = await run('--base', 'main', '--format', 'markdown');
  expect(markdown.split('\n').filter((line) => line.startsWith('| + |'))).toHaveLength(1);

  expect(markdown).not.toMatch(/\u001b|<b>/);
});

test('a comment stays within the limits of hosts, and reports what it leaves out', async () => {
  const many = Array.from(
    { length: 2_000 },
    (_, index) => `/path-of-a-page-that-becomes-public-${String(index)}`,
  );
  const cwd = repositoryWithChange(
    configWithRule(retailRule),
    configWithRule(retailRule, `[${many.join(', ')}]`),
  );
  const { stdout } = await runCli(['access', '--base', 'main', '--format', 'markdown'], { cwd });
  expect(stdout.length).toBeLessThan(65_536);
  expect(stdout).toMatch(/\n[0-9]+ more lines are in the full answer of `castellan access`\.\n/);
  expect(stdout).toContain('The changed chains are too many for a picture here');
});

test('values for the sandbox do not decide who gets in in the cloud', async () => {
  const config = (rule: string): string =>
    `${configWithRule('${env:RULE}')}sandbox: { env: { RULE: '${rule}' } }\n`;
  const cwd = repositoryWithChange(config(retailRule), config('user.department -ne "Sales"'));
  const lines = async (target: string): Promise<string> =>
    (await runCli(['access', '--base', 'main', '--target', target], { cwd })).stdout;
  expect(await lines('sandbox')).toContain('+ 1 person (grace@contoso.example)');
  expect(await lines('azure')).not.toContain('grace@contoso.example');
});
