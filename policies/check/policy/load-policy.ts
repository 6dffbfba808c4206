import { dirname, join, resolve } from 'node:path';
import type { Finding } from '../../../core/findings/finding.js';
import { findingOfProblem, type Problem } from '../../../core/source/problem.js';
import type { SourceText } from '../../../core/source/source-text.js';
import { Layers } from '../../../core/yaml/layers.js';
import { secondDocumentPlace } from '../../../core/yaml/second-document.js';
import type { Locate } from '../../engine/finding-maker.js';
import type { SchemaNode } from '../../engine/schema-paths.js';
import { schemaFindings } from '../../rules/declaration/schema-findings.js';
import { readDocuments } from '../../model/includes.js';
import { type PolicyConfig, policySchema } from '../../../kinds/policy/schema.js';
import { findPolicy, type PolicySearch } from './find-policy.js';
import { mergePolicies, type PolicyFile } from './merge-policies.js';

/** A policy, the locations in it, and its mistakes. */
export interface LoadedPolicy {
  /** Its settings, with those of the policies that it includes. */
  readonly config: PolicyConfig;
  /** The file; undefined if there is none. */
  readonly file: string | undefined;
  /** The file, and those that it includes. */
  readonly files: readonly string[];
  /** Locates a path of `config` in the file that sets it. */
  readonly locate: Locate;
  /** The mistakes in its files. */
  readonly findings: readonly Finding[];
}

/** Where to look for a policy, and where to keep its text. */
export interface PolicyOptions extends PolicySearch {
  /** Gets the texts of the policies that are read, by path. @default they are not kept */
  readonly sources?: Map<string, SourceText>;
}

/** The policy where there is no file. */
export const noPolicy: LoadedPolicy = {
  config: { version: 1 },
  file: undefined,
  files: [],
  locate: () => undefined,
  findings: [],
};

/**
 * Loads the policy of a check with the policies that it includes.
 *
 * @throws CAS7002 when the requested file does not exist, or a policy has another ending.
 */
export function loadPolicy(options: PolicyOptions): LoadedPolicy {
  const file = findPolicy(options);
  if (file === undefined) return noPolicy;
  const result: ReadPolicies = { policies: [], findings: [] };
  const ownPolicy = readPolicy(file, options, result, []);
  const { policies, findings } = result;
  // the policy file could not be read
  if (ownPolicy === undefined) return { ...noPolicy, file, files: [file], findings };
  return { ...mergePolicies(policies, findings), file, files: policies.map((each) => each.file) };
}

/**
 * A policy that was read from a file, without those that it includes; with mistakes, it sets
 * nothing.
 */
export function validatePolicy(file: string, value: unknown, locate: Locate): LoadedPolicy {
  const subject = { path: [], origin: {} };
  const schema = policySchema as unknown as SchemaNode;
  const findings = schemaFindings(
    { section: 'policy', value, unknownPaths: [], schema, subject },
    [],
    locate,
  );
  const config = findings.length === 0 ? (value as PolicyConfig) : noPolicy.config;
  return { config, file, files: [file], locate, findings };
}

/** What is read of a policy and those that it includes. */
interface ReadPolicies {
  /** Each policy once, after those that it includes. */
  readonly policies: PolicyFile[];
  readonly findings: Finding[];
}

/**
 * Reads a policy after those that it includes; one with mistakes sets nothing.
 *
 * @returns the policy; undefined if it cannot be read.
 */
function readPolicy(
  file: string,
  options: PolicyOptions,
  result: ReadPolicies,
  includingFiles: readonly string[],
): PolicyFile | undefined {
  const { policies, findings } = result;
  const path = resolve(options.cwd, file);
  const earlier = policies.find((each) => resolve(options.cwd, each.file) === path);
  if (earlier !== undefined) return earlier;
  const problems: Problem[] = [];
  const documents = readDocuments(
    file,
    { ...options, sources: options.sources ?? new Map() },
    problems,
  );
  findings.push(...problems.map(findingOfProblem));
  if (documents.length === 0) return undefined;
  const secondPlace = secondDocumentPlace(documents);
  if (secondPlace !== undefined)
    findings.push(
      findingOfProblem({
        id: 'config-syntax',
        message: 'a policy is one document: write what follows --- into the first one',
        location: secondPlace,
      }),
    );
  const layers = new Layers(documents.slice(0, 1));
  const ownPolicy = validatePolicy(file, layers.value, (path, at) => layers.locate(path, at));
  findings.push(...ownPolicy.findings);
  const { config, locate } = ownPolicy;
  const includedFiles = new Set<string>();
  for (const [index, each] of (config.include ?? []).entries()) {
    const includedFile = join(dirname(file), each);
    const message = includeProblem(includedFile, [...includingFiles, file], options);
    const location = locate(['include', index]);
    if (message === undefined) {
      const included = readPolicy(includedFile, options, result, [...includingFiles, file]);
      for (const name of included === undefined ? [] : [included.file, ...included.includedFiles])
        includedFiles.add(name);
    } else if (location !== undefined)
      findings.push(findingOfProblem({ id: 'config-include', message, location }));
  }
  const policy = { file, config, locate, includedFiles };
  policies.push(policy);
  return policy;
}

function includeProblem(
  file: string,
  includingFiles: readonly string[],
  { cwd, files }: PolicyOptions,
): string | undefined {
  if (includingFiles.some((each) => resolve(cwd, each) === resolve(cwd, file)))
    return `${file} includes itself: ${[...includingFiles, file].join(' -> ')}`;
  return files.stat(resolve(cwd, file)).kind === 'file'
    ? undefined
    : `there is no policy ${file} to include`;
}
