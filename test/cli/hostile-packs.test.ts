import { runGitCommands } from '../support/git-repository.js';
import { projectFilesWithPack, PullRequest } from '../support/pull-request.js';

// The pack imports an npm package, which a pull request can replace: packages are installed from
// its own lock file.

const tags = projectFilesWithPack['packs/tags.js'] ?? '';
const files = {
  ...projectFilesWithPack,
  '.gitignore': 'node_modules\n',
  'package.json': '{ "dependencies": { "names": "1.0.0" } }\n',
  'package-lock.json': '{ "lockfileVersion": 3, "packages": { "node_modules/names": {} } }\n',
  'packs/tags.js': tags.replace('./pattern.js', 'names'),
};

let pullRequest: PullRequest;
const install = (text: string, folder = 'node_modules/names'): void => {
  pullRequest.put(`${folder}/package.json`, '{ "name": "names", "main": "index.js" }\n');
  pullRequest.put(`${folder}/index.js`, text);
};
const strictPattern = 'exports.pattern = /^web/;\n';
const laxPattern = 'exports.pattern = /./;\n';
const commit = (): void => {
  runGitCommands(pullRequest.folder, ['add', '--all'], ['commit', '--message', 'a commit']);
};
beforeEach(() => {
  pullRequest = new PullRequest(files);
  install(strictPattern);
});
afterEach(() => pullRequest.remove());

const weakenedPackReport = { exitCode: 1, findings: ['policy-weakened pack'] };

it.each(['package.json', 'package-lock.json', '.npmrc', 'packs/package.json', 'binding.gyp'])(
  'reports a change of %s, by which another package may be installed',
  async (file) => {
    pullRequest.edit('shop/castellan.yaml', '  web:\n', '  evil:\n');
    pullRequest.put(file, `{ "${file}": "changed" }\n`);
    install(laxPattern);
    commit();
    expect(await pullRequest.check()).toMatchObject(weakenedPackReport);
  },
);

it('judges a change that touches no packages', async () => {
  pullRequest.edit('shop/castellan.yaml', 'web:1', 'web:2');
  commit();
  expect(await pullRequest.check()).toMatchObject({ exitCode: 0, findings: [] });
});

it.each(['node_modules/names', 'vendor/names'])(
  'reports a change of a package of the repository in %s',
  async (folder) => {
    install(strictPattern, folder);
    pullRequest.put('packs/tags.js', tags.replace('./pattern.js', `../${folder}/index.js`));
    if (folder.startsWith('node_modules')) pullRequest.put('packs/tags.js', files['packs/tags.js']);
    pullRequest.merge();
    install(laxPattern, folder);
    pullRequest.commit();
    expect(await pullRequest.check()).toMatchObject(weakenedPackReport);
  },
);

it('refuses another package where the base pins it, and lets a change pin it', async () => {
  pullRequest.edit(
    'castellan.policy.yaml',
    'packs/tags.js',
    'packs/tags.js\n    integrity: sha256-x',
  );
  commit();
  const { stderr } = await pullRequest.check();
  expect(stderr).toBe('');
  const checkAgainstItself = await pullRequest.check(pullRequest.folder, 'change');
  const hash = /its hash is (sha256-\S+),/.exec(checkAgainstItself.stderr)?.[1] ?? '';
  pullRequest.edit('castellan.policy.yaml', 'sha256-x', hash);
  commit();
  expect(await pullRequest.check()).toMatchObject({ exitCode: 0, findings: [] });
  pullRequest.git('branch', '--force', 'main');
  pullRequest.put('package-lock.json', '{}\n');
  commit();
  expect(await pullRequest.check()).toMatchObject({ exitCode: 0, findings: [] });
  install(laxPattern);
  expect(await pullRequest.check()).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('look at what changed before you accept it') as string,
  });
});

it('asks the owners of a pack, not those of the policy, when its rules change', async () => {
  pullRequest.edit(
    'castellan.policy.yaml',
    'rules:',
    "suppressionLimits: { approvedBy: ['@shop/security'] }\nrules:",
  );
  pullRequest.put('CODEOWNERS', 'castellan.policy.yaml @shop/security\n');
  pullRequest.merge();
  pullRequest.edit('packs/tags.js', '!pattern', 'false && !pattern');
  pullRequest.commit();
  expect(await pullRequest.check()).toMatchObject(weakenedPackReport);
  pullRequest.put('CODEOWNERS', 'castellan.policy.yaml @shop/security\npacks/ @shop/security\n');
  pullRequest.git('stash');
  pullRequest.git('checkout', 'main');
  pullRequest.put('CODEOWNERS', 'castellan.policy.yaml @shop/security\npacks/ @shop/security\n');
  pullRequest.commit();
  pullRequest.git('checkout', 'change');
  expect(await pullRequest.check()).toMatchObject({ exitCode: 0, findings: [] });
});
