import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

type Values = Readonly<Record<string, string | number>>;
type Outputs = Readonly<Record<string, string>>;

/** A step of a workflow or of a composite action. */
export interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Values;
  readonly env?: Values;
}

/** The result of a script. */
export interface ScriptResult {
  readonly script: string;
  readonly exitCode: number;
  readonly output: string;
}

/** The environment of a job. */
export interface Runner {
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  /** The contexts that expressions `${{ … }}` refer to: `github`, `inputs`. */
  readonly contexts: Readonly<Record<string, unknown>>;
  /** Stands in for a published action, such as actions/checkout. */
  readonly action: (name: string, inputs: Values) => void;
}

interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/**
 * Runs the steps of a job as GitHub's runner does, as far as our workflows need it: conditions,
 * expressions, outputs, and the composite actions of the repository.
 *
 * @returns the scripts that ran.
 */
export async function runJob(
  steps: readonly Step[],
  runner: Runner,
): Promise<readonly ScriptResult[]> {
  return (await runSteps(steps, runner)).results;
}

async function runSteps(
  steps: readonly Step[],
  runner: Runner,
): Promise<{ readonly results: readonly ScriptResult[]; readonly steps: object }> {
  const { workspace, env, action } = runner;
  const outputsOf: Record<string, { readonly outputs: Outputs }> = {};
  const contexts = { ...runner.contexts, steps: outputsOf };
  const fillValues = (values: Values = {}): Values =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, fillExpressions(value, contexts)]),
    );
  const results: ScriptResult[] = [];
  for (const { id, if: condition = 'true', uses, run, with: inputs, env: stepEnv } of steps) {
    const hasFailed = results.some(({ exitCode }) => exitCode !== 0);
    if (hasFailed && !condition.includes('always()')) continue;
    if (!isTrue(condition, contexts, workspace)) continue;
    let outputs: Outputs = {};
    if (run !== undefined) {
      const file = join(dirname(workspace), 'step-output');
      writeFileSync(file, '');
      const variables = { ...env, ...(fillValues(stepEnv) as Outputs), GITHUB_OUTPUT: file };
      results.push(await runScript(String(fillExpressions(run, contexts)), workspace, variables));
      const lines = readFileSync(file, 'utf8').trim().split('\n');
      outputs = Object.fromEntries(lines.map((line) => line.split('=') as [string, string]));
    } else if (uses?.startsWith('./') === true) {
      const file = parse(readFileSync(join(workspace, uses, 'action.yml'), 'utf8')) as ActionFile;
      const defaults = Object.entries(file.inputs).map(([name, each]) => [name, each.default]);
      const inputValues = { ...(Object.fromEntries(defaults) as Outputs), ...fillValues(inputs) };
      const innerRunner = { ...runner, contexts: { ...runner.contexts, inputs: inputValues } };
      const inner = await runSteps(file.runs.steps, innerRunner);
      results.push(...inner.results);
      outputs = Object.fromEntries(
        Object.entries(file.outputs).map(([name, { value }]) => [
          name,
          String(fillExpressions(value, { steps: inner.steps })),
        ]),
      );
    } else action(String(uses).replace(/@.*/, ''), fillValues(inputs));
    if (id !== undefined) outputsOf[id] = { outputs };
  }
  return { results, steps: outputsOf };
}

/** Runs a script as a runner's shell does. */
export async function runScript(
  script: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<ScriptResult> {
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd,
    env,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exitCode = await new Promise<number>((done, fail) =>
    child.once('error', fail).once('close', (code) => done(code ?? -1)),
  );
  return { script, exitCode, output };
}

function fillExpressions(value: string | number, contexts: object): string | number {
  if (typeof value === 'number') return value;
  return value.replace(/\$\{\{ *([\w.-]+) *\}\}/g, (_all, path: string) => lookUp(path, contexts));
}

/** Evaluates a condition of our workflows: comparisons, joined by `&&`. */
function isTrue(condition: string, contexts: object, workspace: string): boolean {
  const valueOf = (term: string): string => {
    const [, text] = /^'(.*)'$/.exec(term) ?? [];
    if (text !== undefined) return text;
    const [, file] = /^hashFiles\('(.*)'\)$/.exec(term) ?? [];
    if (file !== undefined) return existsSync(join(workspace, file)) ? 'a hash' : '';
    return lookUp(term, contexts);
  };
  return condition.split(' && ').every((part) => {
    if (part === 'always()' || part === 'true') return true;
    const [, left = '', operator, right = ''] = /^(\S+) (==|!=) (\S+)$/.exec(part) ?? [];
    return (valueOf(left) === valueOf(right)) === (operator === '==');
  });
}

/** The value at a path of the contexts. @throws if there is none: GitHub would use an empty text */
function lookUp(path: string, contexts: object): string {
  const value = path
    .split('.')
    .reduce<unknown>((current, key) => (current as Record<string, unknown>)[key], contexts);
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new Error(`no context has ${path}`);
  return String(value);
}
