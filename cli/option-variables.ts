import type { Command, Option } from 'commander';
import { CastellanError } from '../core/errors/castellan-error.js';
import { nearest } from '../core/text/nearest.js';

/** The environment variable of an option: `CASTELLAN_SIDECAR_LOG_LEVEL` for `--log-level`. */
function variableOf(prefix: string, { long }: Option): string {
  return `${prefix}${(long ?? '').slice(2).toUpperCase().replace(/-/g, '_')}`;
}

/**
 * Lets environment variables set the options that are added to a command from now on; the command
 * line overrides them. An empty variable counts as unset.
 *
 * @param withoutVariable options without a variable, such as `--config-test`.
 */
export function readOptionsFromVariables(
  command: Command,
  prefix: string,
  withoutVariable: readonly string[],
): Command {
  const add = command.addOption.bind(command);
  command.addOption = (option) => {
    const variable = variableOf(prefix, option);
    // The variable must be known when the option is added, when commander registers it.
    return add(
      withoutVariable.includes(option.long ?? '') || process.env[variable] === ''
        ? option
        : option.env(variable),
    );
  };
  return command;
}

/** The variables that are set and nearly have the name of an option's, each with that name. */
export function misspeltVariables(
  command: Command,
  prefix: string,
  env: Readonly<Record<string, string | undefined>>,
): [string, string][] {
  const variables = command.options.flatMap(({ envVar }) => envVar ?? []);
  return Object.keys(env).flatMap((name): [string, string][] => {
    // Orchestrators set variables for a service of this name: CASTELLAN_SIDECAR_PORT,
    // …_SERVICE_HOST.
    if (!name.startsWith(prefix) || variables.includes(name) || /_(PORT|SERVICE)(_|$)/.test(name))
      return [];
    const suggestion = nearest(
      name.slice(prefix.length),
      variables.map((each) => each.slice(prefix.length)),
    );
    return suggestion === undefined ? [] : [[name, `${prefix}${suggestion}`]];
  });
}

/** An error about options, which names the variable if the option came from one. */
export function withVariableNames(error: unknown, command: Command): unknown {
  if (!(error instanceof CastellanError)) return error;
  let { message } = error;
  for (const option of command.options)
    if (
      option.envVar !== undefined &&
      command.getOptionValueSource(option.attributeName()) === 'env'
    )
      message = message.replace(new RegExp(`${option.long ?? ''}(?![\\w-])`, 'g'), option.envVar);
  return message === error.message
    ? error
    : new CastellanError(error.code, message, { details: error.details, cause: error });
}
