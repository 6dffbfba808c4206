import { CastellanError, isCastellanError } from '../../core/errors/castellan-error.js';

/** Terraform's failure to find a person in the sandbox, with how to add one; any other error as it is. */
export function withSeedHint(error: unknown, environment: string | undefined): unknown {
  if (!isCastellanError(error)) return error;
  const names = [...error.message.matchAll(/User with UPN "([^"]+)" was not found/g)].map(([, name]) => name ?? '');
  if (names.length === 0) return error;
  const flag = environment === undefined ? '' : ` -e ${environment}`;
  const commands = [...new Set(names)].map((name) => `  castellan sandbox seed${flag} --person ${name}`);
  return new CastellanError(
    error.code,
    `${error.message}\nThe sandbox's directory lacks ${names.join(', ')}. Add them to seed.yaml, or run:\n${commands.join('\n')}`,
    {
      cause: error,
    },
  );
}
