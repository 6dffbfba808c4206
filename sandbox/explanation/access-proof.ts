import type { AskDirectory } from '../../access/directory/read-person.js';
import { modelOf } from '../../access/model.js';
import { accessStatements } from '../../access/prove/access-statements.js';
import { findViolation } from '../../access/prove/invariant-violation.js';
import { exampleText } from '../../access/prove/proof-text.js';
import { readPeopleRule } from '../../access/testing/invariant.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { SignInTarget } from '../identity-provider/refusals.js';
import { appAccessOf, readAccessModel } from './app-access.js';
import { simulatorFields } from './simulator-fields.js';

/** Whether anybody of whom a rule is true gets into an app, of all who may exist. */
export interface AccessProof {
  readonly verdict: 'nobody' | 'somebody' | 'unknown';
  /** Who, or why it is not known. */
  readonly text: string;
  /** The example's properties, as the simulator takes them. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly path?: string;
  /** Each way into the app, as a sentence. */
  readonly ways: readonly string[];
}

/**
 * Proves that nobody of whom a rule is true gets in, or finds an example.
 *
 * @returns a mistake in the rule
 */
export async function proveNoAccess(
  app: SignInTarget,
  rule: string,
  context: { readonly ask: AskDirectory; readonly tenantId: string; readonly now: number },
): Promise<AccessProof | string> {
  const never = readPeopleRule(rule);
  if (typeof never === 'string') return `the rule ${never}`;
  const invariant = { kind: 'never', app: app.name, rule: never } as const;
  const directory = await readAccessModel(app, context);
  const model = modelOf([appAccessOf(app, directory)], directory, context);
  const [only] = model.apps;
  if (only === undefined) throw new TypeError(`${app.name} is not in its own model`);
  const options = { now: context.now };
  const ways = accessStatements(model, [only], options).flatMap(({ statements }) => statements);
  const broken = findViolation({ invariant, app: only, groups: [] }, model, [], options);
  if (broken === undefined)
    return { verdict: 'nobody', text: 'Nobody (proved for all possible people).', ways };
  const { example, message } = broken;
  if (broken.verdict === 'unknown' || example === undefined)
    return { verdict: 'unknown', text: message, ways };
  return {
    verdict: 'somebody',
    text: exampleText(example),
    attributes: simulatorFields(example),
    ...omitUndefined({ path: example.path }),
    ways,
  };
}
