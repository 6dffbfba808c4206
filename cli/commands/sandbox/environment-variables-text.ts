import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { CliIo } from '../../command.js';
import { type FormatFlags, formatOf } from '../../format.js';

/** The options of `castellan sandbox env`. */
interface SandboxEnvFlags extends FormatFlags {
  /** The absolute path of the folder. */
  readonly project: string;
  /** The environment whose sandbox it is. */
  readonly environment?: string;
  /** Whose Terraform providers: `castellan` or `official`. */
  readonly providers: string;
}

/** The variables for a shell, as `export` lines or JSON. @throws CAS8001 for other providers */
export async function environmentVariablesText(
  { project, environment, providers, ...flags }: SandboxEnvFlags,
  io: CliIo,
): Promise<string> {
  if (providers !== 'castellan' && providers !== 'official')
    throw new CastellanError(
      'CAS8001',
      `--providers ${providers}: allowed are castellan and official`,
    );
  const { sandboxEnvironmentVariables } = await import('../../../sandbox/index.js');
  const { readGeneratedSecrets } = await import('../../apply/generated-secrets.js');
  const variables = sandboxEnvironmentVariables(project, {
    providers,
    environment,
    env: io.env,
  });
  const entries = Object.entries(readGeneratedSecrets(project, environment));
  const secrets = Object.fromEntries(
    entries.map(([name, value]) => [`TF_VAR_${name}`, io.env[name] ?? value]),
  );
  if (formatOf(flags) === 'json') return `${JSON.stringify({ ...variables, ...secrets })}\n`;
  return (
    exportLines(variables) +
    (entries.length === 0 ? '' : `${generatedSecretsHeading}\n${exportLines(secrets)}`)
  );
}

const generatedSecretsHeading =
  '# Secrets that are set nowhere have made-up values in this sandbox: without the same ones, a plan would change them.';

function exportLines(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join('');
}
