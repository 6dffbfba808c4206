import { basename, resolve } from 'node:path';
import type { Finding } from '../../../core/findings/finding.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { makeFinding } from '../../engine/finding-maker.js';
import { resourcePath } from '../../engine/resource-rule.js';
import type { Rule } from '../../engine/rule.js';
import { type Section, sections } from '../../../kinds/stack/schema.js';
import { checkRuleId } from '../guard-rule.js';
import { type LoadedPackRules, type PackInput, type PackStart } from '../protocol.js';
import { readPolicyBundle, readPolicyData } from './policy-bundle.js';
import { RegoPolicy } from './rego-policy.js';

/** A denial of a policy. */
interface Denial {
  readonly msg: string;
  /** The section of the declaration that is denied; absent for a denial of the stack. */
  readonly section?: string;
  /** The name of that declaration in its section. */
  readonly name?: string;
  /** The Terraform address of a resource, instead of section and name. */
  readonly address?: string;
  /** Relative to the declaration, or to the resource. */
  readonly path?: readonly (string | number)[];
}

/**
 * The rule that evaluates a Rego policy compiled to WebAssembly
 * (`opa build -t wasm -e castellan/deny`). Its input is
 * `{ stack, declarations: [{ section, name, value, unknown }], resources, options, now }`; each
 * result is a text about the stack, `{ msg, section, name, path }` about a declaration, or
 * `{ msg, address, path }` about a resource of a plan or a state.
 */
export async function regoRule({ pack, file, folder }: PackStart): Promise<LoadedPackRules> {
  const bundle = readPolicyBundle(file);
  const policy = await RegoPolicy.load(
    pack.data === undefined
      ? bundle
      : { ...bundle, data: readPolicyData(resolve(folder, pack.data)) },
  );
  const source = basename(file);
  const rule: Rule = {
    id: pack.id ?? checkRuleId(source.replace(/(\.wasm|\.tar\.gz)$/, '')),
    title: pack.title ?? `The Rego policy ${source} denies nothing.`,
    why: 'A policy of your own demands it.',
    severity: pack.severity ?? 'error',
    source,
    sections: Object.keys(sections) as Section[],
    ...omitUndefined({ resources: pack.resources }),
    scope: 'stack',
    options: { type: 'object', additionalProperties: true },
    messages: { denied: '{message}' },
  };
  return {
    rules: [rule],
    checkStack: (input) =>
      denialsOf(policy, rule.id, input).map((denial) => findingOf(rule, denial, input)),
  };
}

function denialsOf(policy: RegoPolicy, id: string, input: PackInput): readonly Denial[] {
  const { settings, declarations, resources = [], ruleOptions, now } = input;
  const regoInput = {
    stack: settings,
    declarations: declarations.map(({ section, name, value, unknownPaths }) => ({
      section,
      name,
      value,
      unknown: unknownPaths,
    })),
    resources,
    options: ruleOptions[id] ?? {},
    now,
  };
  return policy.evaluate(regoInput, new Date(now)).flatMap(readDenials);
}

/**
 * The denials in a result: a text, a denial, or a list of them. Ignoring other values would make a
 * policy that denies nothing.
 */
function readDenials(result: unknown): readonly Denial[] {
  if (typeof result === 'string') return [{ msg: result }];
  if (Array.isArray(result)) return result.flatMap(readDenials);
  const { msg, section, name, address, path } = (result ?? {}) as Readonly<Record<string, unknown>>;
  const isPath =
    path === undefined ||
    (Array.isArray(path) &&
      path.every((step) => typeof step === 'string' || typeof step === 'number'));
  const isDenial =
    typeof msg === 'string' &&
    [section, name, address].every((each) => each === undefined || typeof each === 'string');
  if (!isDenial || !isPath)
    throw new Error(
      `a result is a text, { msg, section, name, path } or { msg, address, path }, not ${JSON.stringify(result) ?? 'nothing'}`,
    );
  return [result as Denial];
}

function findingOf(
  rule: Rule,
  { msg, address, section, name, path = [] }: Denial,
  { declarations }: PackInput,
): Finding {
  if (address !== undefined) {
    const subject = { path: resourcePath(address), origin: { terraformAddress: address } };
    return makeFinding(
      rule,
      { messageId: 'denied', path, parameters: { given: msg, message: msg } },
      subject,
      () => undefined,
    );
  }
  const isDeclared = declarations.some((each) => each.section === section && each.name === name);
  const subject = {
    path: isDeclared && section !== undefined && name !== undefined ? [section, name] : [],
    origin: {},
  };
  const message =
    section === undefined || isDeclared
      ? msg
      : `${msg} (${[section, name].filter((word) => word !== undefined).join('.')})`;
  return makeFinding(
    rule,
    { messageId: 'denied', path: isDeclared ? path : [], parameters: { given: msg, message } },
    subject,
    () => undefined,
  );
}
