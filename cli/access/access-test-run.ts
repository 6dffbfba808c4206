import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  parseExpectation,
  type Expectation,
  checkExpectation,
} from '../../access/testing/expectation.js';
import { parseAssumptions } from '../../access/testing/invariant.js';
import type { ProofExample } from '../../access/prove/proof.js';
import { accessModel } from '../../access/model.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { SourceLocation } from '../../core/findings/finding.js';
import { SourceText } from '../../core/source/source-text.js';
import { type ConfigPath, Layers } from '../../core/yaml/layers.js';
import { secondDocumentPlace } from '../../core/yaml/second-document.js';
import { parseYaml } from '../../core/yaml/parse-yaml.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import { isObject } from '../../core/values/is-object.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { LoadedStack } from '../../policies/model/loaded-stack.js';
import type { CliIo } from '../command.js';
import { resolveConfig } from './access-stacks.js';
import { peopleSourceOf } from './access-test-files.js';
import { type PeopleFlags, loadDirectorySnapshot } from './people.js';

/** One expectation and its result. */
export interface AccessTestResult {
  readonly name: string;
  /** Why it fails; undefined if it passes. */
  readonly message: string | undefined;
  /** The steps of the decision, a line each. */
  readonly chain: string | undefined;
  /** `unknown` if the expectation can be neither proved nor refuted. */
  readonly verdict: 'pass' | 'fail' | 'unknown';
  /** Whether the app, a group or a person that it names does not exist. */
  readonly isAboutMissing: boolean;
  /** A person for whom an expectation about all people does not hold. */
  readonly example?: ProofExample;
  /** Whether the expectation is that groups have no member in common. */
  readonly expectsDisjointGroups: boolean;
  /** Where the expectation is in the test file. */
  readonly location: SourceLocation;
  /** The text of the test file. */
  readonly source: SourceText;
}

/**
 * Runs the expectations of an access test file on stacks. The file is a list of expectations, or a
 * map: `tests` has the list, `from` the source of the people (default: the sandbox or its seed),
 * and `assume` rules that hold for everybody, for proofs.
 *
 * @param file its path from `io.cwd`, as messages name it.
 * @throws CAS7002 when the file can't be used
 */
export async function runAccessTests(
  file: string,
  stacks: readonly LoadedStack[],
  io: CliIo,
): Promise<readonly AccessTestResult[]> {
  const source = new SourceText(file, readFileSync(resolve(io.cwd, file), 'utf8'));
  return runAccessTestsIn(source, stacks, io);
}

/**
 * Runs the expectations in the text of an access test file, as {@link runAccessTests} does.
 *
 * @param seeds the seed files to read in place of the sandbox's, or before it
 * @param presentNameOf the name that an app has now. @default the one that the file has
 */
export async function runAccessTestsIn(
  source: SourceText,
  stacks: readonly LoadedStack[],
  io: CliIo,
  seeds: Pick<PeopleFlags, 'versionsOfSeed' | 'earlierSeeds'> = {},
  presentNameOf: (app: string) => string = (app) => app,
): Promise<readonly AccessTestResult[]> {
  const { file } = source;
  const parsed = parseYaml(source);
  if ('problem' in parsed) {
    const { location, message } = parsed.problem;
    throw new CastellanError(
      'CAS7002',
      `${file}:${String(location.line)}:${String(location.column)} ${message}`,
    );
  }
  const secondPlace = secondDocumentPlace(parsed.documents);
  if (secondPlace !== undefined)
    throw new CastellanError(
      'CAS7002',
      `${file}:${String(secondPlace.line)}: an access test is one document: write the expectations after --- into the first one`,
    );
  const layers = new Layers(parsed.documents.slice(0, 1));
  const document = layers.value as
    | { readonly tests?: unknown; readonly from?: unknown; readonly assume?: unknown }
    | unknown[]
    | null;
  const [tests, testsPath]: [unknown, ConfigPath] = Array.isArray(document)
    ? [document, []]
    : [document?.tests, ['tests']];
  if (!Array.isArray(tests) || tests.length === 0)
    throw new CastellanError(
      'CAS7002',
      `${file} has no expectations: it is a list, or a map with the list "tests", of maps such as { app: shop, person: ada, expect: allowed }`,
    );
  const { from, assume } = Array.isArray(document) ? {} : (document ?? {});
  const mistake = Array.isArray(document) ? undefined : topLevelMistake(document ?? {});
  if (mistake !== undefined) throw new CastellanError('CAS7002', `${file}: ${mistake}`);
  const assumptions = parseAssumptions(assume);
  if (typeof assumptions === 'string')
    throw new CastellanError('CAS7002', `${file}: ${assumptions}`);
  const resolvedStacks = stacks.map((stack) => ({
    loaded: stack,
    config: resolveConfig(stack.config, io.env),
  }));
  const configs = resolvedStacks.map(({ config }) => config);
  const peopleFlags = typeof from === 'string' ? { from: peopleSourceOf(from, file, io.cwd) } : {};
  const namedPeople = tests.flatMap((test: unknown) =>
    typeof (test as Expectation | null)?.person === 'string'
      ? [String((test as Expectation).person)]
      : [],
  );
  const now = Date.now();
  const model = accessModel(
    configs,
    await loadDirectorySnapshot({ ...peopleFlags, namedPeople, ...seeds }, resolvedStacks, io),
    { now },
  );
  return tests.map((test: unknown, index): AccessTestResult => {
    const location = layers.locate([...testsPath, index]) ?? { file, line: 1, column: 1 };
    const expectation = parseExpectation(withPresentName(test, presentNameOf));
    // undefined if the expectation is met
    const failure: ReturnType<typeof checkExpectation> =
      typeof expectation === 'string'
        ? { message: expectation }
        : checkExpectation(expectation, model, configs, { now, assumed: assumptions });
    const { message, chain, example, verdict = 'fail', isAboutMissing = false } = failure ?? {};
    return {
      name: testName(test),
      message,
      chain,
      verdict: failure === undefined ? 'pass' : verdict,
      isAboutMissing,
      ...omitUndefined({ example }),
      expectsDisjointGroups:
        typeof expectation !== 'string' &&
        expectation.kind === 'invariant' &&
        expectation.invariant.kind === 'disjoint',
      location,
      source,
    };
  });
}

function withPresentName(test: unknown, presentNameOf: (app: string) => string): unknown {
  return isObject(test) && typeof test['app'] === 'string'
    ? { ...test, app: presentNameOf(test['app']) }
    : test;
}

function testName(test: unknown): string {
  const name = (test as { readonly name?: unknown } | null)?.name;
  return typeof name === 'string' ? name : compactText(test);
}

/** A value as compact text: `app: admin, only: [staff]`. */
function compactText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(compactText).join(', ')}]`;
  if (typeof value === 'string')
    // control characters stay visible
    return JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, inner]) => `${key}: ${compactText(inner)}`)
    .join(', ');
}

const topLevelKeys = ['version', 'tests', 'from', 'assume'];

/** Why a file that is a map would be tested with other people than it says, or undefined. */
function topLevelMistake(document: { readonly from?: unknown }): string | undefined {
  const stray = Object.keys(document).find((key) => !topLevelKeys.includes(key));
  if (stray !== undefined)
    return `there is no key "${stray}"${didYouMean(nearest(stray, topLevelKeys), `; allowed: ${topLevelKeys.join(', ')}`)}`;
  const { from } = document;
  if (from !== undefined && typeof from !== 'string')
    return 'from must be text: sandbox, live, none or a file';
  return undefined;
}
