import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import type { Dialect } from '../../../core/dialect/dialect.js';
import type { CastellanError } from '../../../core/errors/castellan-error.js';
import { isObject } from '../../../core/values/is-object.js';
import { sidecarAuthSchema } from '../../../kinds/auth/auth-configs.js';
import { parseConfig } from './config-file.js';
import { checkEndpoints } from './endpoints.js';
import { withVariableName, withEnvironment } from './environment.js';
import { settingsFromConfig } from './settings-from-config.js';
import { configError, type ConfigProblem } from './problems.js';
import { ConfigReader } from './config-reader.js';
import { checkSchema } from './schema-check.js';
import type { SecretSources } from './secrets.js';
import type { SidecarSettings } from './settings.js';

/** The sources of the configuration. */
export interface ConfigSource {
  /** The `authConfigs` file, JSON or YAML. @default none: the environment sets everything */
  readonly file?: string;
  /** Provider addresses (`--endpoints`). */
  readonly endpointsFile?: string;
  readonly dialect: Dialect;
  /** Its `env` also has the variables that override the file. */
  readonly secrets: SecretSources;
}

/**
 * Reads, checks and resolves the configuration: the file, overridden by the environment's variables
 * `CASTELLAN_AUTH__…`.
 *
 * @throws CAS6001 listing every problem by its property.
 */
export function loadConfig(source: ConfigSource): SidecarSettings {
  const { file } = source;
  const text = file === undefined ? '{}' : readText(file);
  const document = parseConfig(file ?? '', text);
  const sourceName = file ?? 'the environment';
  if (document.body === undefined) throw configError(sourceName, document.problems);
  const { body, problems, variables } = withEnvironment(
    document.body,
    source.secrets.env,
    sidecarAuthSchema,
  );
  const toError = (problems: readonly ConfigProblem[]): CastellanError =>
    configError(
      sourceName,
      problems.map((problem) => withVariableName(problem, variables)),
    );
  const reader = new ConfigReader(body, source.secrets);
  const schemaProblems = checkSchema(sidecarAuthSchema, body);
  reader.problems.push(...document.problems, ...problems, ...schemaProblems);
  // Reading goes on past unknown properties, to report mistakes in the known ones together with them.
  if (schemaProblems.some(({ message }) => !message.startsWith('is not a known property')))
    throw toError(reader.problems);
  const { endpoints, problems: endpointProblems } = readEndpoints(source, reader);
  reader.problems.push(...endpointProblems);
  const settings = settingsFromConfig(reader, { dialect: source.dialect, endpoints });
  if (reader.problems.length > 0) throw toError(reader.problems);
  return settings;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw configError(file, [
      {
        property: file,
        message: `can't be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}`,
      },
    ]);
  }
}

function readEndpoints(
  source: Pick<ConfigSource, 'endpointsFile'>,
  reader: ConfigReader,
): ReturnType<typeof checkEndpoints> {
  if (source.endpointsFile === undefined) return { endpoints: {}, problems: [] };
  const customNames = ['customOpenIdConnectProviders', 'openIdConnectProviders'].flatMap(
    (group) => {
      const providers = reader.value(`identityProviders.${group}`);
      return isObject(providers) ? Object.keys(providers) : [];
    },
  );
  const text = readText(source.endpointsFile);
  try {
    return checkEndpoints(load(text, { json: true }), customNames);
  } catch (error) {
    const problems: ConfigProblem[] = [
      {
        property: source.endpointsFile,
        message: `can't be parsed: ${(error as Error).message.split('\n')[0] ?? ''}`,
      },
    ];
    return { endpoints: {}, problems };
  }
}
