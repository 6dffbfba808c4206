import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newRepository } from '../../support/git-repository.js';
import { runCli } from '../../support/run-cli.js';
import { commitToMain, configWithRule, retailRule, seed } from './support/access-change.js';

test('a change that lets somebody into one environment only is reported there', async () => {
  const cwd = newRepository({
    'castellan.yaml': configWithRule(retailRule),
    'castellan.prod.yaml': 'containerApps: { storefront: { replicas: { min: 1 } } }\n',
    'castellan.test.yaml': 'containerApps: { storefront: { replicas: { min: 1 } } }\n',
    'seed.yaml': seed,
  });
  writeFileSync(
    join(cwd, 'castellan.prod.yaml'),
    'containerApps: { storefront: { auth: { providers: { directory: { allowedGroups: null } } } } }\n',
  );
  const { stdout, exitCode } = await runCli(['access', '--base', 'main'], { cwd });
  expect(stdout).toContain('storefront in prod\n');
  expect(stdout).toContain('  + 1 person (grace@contoso.example)');
  expect(stdout).toContain(
    'no one gains or loses access, compared with main, in default, test (proved for all possible people)\n',
  );
  expect(stdout).toMatch(/: since the change storefront .*\(access-widened\) in prod\n/);
  expect(exitCode).toBe(0);
  const json = await runCli(['access', '--base', 'main', '--json'], { cwd });
  expect(JSON.parse(json.stdout)).toMatchObject({
    apps: [
      { app: 'storefront', gained: [] },
      { app: 'other', gained: [] },
      { app: 'storefront', environment: 'prod', gained: [{ person: 'grace@contoso.example' }] },
      { app: 'other', environment: 'prod', gained: [] },
      { app: 'storefront', environment: 'test', gained: [] },
      { app: 'other', environment: 'test', gained: [] },
    ],
  });
  const comment = await runCli(['access', '--base', 'main', '--format', 'markdown'], { cwd });
  expect(comment.stdout).toContain('**storefront in prod**');
  expect(comment.stdout).toContain('"app storefront in prod"');
  const ofDefault = await runCli(['access', '--base', 'main', '-e', 'default'], { cwd });
  expect(ofDefault.stdout).toBe(
    'no one gains or loses access, compared with main (proved for all possible people)\n',
  );
});

test('an environment that the change removes is named', async () => {
  const cwd = newRepository({
    'castellan.yaml': configWithRule(retailRule),
    'castellan.prod.yaml': 'groups: { shoppers: { description: Who shops } }\n',
    'seed.yaml': seed,
  });
  rmSync(join(cwd, 'castellan.prod.yaml'));
  const { stderr } = await runCli(['access', '--base', 'main'], { cwd });
  expect(stderr).toBe(
    'castellan: environment prod has no overlay any more, so it is not compared\n',
  );
});

test('a finding of several environments is printed once', async () => {
  const cwd = newRepository({
    'castellan.yaml': configWithRule(retailRule),
    'castellan.prod.yaml': 'groups: { shoppers: { description: Who shops } }\n',
    'seed.yaml': seed,
  });
  writeFileSync(join(cwd, 'castellan.yaml'), configWithRule('user.department -ne "Sales"'));
  const { stdout } = await runCli(['access', '--base', 'main'], { cwd });
  expect(stdout.match(/\(access-door-changed\).*/g)).toEqual([
    '(access-door-changed) in default, prod',
  ]);
});

test('an accepted finding of several environments counts once', async () => {
  const cwd = newRepository({
    'castellan.yaml': configWithRule(retailRule),
    'castellan.prod.yaml': 'groups: { shoppers: { description: Who shops } }\n',
    'castellan.policy.yaml':
      'version: 1\nrules: { access-widened: { options: { atMost: 0 } }, access-door-changed: off }\nsuppressions: [{ rule: access-widened, reason: wanted, owner: ada, until: 2999-01-01 }]\n',
    'seed.yaml': seed,
  });
  writeFileSync(join(cwd, 'castellan.yaml'), configWithRule('user.department -ne "Sales"'));
  const { stdout } = await runCli(['access', '--base', 'main'], { cwd });
  expect(stdout).toContain('1 finding is accepted by suppressions or the baseline\n');
});

test('what is found in one environment is accepted in the baseline of that environment', async () => {
  const cwd = newRepository({
    'castellan.yaml': configWithRule(retailRule),
    'castellan.prod.yaml': 'containerApps: { storefront: { replicas: { min: 1 } } }\n',
    'castellan.policy.yaml':
      'version: 1\nrules: { access-widened: { options: { atMost: 0 } }, access-door-changed: off }\n',
    'seed.yaml': seed,
  });
  writeFileSync(
    join(cwd, 'castellan.prod.yaml'),
    'containerApps: { storefront: { auth: { providers: { directory: { allowedGroups: null } } } } }\n',
  );
  const found = await runCli(['access', '--base', 'main'], { cwd });
  expect(found.stdout).toMatch(/ warning: 1 person can get into .* \(access-widened\) in prod\n/);
  expect(found.exitCode).toBe(1);
  await runCli(['access', '--base', 'main', '--write-baseline'], { cwd });
  expect(readFileSync(join(cwd, 'castellan.baseline.json'), 'utf8')).not.toContain('access-');
  commitToMain(cwd, 'castellan.baseline.prod.json');
  const accepted = await runCli(['access', '--base', 'main'], { cwd });
  expect(accepted.stdout).toContain('1 finding is accepted by suppressions or the baseline\n');
  expect(accepted.exitCode).toBe(0);
});
