import { dirname, join, relative, resolve } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { Finding } from '../../../core/findings/finding.js';
import { findingOfProblem } from '../../../core/findings/make-finding.js';
import type { FileAccess } from '../../../core/source/file-access.js';
import type { SourceText } from '../../../core/source/source-text.js';
import { Layers } from '../../../core/yaml/layers.js';
import type { Locate } from '../../engine/finding-maker.js';
import type { SchemaNode } from '../../engine/schema-paths.js';
import { schemaFindings } from '../../rules/declaration/schema-findings.js';
import { readDocuments } from '../../model/includes.js';
import { type PolicyConfig, policySchema } from '../../../kinds/policy/schema.js';

/** The default name of a policy. */
export const policyName = 'castellan.policy.yaml';

/** A policy, the locations in it, and its mistakes. */
export interface LoadedPolicy {
  readonly config: PolicyConfig;
  /** The file; undefined if there is none. */
  readonly file: string | undefined;
  readonly locate: Locate;
  readonly findings: readonly Finding[];
}

/** Where to look for a policy. */
export interface PolicyOptions {
  readonly cwd: string;
  readonly files: FileAccess;
  readonly sources: Map<string, SourceText>;
  /**
   * The requested file. @default castellan.policy.yaml in this folder or beside the first
   * configuration
   */
  readonly file?: string | undefined;
  readonly configFiles: readonly string[];
}

/** The policy where there is no file. */
export const noPolicy: LoadedPolicy = {
  config: { version: 1 },
  file: undefined,
  locate: () => undefined,
  findings: [],
};

/**
 * Loads the policy of a check.
 *
 * @throws CAS7002 when the requested file does not exist.
 */
export async function loadPolicy(options: PolicyOptions): Promise<LoadedPolicy> {
  const file = findPolicy(options);
  if (file === undefined) return noPolicy;
  const problems: Parameters<typeof findingOfProblem>[0][] = [];
  const documents = await readDocuments(file, options, problems);
  if (documents.length === 0)
    return { ...noPolicy, file, findings: problems.map(findingOfProblem) };
  const layers = new Layers(documents.slice(0, 1));
  return checkedPolicy(file, layers.value, (path, at) => layers.locate(path, at));
}

/** A policy that was read from a file; with mistakes, it sets nothing. */
export function checkedPolicy(file: string, value: unknown, locate: Locate): LoadedPolicy {
  const subject = { path: [], origin: {} };
  const schema = policySchema as unknown as SchemaNode;
  const findings = schemaFindings(
    { section: 'policy', value, unknownPaths: [], schema, subject },
    [],
    locate,
  );
  const isUsable = findings.length === 0;
  return { config: isUsable ? (value as PolicyConfig) : noPolicy.config, file, locate, findings };
}

function findPolicy({ cwd, files, file, configFiles }: PolicyOptions): string | undefined {
  if (file !== undefined) {
    if (files.look(resolve(cwd, file)).kind !== 'file')
      throw new CastellanError('CAS7002', `${file} does not exist`, { details: { file } });
    return file;
  }
  const folders = [
    '.',
    ...configFiles.map((each) => relative(cwd, dirname(resolve(cwd, each))) || '.'),
  ];
  return folders
    .map((folder) => join(folder, policyName))
    .find((each) => files.look(resolve(cwd, each)).kind === 'file');
}
