import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { publicAppYaml, PullRequest } from '../support/pull-request.js';
import { runCli } from '../support/run-cli.js';

// Castellan does not search these folders for configurations, but a pull request could put one there
// and have it deployed: the check of the pull request must find it.

let pullRequest: PullRequest;
beforeEach(() => (pullRequest = new PullRequest()));
afterEach(() => pullRequest.remove());

const publicAppInOtherStack = publicAppYaml
  .replace('version: 1', 'version: 1\nstack: other')
  .replace('app:', 'web:');

it.each([
  ['a folder of built files', 'dist/castellan.yaml'],
  ['a folder of synthesized files', 'cdktf.out/castellan.json'],
  ['a folder whose name begins with a dot', '.deploy/castellan.yml'],
  ['installed packages', 'node_modules/shop/castellan.yaml'],
  ['a very deep folder', `${'a/'.repeat(23)}castellan.yaml`],
])('finds a configuration in %s', async (_name, file) => {
  pullRequest.put(
    file,
    file.endsWith('json') ? JSON.stringify({ version: 1, stack: 4 }) : publicAppInOtherStack,
  );
  pullRequest.commit();
  expect(await pullRequest.check()).toMatchObject({
    exitCode: 1,
    findings: file.endsWith('json') ? ['property-type'] : ['auth-public-app'],
  });
});

it('finds a configuration that git both ignores and tracks, also from a folder inside the repository', async () => {
  pullRequest.put('shop/.gitignore', 'hidden\n*\n');
  pullRequest.put('shop/.hidden/castellan.yaml', publicAppInOtherStack);
  pullRequest.commit();
  const report = await pullRequest.check(join(pullRequest.folder, 'shop'));
  expect(report).toMatchObject({ exitCode: 1, findings: ['auth-public-app'] });
});

it('finds a configuration behind a symbolic link', async () => {
  pullRequest.put('.hidden/castellan.yaml', publicAppInOtherStack);
  mkdirSync(join(pullRequest.folder, 'apps'));
  symlinkSync('../.hidden', join(pullRequest.folder, 'apps/web'));
  pullRequest.commit();
  expect(await pullRequest.check()).toMatchObject({ exitCode: 1, findings: ['auth-public-app'] });
});

it('finds a change in a file that a configuration in such a folder includes', async () => {
  pullRequest.put('.deploy/castellan.yaml', 'version: 1\nstack: other\ninclude: [../apps.yaml]\n');
  pullRequest.put('apps.yaml', 'containerApps: { web: { image: "example.com/a:1" } }\n');
  pullRequest.merge();
  pullRequest.edit('apps.yaml', ':1"', ':1", targetPort: 80, ingress: { external: true }');
  pullRequest.commit();
  expect(await pullRequest.check()).toMatchObject({ exitCode: 1, findings: ['auth-public-app'] });
});

it('skips generated files, and reports that under --verbose', async () => {
  pullRequest.put('.gitignore', 'dist\n');
  pullRequest.commit();
  pullRequest.put('dist/castellan.yaml', publicAppInOtherStack);
  expect(await pullRequest.check()).toMatchObject({ exitCode: 0, findings: [] });
  const { stderr } = await runCli(['check', '--verbose'], { cwd: pullRequest.folder });
  expect(stderr).toContain('castellan: did not search dist for configurations; name it to do so\n');
  expect(stderr).not.toContain('search .git');
});

it('reports by `access` who gets into an app that is declared in such a folder', async () => {
  pullRequest.put('.deploy/castellan.yaml', publicAppInOtherStack);
  pullRequest.put(
    'castellan.seed.yaml',
    'users: [{ userPrincipalName: a@contoso.example, displayName: A }]\n',
  );
  pullRequest.commit();
  const { stdout } = await runCli(['access', '--base', 'main'], { cwd: pullRequest.folder });
  expect(stdout).toContain('.deploy/castellan.yaml:3:18: warning: web is open to everyone now');
});
