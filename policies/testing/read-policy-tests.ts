import { readFileSync } from 'node:fs';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { SourceText } from '../../core/source/source-text.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import { isObject } from '../../core/values/is-object.js';
import { Layers } from '../../core/yaml/layers.js';
import { secondDocumentPlace } from '../../core/yaml/second-document.js';
import { parseYaml } from '../../core/yaml/parse-yaml.js';

/** A case of a policy test: what is checked, and the rules that it violates. */
export interface PolicyCase {
  readonly name: string;
  /** The configuration itself, if it has no file of its own. */
  readonly config?: unknown;
  /** The file of the configuration, relative to the test's file. */
  readonly file?: string;
  /** The environment whose overlay is applied: `prod`. @default none */
  readonly environment?: string;
  /** The plan to check, in the form of `terraform show -json`, relative to the test's file. */
  readonly plan?: string;
  /** Resources to check, as if a plan created them. */
  readonly resources?: readonly {
    readonly type: string;
    readonly name: string;
    readonly values: object;
    /** Unknown values, marked as plans do: `{ min_tls_version: true }`. */
    readonly unknown?: object;
  }[];
  /** The ids of the rules that find an error or a warning, in any order. */
  readonly expect: readonly string[];
}

/** The content of a policy test file. */
export interface PolicyTests {
  readonly version?: 1;
  /** The policy, relative to the test's file. @default castellan.policy.yaml beside it */
  readonly policy?: string;
  /** The current time, for date checks. */
  readonly now?: string;
  readonly cases: readonly PolicyCase[];
}

const testKeys = ['version', 'policy', 'now', 'cases'];
const subjectKeys = ['config', 'file', 'plan', 'resources'];
const caseKeys = ['name', 'environment', 'expect', ...subjectKeys];

/**
 * Reads a policy test file (`*.policy-test.yaml`).
 *
 * @param shownAs the file's name in messages.
 * @throws CAS7002 when the file is not a policy test, or has a part that would not be tested.
 */
export function readPolicyTests(file: string, shownAs: string): PolicyTests {
  const parsed = parseYaml(new SourceText(shownAs, readFileSync(file, 'utf8')));
  if ('problem' in parsed) {
    const { location, message } = parsed.problem;
    throw new CastellanError(
      'CAS7002',
      `${shownAs}:${String(location.line)}:${String(location.column)} ${message}`,
    );
  }
  const secondPlace = secondDocumentPlace(parsed.documents);
  if (secondPlace !== undefined)
    throw new CastellanError(
      'CAS7002',
      `${shownAs}:${String(secondPlace.line)}: a policy test is one document: write the cases after --- into the first one`,
    );
  const tests = new Layers(parsed.documents.slice(0, 1)).value;
  if (!isPolicyTest(tests))
    throw new CastellanError(
      'CAS7002',
      `${shownAs} has no cases: each needs name, config or file, and expect (a list of rule ids)`,
    );
  const mistake = mistakeOfTests(tests) ?? tests.cases.map(mistakeOfCase).find((each) => each);
  if (mistake !== undefined) throw new CastellanError('CAS7002', `${shownAs}: ${mistake}`);
  return tests;
}

function isPolicyTest(tests: unknown): tests is PolicyTests {
  return (
    isObject(tests) &&
    Array.isArray(tests['cases']) &&
    tests['cases'].length > 0 &&
    tests['cases'].every(
      (each) => isObject(each) && typeof each['name'] === 'string' && Array.isArray(each['expect']),
    )
  );
}

function mistakeOfTests(tests: PolicyTests): string | undefined {
  const { version, policy, now } = tests as { readonly [Key in keyof PolicyTests]: unknown };
  if (version !== undefined && version !== 1)
    return `version is ${JSON.stringify(version)}; known is 1`;
  if (policy !== undefined && typeof policy !== 'string')
    return `policy is ${JSON.stringify(policy)}, which is no path of a policy`;
  if (now !== undefined && (typeof now !== 'string' || Number.isNaN(Date.parse(now))))
    return `now is ${JSON.stringify(now)}, which is no time such as 2026-01-31`;
  return unknownKey(tests, testKeys);
}

function mistakeOfCase(policyCase: PolicyCase): string | undefined {
  const { name, config, file, plan, resources, environment, expect } = policyCase;
  const mistakes: readonly (readonly [isMade: boolean, message: string])[] = [
    [
      // an empty list of resources is nothing to check
      [config, file, plan].every((each) => each === undefined) &&
        (resources === undefined || (Array.isArray(resources) && resources.length === 0)),
      'one of config, file, plan and resources must say what is checked',
    ],
    [config !== undefined && file !== undefined, 'config and file exclude each other'],
    [plan !== undefined && resources !== undefined, 'plan and resources exclude each other'],
    [config !== undefined && !isObject(config), 'config must be a map'],
    [
      [file, plan, environment].some((each) => each !== undefined && typeof each !== 'string'),
      'file, plan and environment must be texts',
    ],
    [
      resources !== undefined && !(Array.isArray(resources) && resources.every(isResource)),
      'resources must be a list of maps with type, name and values',
    ],
    [!expect.every((id) => typeof id === 'string'), 'expect must be a list of rule ids'],
  ];
  const mistake = unknownKey(policyCase, caseKeys) ?? mistakes.find(([isMade]) => isMade)?.[1];
  return mistake && `${name}: ${mistake}`;
}

function isResource(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value['type'] === 'string' &&
    typeof value['name'] === 'string' &&
    isObject(value['values'])
  );
}

function unknownKey(value: object, allowed: readonly string[]): string | undefined {
  const key = Object.keys(value).find((each) => !allowed.includes(each));
  if (key === undefined) return undefined;
  return `there is no key "${key}"${didYouMean(nearest(key, allowed), `; allowed: ${allowed.join(', ')}`)}`;
}
