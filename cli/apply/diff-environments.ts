import { CastellanError } from '../../core/errors/castellan-error.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import { type Difference, differences } from '../../core/text/differences.js';
import { paint, type Screen, screenOf } from '../../core/text/terminal.js';
import { flow } from '../../core/yaml/edit-text.js';
import { loadConfig } from '../../policies/model/load-config.js';
import type { CliIo } from '../command.js';
import { printResult } from '../format.js';

/** What `castellan diff` is asked for. */
export interface DiffOptions {
  readonly one: string;
  readonly other: string;
  readonly paths: readonly string[];
  readonly format: 'text' | 'json';
}

/**
 * `castellan diff`: one line for each value that differs.
 *
 * @returns whether anything differs.
 * @throws CAS8103 where an environment doesn't exist or a configuration can't be read.
 */
export async function diffEnvironments({ one, other, paths, format }: DiffOptions, io: CliIo): Promise<boolean> {
  const [before, after] = [await declaredIn(one, paths, io), await declaredIn(other, paths, io)];
  const stacks = [...new Set([...before.keys(), ...after.keys()])].map((stack) => ({
    stack,
    differences: differences(before.get(stack) ?? {}, after.get(stack) ?? {}),
  }));
  const differs = stacks.some((each) => each.differences.length > 0);
  const screen = screenOf(io.stdout, io.env);
  const lines = stacks.flatMap((each) =>
    each.differences.map((difference) => `${stacks.length === 1 ? '' : `${each.stack}: `}${describe(difference, screen)}\n`),
  );
  printResult(format, { one, other, stacks }, differs ? lines.join('') : `${one} and ${other} declare the same\n`, io);
  return differs;
}

async function declaredIn(environment: string, paths: readonly string[], io: CliIo): Promise<ReadonlyMap<string, unknown>> {
  const overlay = environment === defaultEnvironment ? undefined : environment;
  const { stacks, findings } = await loadConfig({ paths, environment: overlay, cwd: io.cwd });
  const [first] = findings.filter(({ severity, ruleId }) => severity === 'error' && ruleId !== 'config-backend');
  if (first !== undefined) throw new CastellanError('CAS8103', `${first.location?.file ?? environment}: ${first.message}`);
  if (stacks.length === 0) throw new CastellanError('CAS2010', `there is no castellan.yaml in ${paths.join(', ')}`);
  return new Map(stacks.map(({ config }) => [config.stack, config]));
}

function describe({ path, before, after }: Difference, screen: Screen): string {
  const name = path.join('.');
  if (before === undefined) return paint(`+ ${name}: ${inYaml(after)}`, 'added', screen);
  if (after === undefined) return paint(`- ${name}: ${inYaml(before)}`, 'error', screen);
  return paint(`~ ${name}: ${inYaml(before)} -> ${inYaml(after)}`, 'warning', screen);
}

/** A value as one would write it in castellan.yaml, on one line; texts in quotes, so that their ends are seen. */
function inYaml(value: unknown): string {
  return typeof value === 'object' && value !== null ? flow(value) : JSON.stringify(value);
}
