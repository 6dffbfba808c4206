import type { DirectoryGet } from '../../access/directory/read-person.js';
import { modelOfApps } from '../../access/model.js';
import { accessStatements } from '../../access/prove/access-statements.js';
import { findViolation } from '../../access/prove/invariant-violation.js';
import { exampleText } from '../../access/prove/proof-text.js';
import { parsePeopleRule } from '../../access/testing/invariant.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { SignInTarget } from '../identity-provider/refusals.js';
import { appAccessOf, readDirectorySnapshot } from './app-access.js';
import { simulatorFields } from './simulator-fields.js';

/** Whether a person who matches a rule can get into an app, proved for all possible people. */
export interface AccessProof {
  /** Who of those who match gets in; `unknown` where neither could be proved. */
  readonly verdict: 'nobody' | 'somebody' | 'unknown';
  /** The answer in words: an example of such a person, or why it is not known. */
  readonly text: string;
  /** The example's properties, as the simulator takes them. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** The path that the example gets in at. */
  readonly path?: string;
  /** Each way into the app, as a sentence. */
  readonly ways: readonly string[];
}

/**
 * Proves that nobody who matches a membership rule gets in, or finds an example.
 *
 * @returns the proof, or a message about a mistake in the rule
 */
export async function proveNoAccess(
  app: SignInTarget,
  ruleText: string,
  context: {
    readonly readDirectory: DirectoryGet;
    readonly tenantId: string;
    readonly now: number;
  },
): Promise<AccessProof | string> {
  const rule = parsePeopleRule(ruleText);
  if (typeof rule === 'string') return `the rule ${rule}`;
  const invariant = { kind: 'never', app: app.name, rule } as const;
  const directory = await readDirectorySnapshot(app, context);
  const model = modelOfApps([appAccessOf(app, directory)], directory, context);
  const [modelApp] = model.apps;
  if (modelApp === undefined) throw new TypeError(`${app.name} is not in its own model`);
  const options = { now: context.now };
  const ways = accessStatements(model, [modelApp], options).flatMap(({ statements }) => statements);
  const violation = findViolation({ invariant, app: modelApp, groups: [] }, model, [], options);
  if (violation === undefined)
    return { verdict: 'nobody', text: 'Nobody (proved for all possible people).', ways };
  const { example, message } = violation;
  if (violation.verdict === 'unknown' || example === undefined)
    return { verdict: 'unknown', text: message, ways };
  return {
    verdict: 'somebody',
    text: exampleText(example),
    attributes: simulatorFields(example),
    ...omitUndefined({ path: example.path }),
    ways,
  };
}
