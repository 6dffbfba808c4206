import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newRepository, runGit, runGitCommands } from './git-repository.js';
import { runCli } from './run-cli.js';

/** The sign-in of an app, as a line of its declaration. */
export const signInYaml =
  'auth: { providers: { codehost: { clientId: a, clientSecret: "${env:SECRET}" } } }';
/** A configuration without a stack name whose app is open to everyone. */
export const publicAppYaml =
  'version: 1\ncontainerApps: { app: { image: example.com/a:1, targetPort: 80, ingress: { external: true } } }\n';

const policyYaml = `version: 1
include: [shared/company.yaml]
rules:
  workspace-items-limit: { options: { limit: 10 } }
  live-group-undeclared: { options: { prefixes: [shop-] } }
`;

/** The files of a repository with an app that requires sign-in, a policy and a baseline. */
export const projectFiles: Readonly<Record<string, string>> = {
  'shop/castellan.yaml': `version: 1
stack: shop
containerApps:
  web:
    image: example.com/web:1
    targetPort: 80
    ingress: { external: true }
    ${signInYaml}
`,
  'castellan.policy.yaml': policyYaml,
  'shared/company.yaml': 'version: 1\nrules: { auth-allow-insecure: error, auth-nonce: error }\n',
  'castellan.baseline.json': '{ "version": 1, "findings": [] }\n',
};

/**
 * {@link projectFiles} with a pack in the policy. Each check starts two processes for it, one for
 * the pack of the base and one for that of the change.
 */
export const projectFilesWithPack: Readonly<Record<string, string>> = {
  ...projectFiles,
  'castellan.policy.yaml': `${policyYaml}packs:\n  - file: packs/tags.js\n`,
  'packs/tags.js': `const { defineRule } = require('castellan/policies');
const { pattern } = require('./pattern.js');
exports.ownNames = defineRule({
  id: 'own-names', title: 'Names are ours.', why: 'Order.', severity: 'error', source: 'us',
  sections: ['containerApps'], messages: { name: 'not our name: {given}' },
  check({ name }, context) {
    if (!pattern.test(name)) context.report({ messageId: 'name', parameters: { given: name } });
  },
});
`,
  'packs/pattern.js': 'exports.pattern = /^web/;\n',
};

/** Commits everything, ignored files too. */
const commitAll = [
  ['add', '--all', '--force'],
  ['commit', '--allow-empty', '--message', 'a commit'],
];

/** The result of a check of a pull request. */
export interface PullRequestCheck {
  readonly exitCode: number;
  readonly stderr: string;
  readonly policy: string | undefined;
  /** The new findings that fail it, with what they weaken and the environment. */
  readonly findings: readonly string[];
}

/** A branch in a new repository, which is checked as in CI. */
export class PullRequest {
  readonly folder: string;

  constructor(files: Readonly<Record<string, string>> = projectFiles) {
    this.folder = newRepository(files, 'change');
  }

  git(...args: readonly string[]): string {
    return runGit(this.folder, ...args);
  }

  put(file: string, text: string): void {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  edit(file: string, from: string, to: string): void {
    expect(this.read(file)).toContain(from);
    this.put(file, this.read(file).replace(from, to));
  }

  /** Removes the sign-in of the app. */
  removeSignIn(): void {
    this.edit('shop/castellan.yaml', `    ${signInYaml}\n`, '');
  }

  /** Commits everything, ignored files too. */
  commit(): void {
    runGitCommands(this.folder, ...commitAll);
  }

  /** Commits everything, and moves the main branch to that commit. */
  merge(): void {
    runGitCommands(this.folder, ...commitAll, ['branch', '--force', 'main']);
  }

  /**
   * Runs `castellan check` in the work tree, against the main branch unless another base is given.
   */
  async check(
    cwd = this.folder,
    base = 'main',
    options: readonly string[] = [],
    env: NodeJS.ProcessEnv = {},
  ): Promise<PullRequestCheck> {
    const args = ['check', '--base', base, '--json', ...options];
    const { exitCode, stdout, stderr } = await runCli(args, { cwd, env });
    const { policy, findings = [] } = (stdout === '' ? {} : JSON.parse(stdout)) as {
      policy?: string;
      findings?: {
        ruleId: string;
        weakened?: string;
        change?: string;
        severity: string;
        verdict: string;
        environments?: string[];
      }[];
    };
    const failing = findings.filter(
      ({ change, severity, verdict }) =>
        change === 'new' && severity !== 'info' && verdict === 'fail',
    );
    const texts = failing.map(({ ruleId, weakened, environments: [only, ...more] = [] }) =>
      [ruleId, weakened, more.length === 0 ? only : undefined]
        .filter((part) => part !== undefined)
        .join(' '),
    );
    return { exitCode, stderr, policy, findings: texts };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
