import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../support/cli.js';
import { installPrograms } from '../support/guide-session.js';
import { type PackageRegistry, startRegistry } from '../support/package-registry.js';
import { runCli } from '../support/run-cli.js';
import { type ScriptResult, runJob, runScript, type Step } from '../support/workflow-run.js';

// The steps of each template in a fresh clone, as a runner runs them: git fetches everything from a
// repository, and npx the packed castellan-check from a registry. That it does is shown by the
// honest change of each template, and by both of pre-commit, whose exit code differs: for the others,
// a program `npx` starts the build that is packed.

const folder = mkdtempSync(join(tmpdir(), 'castellan-clone-'));
let registry: PackageRegistry;
const comments: string[] = [];
const github = createServer((request, response) => {
  if (request.method === 'GET') return void response.end('[]');
  let text = '';
  request.setEncoding('utf8').on('data', (part: string) => (text += part));
  request.on('end', () => {
    comments.push((JSON.parse(text) as { body: string }).body);
    response.end('{ "html_url": "https://github.example/c" }');
  });
});

beforeAll(async () => {
  registry = await startRegistry();
  await new Promise<void>((done) => github.listen(0, '127.0.0.1', done));
});
afterAll(() => {
  registry.close();
  github.close();
  rmSync(folder, { recursive: true, force: true });
});

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd,
    stdio: 'pipe',
    encoding: 'utf8',
  });

/** What a pull request does to the project of `castellan init`. */
const changes = {
  honest: (project: string) =>
    appendFileSync(
      join(project, 'castellan.yaml'),
      '  auditors: { kind: security, displayName: Auditors, owners: [ada, grace] }\n',
    ),
  hostile: (project: string) => {
    const file = join(project, 'castellan.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/ {4}auth:\n( {6}.*\n)+/, ''));
    writeFileSync(
      join(project, 'castellan.policy.yaml'),
      'version: 1\nrules: { auth-public-app: off }\n',
    );
  },
  /** Opens the app only where it is deployed. */
  hidden: (project: string) => {
    const file = join(project, 'castellan.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('requireAuthentication', "'${env:RESTRICT}'"));
  },
};
type Change = keyof typeof changes;

/** The files that a template wants in the repository, beside those of `castellan init`. */
type Files = Readonly<Record<string, string>>;

const repositories = new Map<string, Promise<string>>();

/** The {@link createRepository} of a change and files, made once: the jobs only read it. */
function repository(change: Change, files: Files = {}): Promise<string> {
  const key = JSON.stringify([change, files]);
  const made = repositories.get(key) ?? createRepository(change, files);
  repositories.set(key, made);
  return made;
}

/**
 * A repository at a code host: the main branch, which has moved on since the change began, the
 * change, and their merge.
 */
async function createRepository(change: Change, files: Files): Promise<string> {
  const project = mkdtempSync(join(folder, 'project-'));
  git(project, 'init', '--initial-branch', 'main');
  const initialized = await runCli(['init', 'app-with-sign-in', '--name', 'shop'], {
    cwd: project,
  });
  expect(initialized.exitCode).toBe(0);
  for (const [name, source] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    cpSync(join(root, 'examples/ci', source), join(project, name));
  }
  const commit = (message: string) => {
    git(project, 'add', '--all');
    git(project, 'commit', '--message', message);
  };
  commit('what init wrote');
  git(project, 'checkout', '-b', 'change');
  changes[change](project);
  commit(change);
  git(project, 'checkout', 'main');
  writeFileSync(join(project, 'README.md'), '# Shop\n');
  commit('meanwhile');
  git(project, 'checkout', '--detach');
  git(project, 'merge', '--no-edit', 'change');
  git(project, 'update-ref', 'refs/pull/1/merge', 'HEAD');
  git(project, 'checkout', 'main');
  return project;
}

/** Which `npx` a job has: npm's, or one that starts the build. */
type Npx = 'npm' | 'build';
const programs = installPrograms(folder, join(root, 'packages/castellan-check/dist/cli/bin.js'));
const npxFor = (change: Change): Npx => (change === 'honest' ? 'npm' : 'build');

function variables(npx: Npx, more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const temporary = mkdtempSync(join(folder, 'runner-'));
  const path = String(process.env['PATH']);
  return {
    PATH: npx === 'npm' ? path : `${programs}:${path}`,
    HOME: temporary,
    RUNNER_TEMP: temporary,
    CI: 'true',
    npm_config_registry: registry.url,
    npm_config_cache: join(folder, 'npm-cache'),
    npm_config_update_notifier: 'false',
    ...more,
  };
}

/** Checks out as the action does: a depth of 0 is the whole history. */
function checkOut(workspace: string, origin: string, depth: number): void {
  mkdirSync(workspace);
  git(workspace, 'init');
  git(workspace, 'remote', 'add', 'origin', `file://${origin}`);
  const all = ['origin', '+refs/heads/*:refs/remotes/origin/*'];
  const what = depth === 0 ? all : [`--depth=${String(depth)}`, 'origin'];
  const merge = '+refs/pull/1/merge:refs/remotes/pull/1/merge';
  git(workspace, 'fetch', '--no-tags', ...what, merge);
  git(workspace, 'checkout', '--force', 'refs/remotes/pull/1/merge');
}

interface Workflow {
  readonly jobs: { readonly check: { readonly steps: readonly Step[] } };
}

/** Runs a workflow of a repository for the pull request with a change. */
async function runWorkflow(
  change: Change,
  [file, files]: readonly [file: string, files: Files],
  depth?: number,
): Promise<{
  readonly workspace: string;
  readonly ended: readonly ScriptResult[];
  readonly summary: string;
}> {
  const origin = await repository(change, files);
  const place = mkdtempSync(join(folder, 'job-'));
  const workspace = join(place, 'work');
  const summary = join(place, 'summary');
  writeFileSync(summary, '');
  const { jobs } = parse(readFileSync(join(origin, file), 'utf8')) as Workflow;
  const repositoryName = 'contoso/shop';
  const ended = await runJob(jobs.check.steps, {
    workspace,
    env: variables(npxFor(change), {
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_API_URL: `http://127.0.0.1:${(github.address() as AddressInfo).port}`,
      GITHUB_REPOSITORY: repositoryName,
    }),
    contexts: {
      github: {
        event_name: 'pull_request',
        base_ref: 'main',
        repository: repositoryName,
        token: 't',
        event: { pull_request: { number: 1, head: { repo: { full_name: repositoryName } } } },
      },
    },
    action: (name, inputs) => {
      if (name === 'actions/checkout')
        checkOut(workspace, origin, depth ?? Number(inputs['fetch-depth']));
      if (name === 'github/codeql-action/upload-sarif')
        expect(existsSync(join(workspace, String(inputs['sarif_file'])))).toBe(true);
    },
  });
  return { workspace, ended, summary: readFileSync(summary, 'utf8') };
}

/** The command that a refusal names, in a shallow clone. */
function fetchAll(workspace: string, refusal: ScriptResult | undefined): void {
  const [command = ''] = /git fetch --unshallow .*?(?=, or|\n|$)/.exec(refusal?.output ?? '') ?? [];
  expect(command).not.toBe('');
  git(workspace, ...command.split(' ').slice(1));
}

const workflows: readonly (readonly [name: string, file: string, files: Files])[] = [
  ['that init writes', '.github/workflows/castellan.yml', {}],
  [
    'of the examples',
    '.github/workflows/castellan.yml',
    {
      '.github/workflows/castellan.yml': 'github/castellan.yml',
      '.github/actions/castellan/action.yml': 'github/action.yml',
      '.github/actions/castellan/comment.mjs': 'github/comment.mjs',
    },
  ],
];

describe.each(workflows)('the GitHub workflow %s, in a fresh clone', (_name, file, files) => {
  it('passes an honest pull request, and says who gets in', async () => {
    comments.length = 0;
    const { ended, summary } = await runWorkflow('honest', [file, files]);
    expect(ended.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    expect(summary).toContain('0 errors');
    expect(summary + comments.join('')).toContain('No one gains or loses access');
  });

  it('fails a hostile one, at its lines', async () => {
    comments.length = 0;
    const { ended, summary } = await runWorkflow('hostile', [file, files]);
    const [check] = ended.filter(({ exitCode }) => exitCode !== 0);
    expect(check?.exitCode).toBe(1);
    expect(check?.output).toMatch(/^::error title=policy-weakened,file=castellan\.policy\.yaml,/m);
    expect(check?.output).toMatch(/^::warning title=auth-public-app,file=castellan\.yaml,line=15/m);
    expect(summary + comments.join('')).toContain('is open to everyone now');
  });

  it('ends with 3 where the change depends on a variable that the job has not', async () => {
    const { ended } = await runWorkflow('hidden', [file, files]);
    const [check] = ended.filter(({ exitCode }) => exitCode !== 0);
    expect([check?.exitCode, check?.output]).toEqual([
      3,
      expect.stringContaining('castellan: not judged without RESTRICT'),
    ]);
  });

  it('ends with 2 in a shallow clone, and names what fetches more', async () => {
    const { workspace, ended } = await runWorkflow('hostile', [file, files], 1);
    const [check] = ended.filter(({ exitCode }) => exitCode !== 0);
    expect([check?.exitCode, check?.output]).toEqual([2, expect.stringContaining('CAS7004')]);
    fetchAll(workspace, check);
    const again = await runCli(['check', '--base', 'origin/main'], { cwd: workspace });
    expect([again.exitCode, again.stdout]).toEqual([1, expect.stringContaining('policy-weakened')]);
  });
});

describe('the GitLab pipeline, in a fresh clone', () => {
  const run = async (change: Change, depth = 0) => {
    const origin = await repository(change);
    const { castellan: job } = parse(
      readFileSync(join(root, 'examples/ci/gitlab/castellan.gitlab-ci.yml'), 'utf8'),
    ) as { castellan: { script: string[]; variables: Record<string, string | number> } };
    const workspace = join(mkdtempSync(join(folder, 'job-')), 'work');
    const own = Object.entries(job.variables).map(([name, value]) => [name, String(value)]);
    const given = Object.fromEntries(own) as Record<string, string>;
    expect(given['GIT_DEPTH']).toBe('0');
    const shallow = depth === 0 ? [] : [`--depth=${depth}`];
    git(folder, 'clone', ...shallow, '--branch', 'change', `file://${origin}`, workspace);
    const env = variables(npxFor(change), {
      ...given,
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    });
    return { ...(await runScript(job.script.join('\n'), workspace, env)), workspace, env };
  };

  it('passes an honest merge request', async () => {
    const { exitCode, output, workspace } = await run('honest');
    expect([exitCode, output]).toEqual([0, expect.stringContaining('0 errors')]);
    expect(readFileSync(join(workspace, 'castellan-access.md'), 'utf8')).toContain(
      'No one gains or loses access',
    );
  });

  it('fails a hostile one', async () => {
    const { exitCode, output, workspace } = await run('hostile');
    expect([exitCode, output]).toEqual([1, expect.stringContaining('policy-weakened')]);
    expect(output).toContain('auth-public-app');
    expect(readFileSync(join(workspace, 'castellan-access.md'), 'utf8')).toContain(
      'is open to everyone now',
    );
  });

  it('ends with 2 in a shallow clone, and names what fetches more', async () => {
    const ended = await run('hostile', 1);
    expect([ended.exitCode, ended.output]).toEqual([2, expect.stringContaining('CAS7006')]);
    fetchAll(ended.workspace, ended);
    expect((await runScript(ended.script, ended.workspace, ended.env)).exitCode).toBe(1);
  });
});

describe('the hook of pre-commit, in a fresh clone', () => {
  it.each([
    ['honest', 0, '0 errors'],
    ['hostile', 1, 'auth-public-app'],
  ] as const)('ends an %s change with %i', async (change, exitCode, said) => {
    const [hook] = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as {
      entry: string;
    }[];
    const workspace = join(mkdtempSync(join(folder, 'job-')), 'work');
    git(folder, 'clone', `file://${await repository('honest')}`, workspace);
    changes[change](workspace);
    // a rule that is off is found by a comparison alone: the hook has none
    rmSync(join(workspace, 'castellan.policy.yaml'), { force: true });
    const ended = await runScript(String(hook?.entry), workspace, variables('npm'));
    expect([ended.exitCode, ended.output]).toEqual([exitCode, expect.stringContaining(said)]);
  });
});
