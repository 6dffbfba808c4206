import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGit } from '../support/git-repository.js';
import {
  projectFilesWithPack,
  publicAppYaml,
  PullRequest,
  signInYaml,
} from '../support/pull-request.js';
import { runCli } from '../support/run-cli.js';

// Each pull request opens the app `web` to everyone, or prepares that, and disarms the check that
// would say so. The check runs as in CI: in the work tree of the change, against the main branch.

let pullRequest: PullRequest;
let folder: string;
const start = (files?: Readonly<Record<string, string>>): void => {
  pullRequest = new PullRequest(files);
  ({ folder } = pullRequest);
};
afterEach(() => pullRequest.remove());

const git = (...args: string[]) => pullRequest.git(...args);
const writeFile = (file: string, text: string) => pullRequest.put(file, text);
const read = (file: string) => pullRequest.read(file);
const edit = (file: string, from: string, to: string) => pullRequest.edit(file, from, to);
const removeSignIn = () => pullRequest.removeSignIn();
const commit = () => pullRequest.commit();
const check = (cwd?: string, base?: string) => pullRequest.check(cwd, base);

type HostileChange = readonly [name: string, change: () => void, findings: readonly string[]];

const pullRequests: readonly HostileChange[] = [
  ['opens an app', removeSignIn, ['auth-public-app']],
  [
    'switches the rule off',
    () => {
      removeSignIn();
      edit('castellan.policy.yaml', 'rules:\n', 'rules:\n  auth-public-app: off\n');
    },
    ['policy-weakened rule-off', 'auth-public-app'],
  ],
  [
    'switches the rule off for one environment',
    () => {
      removeSignIn();
      writeFile(
        'shop/castellan.prod.yaml',
        'containerApps: { web: { image: example.com/web:2 } }\n',
      );
      edit(
        'castellan.policy.yaml',
        'rules:\n',
        'scopes: [{ environments: [prod], rules: { auth-public-app: off } }]\nrules:\n',
      );
    },
    ['policy-weakened rule-off', 'auth-public-app'],
  ],
  [
    'lowers a severity',
    () => edit('castellan.policy.yaml', 'rules:\n', 'rules:\n  auth-external-redirects: info\n'),
    ['policy-weakened severity'],
  ],
  [
    'widens an option',
    () => edit('castellan.policy.yaml', 'limit: 10', 'limit: 1000'),
    ['policy-weakened option'],
  ],
  [
    'demands less of a rule',
    () => edit('castellan.policy.yaml', 'prefixes: [shop-]', 'prefixes: []'),
    ['policy-weakened option'],
  ],
  [
    'ignores the finding in a comment',
    () => {
      removeSignIn();
      edit(
        'shop/castellan.yaml',
        'external: true }',
        'external: true } # castellan-ignore auth-public-app reason=x owner=me until=2099-12-31',
      );
    },
    ['policy-weakened suppression', 'auth-public-app'],
  ],
  [
    'ignores the finding in the policy',
    () => {
      removeSignIn();
      edit(
        'castellan.policy.yaml',
        'rules:\n',
        'suppressions: [{ rule: auth-public-app, reason: x, owner: me, until: 2099-12-31 }]\nrules:\n',
      );
    },
    ['policy-weakened suppression', 'auth-public-app'],
  ],
  [
    'ignores what a later change will bring',
    () =>
      edit(
        'castellan.policy.yaml',
        'rules:\n',
        'suppressions: [{ rule: live-group-drift, reason: x, owner: me, until: 2099-12-31 }]\nrules:\n',
      ),
    ['policy-weakened suppression'],
  ],
  [
    'no longer includes the shared policy',
    () => edit('castellan.policy.yaml', 'include: [shared/company.yaml]\n', ''),
    ['policy-weakened include', 'policy-weakened severity'],
  ],
  [
    'empties the shared policy',
    () => writeFile('shared/company.yaml', 'version: 1\nrules: { auth-allow-insecure: info }\n'),
    ['policy-weakened severity'],
  ],
  [
    'moves the policy',
    () => {
      removeSignIn();
      writeFile('shop/castellan.policy.yaml', 'version: 1\nrules: { auth-public-app: off }\n');
      rmSync(join(folder, 'castellan.policy.yaml'));
    },
    ['policy-weakened policy-moved', 'auth-public-app'],
  ],
  [
    'deletes the policy',
    () => rmSync(join(folder, 'castellan.policy.yaml')),
    ['policy-weakened policy-moved'],
  ],
  [
    'opens the app in an overlay',
    () => writeFile('shop/castellan.prod.yaml', 'containerApps: { web: { auth: null } }\n'),
    ['auth-public-app prod'],
  ],
  [
    'puts the shared policy into a submodule',
    () => {
      const other = join(folder, '.git/other');
      mkdirSync(other);
      runGit(other, 'init', '--initial-branch', 'main');
      writeFileSync(join(other, 'company.yaml'), 'version: 1\nrules: { auth-nonce: off }\n');
      runGit(other, 'add', '.');
      runGit(other, 'commit', '--message', 'lax');
      git('rm', '-r', 'shared');
      git('submodule', 'add', other, 'shared');
    },
    ['policy-weakened rule-off'],
  ],
  [
    'renames the configuration',
    () => {
      removeSignIn();
      renameSync(join(folder, 'shop/castellan.yaml'), join(folder, 'shop/config.yaml'));
    },
    ['change-deletes'],
  ],
  [
    'makes the configuration a workflow',
    () => {
      rmSync(join(folder, 'shop/castellan.yaml'));
      writeFile('shop/castellan.yml', 'name: castellan\non: [push]\njobs: {}\n');
    },
    ['change-deletes'],
  ],
  [
    'hides the app in a generated file',
    () => {
      removeSignIn();
      const text = read('shop/castellan.yaml');
      const position = text.indexOf('containerApps:');
      writeFile('shop/dist/apps.yaml', text.slice(position));
      writeFile('shop/castellan.yaml', `${text.slice(0, position)}include: [dist/apps.yaml]\n`);
      writeFile('.gitattributes', 'shop/dist/** linguist-generated=true\n');
    },
    ['auth-public-app'],
  ],
  [
    'opens an app in a second configuration of the folder',
    () => {
      writeFile(
        'shop/castellan.yml',
        read('shop/castellan.yaml').replace(`    ${signInYaml}\n`, ''),
      );
    },
    ['auth-public-app', 'config-include'],
  ],
  [
    'makes a configuration look like a workflow',
    () => writeFile('more/castellan.yaml', `on: [push]\njobs: {}\n${publicAppYaml}`),
    ['auth-public-app', 'property-required', 'property-unknown'],
  ],
  [
    'opens an app in an overlay that no command reads',
    () => writeFile('shop/castellan.prod.yml', 'containerApps: { web: { auth: null } }\n'),
    ['config-overlay'],
  ],
  [
    'hides what a tag of the base’s name shows',
    () => {
      removeSignIn();
      edit('castellan.policy.yaml', 'rules:\n', 'rules:\n  auth-public-app: off\n');
      commit();
      git('tag', 'main');
    },
    ['policy-weakened rule-off', 'auth-public-app'],
  ],
  [
    'lets the workflow check with another policy',
    () => {
      removeSignIn();
      writeFile('lax.yaml', 'version: 1\nrules: { auth-public-app: off }\n');
      writeFile('.github/workflows/castellan.yml', 'on: [pull_request]\njobs: {}\n');
    },
    ['auth-public-app'],
  ],
];

const pullRequestsWithPack: readonly HostileChange[] = [
  [
    'empties the rules of a pack',
    () => {
      edit('shop/castellan.yaml', '  web:\n', '  evil:\n');
      edit('packs/tags.js', 'if (!pattern.test(name))', 'if (false)');
    },
    ['policy-weakened pack', 'own-names'],
  ],
  [
    'changes a file that a pack imports',
    () => {
      edit('shop/castellan.yaml', '  web:\n', '  evil:\n');
      edit('packs/pattern.js', '/^web/', '/./');
    },
    ['policy-weakened pack', 'own-names'],
  ],
  [
    'removes a pack',
    () => edit('castellan.policy.yaml', 'packs:\n  - file: packs/tags.js\n', ''),
    ['policy-weakened pack'],
  ],
  [
    'makes the policy a symbolic link to another',
    () => {
      removeSignIn();
      writeFile('docs/example.yaml', 'version: 1\nrules: { auth-public-app: off }\n');
      rmSync(join(folder, 'castellan.policy.yaml'));
      symlinkSync('docs/example.yaml', join(folder, 'castellan.policy.yaml'));
    },
    [
      'policy-weakened include',
      'policy-weakened pack',
      'policy-weakened rule-off',
      'policy-weakened option',
      'policy-weakened severity',
      'auth-public-app',
    ],
  ],
  [
    'breaks the policy',
    () => {
      removeSignIn();
      writeFile('castellan.policy.yaml', 'version: 2\n');
    },
    [
      'property-value',
      'policy-weakened include',
      'policy-weakened pack',
      'policy-weakened option',
      'policy-weakened severity',
      'auth-public-app',
    ],
  ],
  [
    'changes how git writes the pack',
    () => {
      edit('shop/castellan.yaml', '  web:\n', '  evil:\n');
      writeFile('.gitattributes', 'packs/*.js working-tree-encoding=UTF-7\n');
    },
    ['own-names'],
  ],
];

async function expectFindings(...[, change, findings]: HostileChange): Promise<void> {
  change();
  commit();
  const result = await check();
  expect([result.exitCode, [...new Set(result.findings)].sort()]).toEqual([
    1,
    [...findings].sort(),
  ]);
  expect(result.policy).toBe('castellan.policy.yaml');
}

describe('a hostile pull request', () => {
  beforeEach(() => start());

  it.each(pullRequests)('%s', expectFindings);

  it('writes the baseline', async () => {
    removeSignIn();
    const written = await runCli(['baseline', 'write'], { cwd: folder });
    expect(written.exitCode).toBe(0);
    commit();
    expect(await check()).toMatchObject({
      exitCode: 1,
      findings: ['policy-weakened baseline', 'auth-public-app'],
    });
  });

  it('adds the baseline of an environment that comes with a later one', async () => {
    const opened = 'containerApps: { web: { auth: { enabled: false } } }\n';
    writeFile('shop/castellan.prod.yaml', opened);
    await runCli(['baseline', 'write'], { cwd: folder });
    rmSync(join(folder, 'shop/castellan.prod.yaml'));
    commit();
    expect(read('castellan.baseline.prod.json')).toContain('auth-public-app');
    const weakened = { exitCode: 1, findings: ['policy-weakened baseline'] };
    expect(await check()).toMatchObject(weakened);
    expect(await pullRequest.check(folder, 'main', ['--changed'])).toMatchObject(weakened);
    git('branch', '--force', 'main');
    writeFile('castellan.baseline.notes.json', '[]');
    expect(await check()).toMatchObject({ exitCode: 0 });
  });

  it('widens an entry of the baseline to other stacks', async () => {
    const app = 'image: example.com/web:1, targetPort: 80, ingress: { external: true }';
    const stack = (name: string) =>
      `version: 1\nstack: ${name}\ncontainerApps:\n  web: { ${app} }\n`;
    writeFile('shop/castellan.yaml', stack('shop'));
    await runCli(['baseline', 'write'], { cwd: folder });
    commit();
    git('branch', '--force', 'main');
    expect(await check()).toMatchObject({ exitCode: 0 });
    writeFile('shop/castellan.yaml', `${stack('shop')}---\n${stack('other')}`);
    edit('castellan.baseline.json', '"stack": "shop",', '');
    commit();
    expect(await check()).toMatchObject({
      exitCode: 1,
      findings: ['policy-weakened baseline', 'auth-public-app'],
    });
  });

  it('gives the policy another ending', async () => {
    removeSignIn();
    git('mv', 'castellan.policy.yaml', 'castellan.policy.yml');
    commit();
    const args = ['check', '--base', 'main'];
    expect(await check()).toMatchObject({ exitCode: 1 });
    expect((await check()).findings).toContain('policy-weakened policy-moved');
    git('branch', '--force', 'main');
    git('mv', 'castellan.policy.yml', 'castellan.policy.yaml');
    commit();
    expect((await runCli(args, { cwd: folder })).stderr).not.toContain('rename it');
  });

  it('moves an accepted comment to another app', async () => {
    const suppressionComment =
      '# castellan-ignore auth-public-app reason=x owner=me until=2099-12-31';
    const app = (name: string, comment = '') =>
      `  ${name}:\n    image: example.com/${name}:1\n    targetPort: 80\n    ingress: { external: true } ${comment}\n`;
    const write = (...apps: string[]) => {
      writeFile('shop/castellan.yaml', `version: 1\nstack: shop\ncontainerApps:\n${apps.join('')}`);
    };
    write(app('web', suppressionComment));
    commit();
    git('branch', '--force', 'main');
    expect((await check()).findings).toEqual([]);
    write(app('web2', suppressionComment));
    commit();
    expect(await check()).toMatchObject({
      exitCode: 1,
      findings: ['auth-public-app'],
    });
  });

  it('relies on a suppression that the main branch has no longer', async () => {
    const suppression =
      'suppressions: [{ rule: auth-public-app, reason: x, owner: me, until: 2099-12-31 }]\n';
    edit('castellan.policy.yaml', 'rules:\n', `${suppression}rules:\n`);
    commit();
    git('branch', '--force', 'main');
    git('checkout', 'main');
    edit('castellan.policy.yaml', suppression, '');
    commit();
    git('checkout', 'change');
    removeSignIn();
    commit();
    expect(await check()).toMatchObject({ exitCode: 1, findings: ['auth-public-app'] });
  });

  it('prolongs a suppression of the policy, and one in a comment', async () => {
    const write = (year: number) => {
      const details = `rule: auth-public-app, reason: x, owner: me, until: ${year}-12-31`;
      writeFile('castellan.policy.yaml', `version: 1\nsuppressions: [{ ${details} }]\n`);
      const comment = `# castellan-ignore auth-nonce reason=x owner=me until=${year}-12-31`;
      writeFile('shop/castellan.yaml', `${comment}\n${publicAppYaml}`);
    };
    write(2098);
    pullRequest.merge();
    expect((await check()).findings).toEqual([]);
    write(2099);
    commit();
    expect(await check()).toMatchObject({
      exitCode: 1,
      findings: ['policy-weakened suppression', 'policy-weakened suppression'],
    });
  });

  it('names a policy of its own: that of the base with this name judges, or the base’s own', async () => {
    removeSignIn();
    writeFile('lax.yaml', 'version: 1\nrules: { auth-public-app: off }\n');
    commit();
    const { exitCode, stdout } = await runCli(
      ['check', '--base', 'main', '--policy', 'lax.yaml', '--json'],
      { cwd: folder },
    );
    expect(exitCode).toBe(1);
    expect(stdout).toContain('"ruleId": "auth-public-app"');
    expect(stdout).toContain('"weakened": "policy-moved"');
  });

  it('is judged by a policy from outside of the repository, which is of no branch', async () => {
    removeSignIn();
    commit();
    const outside = mkdtempSync(join(tmpdir(), 'castellan-policy-'));
    const policy = join(outside, 'castellan.policy.yaml');
    writeFileSync(policy, 'version: 1\nrules: { auth-public-app: error }\n');
    const args = ['check', '--base', 'main', '--policy', policy];
    const { exitCode, stdout } = await runCli(args, { cwd: folder });
    rmSync(outside, { recursive: true });
    expect([exitCode, stdout.trimEnd().split('\n').at(-1)]).toEqual([
      1,
      expect.stringMatching(/, policy \/.*castellan\.policy\.yaml$/),
    ]);
  });

  it('opens the app in a file that only looks like an overlay', async () => {
    writeFile('shop/castellan.default.yaml', 'containerApps: { web: { auth: null } }\n');
    commit();
    const { exitCode, stdout } = await runCli(['check', '--environment', 'default', '--json'], {
      cwd: folder,
    });
    expect([exitCode, stdout.includes('auth-public-app"')]).toEqual([0, false]);
    const { stdout: text } = await runCli(['check', '--environment', 'policy'], { cwd: folder });
    expect(text).toContain('there is no environment "policy": a name has letters');
  });

  it('adds a folder whose name is not UTF-8', async () => {
    removeSignIn();
    const hiddenFolder = Buffer.concat([Buffer.from(`${folder}/b`), Buffer.from([0xff])]);
    mkdirSync(hiddenFolder);
    writeFileSync(Buffer.concat([hiddenFolder, Buffer.from('/castellan.yaml')]), publicAppYaml);
    commit();
    expect(await check()).toMatchObject({ exitCode: 1, findings: ['auth-public-app'] });
  });

  it('is checked in a shallow clone: refused, with the command that fetches more', async () => {
    removeSignIn();
    commit();
    const clone = `${folder}-clone`;
    git('checkout', 'main');
    writeFile('readme', 'later');
    commit();
    runGit(
      tmpdir(),
      'clone',
      '--depth=1',
      '--no-single-branch',
      '--branch=change',
      `file://${folder}`,
      clone,
    );
    const result = await check(clone, 'origin/main');
    expect([result.exitCode, result.stderr]).toEqual([
      2,
      expect.stringMatching(/CAS7006 .*\n?.*run git fetch --unshallow origin main/) as string,
    ]);
    rmSync(clone, { recursive: true });
  });
});

describe('a hostile pull request to a project with a pack', () => {
  beforeEach(() => start(projectFilesWithPack));

  it.each(pullRequestsWithPack)('%s', expectFindings);

  it('begins before the policy became stricter', async () => {
    edit('castellan.policy.yaml', 'rules:\n', 'rules:\n  auth-public-app: off\n');
    commit();
    git('branch', '--force', 'main');
    git('checkout', 'main');
    edit('castellan.policy.yaml', '  auth-public-app: off\n', '');
    writeFile('packs/pattern.js', 'exports.pattern = /^web$/;\n');
    commit();
    git('checkout', 'change');
    removeSignIn();
    edit('shop/castellan.yaml', '  web:\n', '  web2:\n');
    commit();
    expect(await check()).toMatchObject({
      exitCode: 1,
      findings: ['own-names', 'auth-public-app'],
    });
  });
});

describe('an honest pull request', () => {
  beforeEach(() => start());

  it('began before the policy, a pack and its suppressions changed', async () => {
    pullRequest.remove();
    start(projectFilesWithPack);
    edit(
      'castellan.policy.yaml',
      'packs:',
      'suppressions: [{ rule: auth-nonce, path: a, reason: x, owner: me, until: 2099-12-31 }]\npacks:',
    );
    commit();
    git('branch', '--force', 'main');
    git('checkout', 'main');
    edit('castellan.policy.yaml', 'limit: 10', 'limit: 5');
    edit('castellan.policy.yaml', ', path: a', ', path: b');
    writeFile('packs/pattern.js', 'exports.pattern = /^web$/;\n');
    commit();
    git('checkout', 'change');
    edit('shop/castellan.yaml', 'web:1', 'web:2');
    commit();
    expect(await check()).toMatchObject({ exitCode: 0, findings: [] });
  });

  it('tightens the policy', async () => {
    edit('castellan.policy.yaml', 'limit: 10', 'limit: 5');
    edit('castellan.policy.yaml', 'rules:\n', 'rules:\n  auth-shared-state: error\n');
    commit();
    expect(await check()).toMatchObject({ exitCode: 0, findings: [] });
  });

  it('weakens the policy in a file that an owner must review', async () => {
    edit(
      'castellan.policy.yaml',
      'rules:',
      "suppressionLimits: { longest: 90d, approvedBy: ['@shop/security'] }\nrules:",
    );
    writeFile('.github/CODEOWNERS', 'castellan.policy.yaml @shop/security\n');
    commit();
    git('branch', '--force', 'main');
    removeSignIn();
    const until = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    edit(
      'castellan.policy.yaml',
      'rules:\n',
      `suppressions: [{ rule: auth-public-app, reason: x, owner: me, until: ${until} }]\nrules:\n`,
    );
    commit();
    expect(await check()).toMatchObject({ exitCode: 0, findings: [] });
    writeFile('.github/CODEOWNERS', '* @evil/me @shop/security\n');
    edit(
      'shop/castellan.yaml',
      'external: true',
      `external: true # castellan-ignore auth-public-app reason=x owner=me until=${until}\n     `,
    );
    commit();
    expect((await check()).findings).toContain('policy-weakened suppression');
  });
});
