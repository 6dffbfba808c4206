import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { castellan, cliPath, root } from '../support/cli.js';

const readExample = (file: string): string => readFileSync(join(root, 'examples/ci', file), 'utf8');

describe('the examples for pipelines', () => {
  it.each([
    'github/castellan.yml',
    'github/action.yml',
    'gitlab/castellan.gitlab-ci.yml',
    'pre-commit.yaml',
  ])('%s uses options that exist', async (file) => {
    expect(parse(readExample(file))).toBeTruthy();
    const used = [...readExample(file).matchAll(/castellan check(.*)$/gm)].flatMap(
      ([, words]) => (words ?? '').match(/--[a-z-]+/g) ?? [],
    );
    const { stdout } = await castellan(['check', '--help']);
    for (const option of used) expect(stdout).toContain(option);
  });

  it('pin every action, image and package, and run for every change', () => {
    for (const file of ['github/castellan.yml', 'github/action.yml']) {
      for (const [, used = ''] of readExample(file).matchAll(/uses: (\S+)/g))
        expect(used).toMatch(/^(\.\/|[\w/-]+@[0-9a-f]{40}$)/);
    }
    expect(parse(readExample('github/castellan.yml'))).toMatchObject({
      on: { pull_request: null },
    });
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(parse(readExample('github/action.yml'))).toMatchObject({
      inputs: { version: { default: version } },
    });
    const gitlab = parse(readExample('gitlab/castellan.gitlab-ci.yml')) as {
      castellan: { rules: object[] };
    };
    expect(gitlab).toMatchObject({ castellan: { variables: { CASTELLAN_VERSION: version } } });
    for (const rule of gitlab.castellan.rules) expect(rule).not.toHaveProperty('changes');
    expect(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')).toContain(
      `castellan-check@${version} check`,
    );
  });

  it('names a hook that the repository has', () => {
    const hooks = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as {
      id: string;
    }[];
    const { repos } = parse(readExample('pre-commit.yaml')) as {
      repos: { hooks: { id: string }[] }[];
    };
    expect(hooks.map(({ id }) => id)).toEqual(
      expect.arrayContaining(repos.flatMap((repo) => repo.hooks.map(({ id }) => id))),
    );
  });
});

describe('the scripts of the pipelines, run as they are', () => {
  let folder: string;
  const group = (more: string): string =>
    `version: 1\nstack: shop\ngroups:\n  a: { kind: unified, displayName: A${more} }\n`;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-ci-'));
    writeFileSync(join(folder, 'castellan.yaml'), group(', theme: Redd'));
    git('init', '--initial-branch', 'main');
    git('add', '.');
    git('commit', '--message', 'before');
    writeFileSync(join(folder, 'castellan.yaml'), group(', theme: Redd, mailNickname: "a b"'));
    // npx castellan@… is this build here
    writeFileSync(
      join(folder, 'npx'),
      `#!/bin/sh\nwhile [ "\${1#castellan-check@}" = "$1" ]; do shift; done; shift\nexec '${process.execPath}' '${cliPath}' "$@"\n`,
    );
    chmodSync(join(folder, 'npx'), 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const bash = (script: string, env: Record<string, string>) =>
    spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: `${folder}:${process.env['PATH'] ?? ''}`,
        HOME: folder,
        RUNNER_TEMP: tmpdir(),
        ...env,
      },
    });

  it('annotates the lines of a change, summarizes the job, and writes SARIF and a comment (GitHub)', () => {
    const action = parse(readExample('github/action.yml')) as {
      runs: { steps: { run: string }[] };
    };
    const files = {
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      GITHUB_ACTIONS: 'true',
    };
    const run = bash(action.runs.steps[0]?.run ?? '', {
      PATHS: '.',
      BASE: 'HEAD',
      PLAN: '',
      VERSION: 'latest',
      ...files,
    });
    expect([run.status, run.stderr]).toEqual([1, '']);
    expect(run.stdout).toMatch(/^::error title=group-mail-nickname,file=castellan\.yaml,line=4,/m);
    const outputs = Object.fromEntries(
      readFileSync(files.GITHUB_OUTPUT, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('=')) as [string, string][],
    );
    const { runs } = JSON.parse(readFileSync(join(folder, outputs['sarif'] ?? ''), 'utf8')) as {
      runs: { results: { locations: unknown[] }[] }[];
    };
    expect(runs[0]?.results.every(({ locations }) => locations.length > 0)).toBe(true);
    expect(readFileSync(join(folder, outputs['comment'] ?? ''), 'utf8')).toContain(
      '<!-- castellan-check -->',
    );
    expect(readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8')).toContain('group-mail-nickname');
  });

  it.each(['github/action.yml', 'gitlab/castellan.gitlab-ci.yml'])(
    '%s does not run a package that the change commits',
    (file) => {
      rmSync(join(folder, 'npx')); // the real one
      const committedPackage = join(folder, 'node_modules/castellan-check');
      mkdirSync(committedPackage, { recursive: true });
      writeFileSync(
        join(committedPackage, 'package.json'),
        '{ "name": "castellan-check", "version": "0.1.0", "bin": "run.js" }',
      );
      writeFileSync(
        join(committedPackage, 'run.js'),
        "#!/usr/bin/env node\nconsole.log('hostile')\n",
      );
      const [command = ''] = /npx .*?castellan-check@\S+/.exec(readExample(file)) ?? [];
      const run = bash(`${command} check`, {
        VERSION: '0.1.0',
        CASTELLAN_VERSION: '0.1.0',
        npm_config_offline: 'true',
      });
      expect(run.stderr).toContain('ENOTCACHED');
      expect(run.stdout).toBe('');
    },
  );

  it('stops the commit with the findings (pre-commit)', () => {
    const [hook] = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as {
      entry: string;
      language: string;
    }[];
    expect(hook?.language).toBe('system');
    const run = bash(hook?.entry ?? '', {});
    expect([run.status, run.stderr]).toEqual([1, '']);
    expect(run.stdout).toContain('castellan.yaml:4:66 error group-mail-nickname');
  });

  it('writes one comment on the pull request, and updates it at the next check (GitHub)', async () => {
    const marker = '<!-- castellan-check -->';
    const { jobs } = parse(readExample('github/castellan.yml')) as {
      jobs: { check: { steps: { run?: string; env?: Record<string, string> }[] } };
    };
    const step = jobs.check.steps.find(({ env }) => env?.['COMMENT'] !== undefined);
    mkdirSync(join(folder, '.github/actions/castellan'), { recursive: true });
    writeFileSync(
      join(folder, '.github/actions/castellan/comment.mjs'),
      readExample('github/comment.mjs'),
    );
    writeFileSync(join(folder, 'castellan.md'), `${marker}\n### all clear\n`);
    const comments: { id: number; body: string; user: { type: string } }[] = Array.from(
      { length: 100 },
      (_, id) => ({
        id,
        body: id === 7 ? `${marker}\n> quoted by a person` : 'x',
        user: { type: id === 8 ? 'Bot' : 'User' },
      }),
    );
    const requests: string[] = [];
    let isForbidden = false;
    const server = createServer((request, response) => {
      requests.push(
        `${request.method ?? ''} ${request.url ?? ''} ${request.headers.authorization ?? ''}`,
      );
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const page = Number(
          new URL(request.url ?? '', 'http://localhost').searchParams.get('page'),
        );
        const saved = {
          id: 500,
          body: '',
          user: { type: 'Bot' },
          html_url: 'https://github.example/c',
        };
        const text = Buffer.concat(chunks).toString();
        if (request.method !== 'GET') Object.assign(saved, JSON.parse(text) as object);
        if (request.method === 'POST') comments.push(saved);
        response.statusCode = isForbidden ? 403 : 200;
        response.end(
          JSON.stringify(
            request.method === 'GET' ? comments.slice((page - 1) * 100, page * 100) : saved,
          ),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const values = {
      GITHUB_API_URL: address,
      GITHUB_REPOSITORY: 'contoso/shop',
      GITHUB_TOKEN: 't',
      NUMBER: '12',
      COMMENT: 'castellan.md',
    };
    const comment = async () => {
      const child = spawn(
        'bash',
        ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? ''],
        {
          cwd: folder,
          env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...values },
        },
      );
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const [status] = (await once(child, 'close')) as [number];
      return { status, output };
    };
    try {
      expect(await comment()).toEqual({
        status: 0,
        output: 'commented: https://github.example/c\n',
      });
      expect(await comment()).toEqual({ status: 0, output: 'updated: https://github.example/c\n' });
      const issues = '/repos/contoso/shop/issues';
      const listRequests = [1, 2].map(
        (page) => `GET ${issues}/12/comments?per_page=100&page=${page} Bearer t`,
      );
      expect(requests).toEqual([
        ...listRequests,
        `POST ${issues}/12/comments Bearer t`,
        ...listRequests,
        `PATCH ${issues}/comments/500 Bearer t`,
      ]);
      expect(comments.at(-1)?.body).toBe(`${marker}\n### all clear\n`);
      requests.length = 0;
      writeFileSync(join(folder, 'castellan.md'), '');
      expect(await comment()).toEqual({ status: 0, output: 'castellan.md is empty: no comment\n' });
      rmSync(join(folder, 'castellan.md'));
      expect(await comment()).toEqual({ status: 0, output: 'no castellan.md: no comment\n' });
      expect(requests).toEqual([]);
      writeFileSync(join(folder, 'castellan.md'), marker);
      isForbidden = true;
      expect(await comment()).toEqual({
        status: 1,
        output: expect.stringContaining('GET of the comment: 403'),
      });
    } finally {
      server.close();
    }
  });

  it('replaces earlier comments when there is no result (GitHub)', () => {
    const { runs } = parse(readExample('github/action.yml')) as {
      runs: { steps: { run: string }[] };
    };
    const files = { GITHUB_OUTPUT: join(folder, 'output') };
    const inputs = { PATHS: '.', BASE: 'nowhere', PLAN: '', PEOPLE: '', VERSION: 'latest' };
    for (const [at, file, marker] of [
      [0, 'castellan.md', '<!-- castellan-check -->'],
      [1, 'castellan-access.md', '<!-- castellan-access -->'],
    ] as const) {
      expect(bash(runs.steps[at]?.run ?? '', { ...inputs, ...files }).status).toBe(2);
      const text = readFileSync(join(folder, file), 'utf8');
      expect(text.split('\n')[0]).toBe(marker);
      expect(text).toContain('Not answered for this commit');
    }
  });

  it('does not take reports that the change commits for its own (GitHub)', () => {
    const { runs } = parse(readExample('github/action.yml')) as {
      runs: { steps: { run: string }[] };
    };
    const target = join(folder, 'comment.mjs');
    writeFileSync(target, 'as reviewed');
    symlinkSync(target, join(folder, 'castellan-access.md'));
    for (const file of ['castellan.sarif', 'castellan.md'])
      writeFileSync(join(folder, file), '<!-- castellan-check -->\nall clear\n');
    const files = { GITHUB_OUTPUT: join(folder, 'output') };
    const inputs = { PATHS: '.', BASE: 'nowhere', PLAN: '', PEOPLE: '', VERSION: 'latest' };
    for (const { run } of runs.steps) expect(bash(run, { ...inputs, ...files }).status).toBe(2);
    expect(existsSync(join(folder, 'castellan.sarif'))).toBe(false);
    expect(readFileSync(join(folder, 'castellan.md'), 'utf8')).not.toContain('all clear');
    expect(readFileSync(target, 'utf8')).toBe('as reviewed');
  });

  it('writes the reports that the merge request shows (GitLab)', () => {
    const { castellan: job } = parse(readExample('gitlab/castellan.gitlab-ci.yml')) as {
      castellan: { script: string[]; variables: Record<string, string> };
    };
    git('remote', 'add', 'origin', folder);
    const run = bash(job.script.join('\n'), {
      ...job.variables,
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    });
    expect([run.status, run.stdout]).toEqual([1, expect.stringContaining('group-mail-nickname')]);
    expect(readFileSync(join(folder, 'castellan.xml'), 'utf8')).toContain(
      '<testcase classname="group-mail-nickname"',
    );
    expect(existsSync(join(folder, 'castellan.html'))).toBe(true);
    expect(readFileSync(join(folder, 'castellan-access.md'), 'utf8')).toContain(
      'No one gains or loses access (proved for all possible people).',
    );
  });

  it('compares who gets in, with the people of a snapshot, and fails by a finding (GitHub, GitLab)', () => {
    const app = (auth: string): string =>
      `version: 1\nstack: shop\nregistrations: { login: { displayName: Sign-in } }\ncontainerApps:\n  shop:\n    image: ghcr.io/contoso/shop@sha256:${'0'.repeat(64)}\n    targetPort: 80\n    ingress: { external: true }\n    auth: { ${auth}providers: { directory: { registration: login, allowedGroups: [staff] } } }\ngroups:\n  staff: { kind: security, displayName: Staff, dynamicMembership: { rule: 'user.department -eq "Retail"' } }\n`;
    writeFileSync(join(folder, 'castellan.yaml'), app(''));
    git('add', '.');
    git('commit', '--message', 'an app');
    git('remote', 'add', 'origin', folder);
    writeFileSync(
      join(folder, 'castellan.yaml'),
      app('excludedPaths: [/docs], ').replace('-eq', '-ne'),
    );
    writeFileSync(
      join(folder, 'people.yaml'),
      'users:\n  - { userPrincipalName: ada@contoso.example, displayName: Ada, department: Sales }\n',
    );
    const action = parse(readExample('github/action.yml')) as {
      runs: { steps: { run: string }[] };
    };
    const files = { GITHUB_OUTPUT: join(folder, 'output') };
    const inputs = {
      PATHS: 'castellan.yaml',
      BASE: 'HEAD',
      PEOPLE: 'people.yaml',
      VERSION: 'latest',
    };
    expect(bash(action.runs.steps[1]?.run ?? '', { ...inputs, ...files })).toMatchObject({
      status: 1,
      stderr: '',
    });
    expect(readFileSync(files.GITHUB_OUTPUT, 'utf8')).toBe('comment=castellan-access.md\n');
    const comment = readFileSync(join(folder, 'castellan-access.md'), 'utf8');
    expect(comment).toContain(
      '| + | 1 person (ada@\u200Bcontoso.example) | the rule of staff is now',
    );
    expect(comment).toContain('| warning: /docs of shop becomes public | `access-widened` |');

    const { castellan: job } = parse(readExample('gitlab/castellan.gitlab-ci.yml')) as {
      castellan: { script: string[]; variables: Record<string, string> };
    };
    const variables = {
      ...job.variables,
      CASTELLAN_PATHS: 'castellan.yaml',
      CASTELLAN_PEOPLE: 'people.yaml',
    };
    const run = bash(job.script.join('\n'), {
      ...variables,
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    });
    expect(run.status).toBe(1);
    expect(readFileSync(join(folder, 'castellan-access.md'), 'utf8')).toContain(
      '/docs of shop becomes public',
    );
  });
});
