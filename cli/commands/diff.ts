import type { RegisterCommand, CliIo } from '../command.js';
import { reportSkippedPaths } from '../skipped-paths.js';
import { addFormat, type FormatFlags, formatOf, printResult } from '../format.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import { type Difference, differences } from '../../core/text/differences.js';
import { styled, type TerminalOutput, terminalOutputOf } from '../../core/text/terminal.js';
import { toFlowYaml } from '../../core/yaml/yaml-edits.js';
import { loadConfig, type SkippedPath } from '../../policies/model/load-config.js';

/** `castellan diff ONE OTHER [path…]`: compares the declarations of two environments. */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(
    program
      .command('diff')
      .description(
        'Show what differs between two environments as they are declared; `default` is the one without an overlay.',
      )
      .argument('<one>', 'an environment')
      .argument('<other>', 'another environment')
      .argument('[path...]', 'castellan.yaml files, or folders that hold one', ['.']),
  )
    .option('--exit-code', 'end with 1 where something differs')
    .action(
      async (
        one: string,
        other: string,
        paths: string[],
        flags: FormatFlags & { readonly exitCode?: boolean },
      ) => {
        const differs = await diffEnvironments(one, other, { paths, format: formatOf(flags) }, io);
        done(flags.exitCode === true && differs ? 1 : 0);
      },
    );
};

/**
 * Prints one line for each different value.
 *
 * @returns whether there are differences.
 * @throws CAS8103 where an environment doesn't exist or a configuration can't be read; CAS2010
 *   where there is none.
 */
async function diffEnvironments(
  one: string,
  other: string,
  { paths, format }: { readonly paths: readonly string[]; readonly format: string },
  io: CliIo,
): Promise<boolean> {
  // environments differ by their overlays: the same paths are skipped in both
  const { declared: before, skippedPaths } = await loadDeclared(one, paths, io);
  const { declared: after } = await loadDeclared(other, paths, io);
  reportSkippedPaths(skippedPaths, io);
  const stacks = [...new Set([...before.keys(), ...after.keys()])].map((stack) => ({
    stack,
    differences: differences(before.get(stack) ?? {}, after.get(stack) ?? {}),
  }));
  const differs = stacks.some((each) => each.differences.length > 0);
  const screen = terminalOutputOf(io.stdout, io.env);
  const lines = stacks.flatMap((each) =>
    each.differences.map(
      (difference) =>
        `${stacks.length === 1 ? '' : `${each.stack}: `}${describeDifference(difference, screen)}\n`,
    ),
  );
  printResult(
    format,
    { one, other, stacks },
    differs ? lines.join('') : `${one} and ${other} declare the same\n`,
    io,
  );
  return differs;
}

/** The merged configurations of an environment, by the names of their stacks. */
async function loadDeclared(
  environment: string,
  paths: readonly string[],
  io: CliIo,
): Promise<{
  readonly declared: ReadonlyMap<string, unknown>;
  readonly skippedPaths: readonly SkippedPath[];
}> {
  const overlay = environment === defaultEnvironment ? undefined : environment;
  const { stacks, findings, skippedPaths } = await loadConfig({
    paths,
    environment: overlay,
    cwd: io.cwd,
  });
  const [firstError] = findings.filter(
    ({ severity, ruleId }) => severity === 'error' && ruleId !== 'config-backend',
  );
  if (firstError !== undefined)
    throw new CastellanError(
      'CAS8103',
      `${firstError.location?.file ?? environment}: ${firstError.message}`,
    );
  if (stacks.length === 0)
    throw new CastellanError('CAS2010', `there is no castellan.yaml in ${paths.join(', ')}`);
  return { declared: new Map(stacks.map(({ config }) => [config.stack, config])), skippedPaths };
}

function describeDifference({ path, before, after }: Difference, screen: TerminalOutput): string {
  const name = path.join('.');
  if (before === undefined) return styled(`+ ${name}: ${inYaml(after)}`, 'added', screen);
  if (after === undefined) return styled(`- ${name}: ${inYaml(before)}`, 'error', screen);
  return styled(`~ ${name}: ${inYaml(before)} -> ${inYaml(after)}`, 'warning', screen);
}

/** A value in the syntax of castellan.yaml, on one line, with quoted texts. */
function inYaml(value: unknown): string {
  return typeof value === 'object' && value !== null ? toFlowYaml(value) : JSON.stringify(value);
}
