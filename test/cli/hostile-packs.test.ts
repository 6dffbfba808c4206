import { projectFiles, PullRequest } from '../support/pull-request.js';

// The pack imports an npm package, which a pull request can replace: packages are installed from
// its own lock file.

const tags = projectFiles['packs/tags.js'] ?? '';
const files = {
  ...projectFiles,
  '.gitignore': 'node_modules\n',
  'package.json': '{ "dependencies": { "names": "1.0.0" } }\n',
  'package-lock.json': '{ "lockfileVersion": 3, "packages": { "node_modules/names": {} } }\n',
  'packs/tags.js': tags.replace('./pattern.js', 'names'),
};

let request: PullRequest;
const install = (text: string, folder = 'node_modules/names'): void => {
  request.put(`${folder}/package.json`, '{ "name": "names", "main": "index.js" }\n');
  request.put(`${folder}/index.js`, text);
};
const strict = 'exports.pattern = /^web/;\n';
const lax = 'exports.pattern = /./;\n';
const commit = (): void => {
  request.git('add', '--all');
  request.git('commit', '--message', 'a commit');
};
beforeEach(() => {
  request = new PullRequest(files);
  install(strict);
});
afterEach(() => request.remove());

const weakened = { exitCode: 1, findings: ['policy-weakened pack'] };

it.each(['package.json', 'package-lock.json', '.npmrc', 'packs/package.json', 'binding.gyp'])(
  'reports a change of %s, by which another package may be installed',
  async (file) => {
    request.edit('shop/castellan.yaml', '  web:\n', '  evil:\n');
    request.put(file, `{ "${file}": "changed" }\n`);
    install(lax);
    commit();
    expect(await request.check()).toMatchObject(weakened);
  },
);

it('judges a change that touches no packages', async () => {
  request.edit('shop/castellan.yaml', 'web:1', 'web:2');
  commit();
  expect(await request.check()).toMatchObject({ exitCode: 0, findings: [] });
});

it.each(['node_modules/names', 'vendor/names'])(
  'reports a change of a package of the repository in %s',
  async (folder) => {
    install(strict, folder);
    request.put('packs/tags.js', tags.replace('./pattern.js', `../${folder}/index.js`));
    if (folder.startsWith('node_modules')) request.put('packs/tags.js', files['packs/tags.js']);
    request.merge();
    install(lax, folder);
    request.commit();
    expect(await request.check()).toMatchObject(weakened);
  },
);

it('refuses another package where the base pins it, and lets a change pin it', async () => {
  request.edit('castellan.policy.yaml', 'packs/tags.js', 'packs/tags.js\n    integrity: sha256-x');
  commit();
  const { stderr } = await request.check();
  expect(stderr).toBe('');
  const own = await request.check(request.folder, 'change');
  const hash = /its hash is (sha256-\S+),/.exec(own.stderr)?.[1] ?? '';
  request.edit('castellan.policy.yaml', 'sha256-x', hash);
  commit();
  expect(await request.check()).toMatchObject({ exitCode: 0, findings: [] });
  request.git('branch', '--force', 'main');
  request.put('package-lock.json', '{}\n');
  commit();
  expect(await request.check()).toMatchObject({ exitCode: 0, findings: [] });
  install(lax);
  expect(await request.check()).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('look at what changed before you accept it') as string,
  });
});

it('asks the owners of a pack, not those of the policy, when its rules change', async () => {
  request.edit(
    'castellan.policy.yaml',
    'rules:',
    "suppressionLimits: { approvedBy: ['@shop/security'] }\nrules:",
  );
  request.put('CODEOWNERS', 'castellan.policy.yaml @shop/security\n');
  request.merge();
  request.edit('packs/tags.js', '!pattern', 'false && !pattern');
  request.commit();
  expect(await request.check()).toMatchObject(weakened);
  request.put('CODEOWNERS', 'castellan.policy.yaml @shop/security\npacks/ @shop/security\n');
  request.git('stash');
  request.git('checkout', 'main');
  request.put('CODEOWNERS', 'castellan.policy.yaml @shop/security\npacks/ @shop/security\n');
  request.commit();
  request.git('checkout', 'change');
  expect(await request.check()).toMatchObject({ exitCode: 0, findings: [] });
});
