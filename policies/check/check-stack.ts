import { isObject } from '../../core/values/is-object.js';
import { append } from '../../core/values/append.js';
import type { Finding } from '../../core/findings/finding.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { LoadedStack } from '../model/loaded-stack.js';
import { rules as catalogue } from '../rules/index.js';
import { type Section, sections, type StackConfig, stackSchema } from '../../kinds/stack/schema.js';
import { type Locate, withoutRepeats } from '../engine/finding-maker.js';
import { referencesOf } from '../engine/references.js';
import type { LaterValues } from '../engine/later-values.js';
import type { Rule } from '../engine/rule.js';
import { type RunOptions, runRules, runRulesOn } from '../engine/run-rules.js';
import { referenceExists } from '../rules/reference-exists.js';
import { pathsToWaitFor, schemaFindings } from '../rules/schema-findings.js';
import type { SchemaNode } from '../engine/schema-paths.js';
import { Spelling } from '../engine/spelling.js';
import { type Declaration, StackIndex } from '../engine/stack-index.js';
import { type Effective, effectiveValue } from '../engine/unknowns.js';

/** What a check may know and which rules it runs. */
export interface CheckOptions {
  /** The environment that `${env:NAME}` reads, usually `process.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** @default the whole catalogue */
  readonly rules?: readonly Rule[];
  /** The time that dates are held against. @default now */
  readonly now?: Date;
  /** The options of rules, by id. */
  readonly ruleOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What a plan or a state knows of values that the environment lacks. */
  readonly later?: LaterValues | undefined;
}

/** A stack with its schema's verdict, ready for rules. */
export interface PreparedStack {
  readonly index: StackIndex;
  /** Every declaration that is well-formed enough to be judged. */
  readonly declarations: readonly Declaration[];
  readonly findings: readonly Finding[];
  /** How misspelt keys are written, by which declarations are judged as they were meant. */
  readonly spelling: Spelling;
  /** Values that refer to variables which are set nowhere. */
  readonly unset: readonly ConfigPath[];
}

/**
 * Checks a stack as its files declare it: schema first, then every rule on what is well-formed.
 *
 * @example
 * const { stacks } = await loadConfig({ paths: ['castellan.yaml'], cwd: process.cwd() });
 * const findings = stacks.flatMap((stack) => checkStack(stack, { env: process.env }));
 */
export function checkStack(stack: LoadedStack, options: CheckOptions): readonly Finding[] {
  const { index, findings, spelling } = prepareStack(stack, options);
  const ruleFindings = runOnStack(index, options.rules ?? catalogue, { ...options, scope: 'stack' });
  return withoutRepeats([...findings, ...ruleFindings.map((each) => spelling.locate(each))]);
}

/** Runs every rule on what is well-formed; of what has values of a wrong type, only the names that it uses for others are looked up. */
export function runOnStack(index: StackIndex, rules: readonly Rule[], options: RunOptions): readonly Finding[] {
  const lookUps = rules.filter(({ id }) => id === referenceExists.id);
  return [...runRules(index, rules, options), ...index.illTyped.flatMap((each) => runRulesOn(each, index, lookUps, options))];
}

/** Validates a stack and prepares the index that rules ask. */
export function prepareStack(stack: LoadedStack, options: CheckOptions): PreparedStack {
  const rules = options.rules ?? catalogue;
  const spelling = new Spelling();
  const locate: Locate = (path, at) => stack.locate(spelling.toWritten(path), at);
  const { env } = options;
  const refersToEnvironment = stack.layers.mentions('${');
  const wholeSchema = stackSchema as unknown as SchemaNode;
  const frame = validateEach(stack.config, [], spelling, (config) => {
    const { value, unknownPaths } = effectiveValue(withoutDeclarations(config), wholeSchema, { env });
    const whole = isObject(config) ? mergeFrame(config, value) : config;
    const subject = { path: [], origin: {} };
    return {
      value,
      unknownPaths,
      findings: schemaFindings({ section: 'stack', value: whole, unknownPaths, schema: wholeSchema, subject }, rules, locate),
    };
  });
  const { root, config } = { root: frame, config: frame.written };
  const findings: Finding[] = [...frame.findings];
  const declarations: Declaration[] = [];
  const illTyped: Declaration[] = [];
  const unset: ConfigPath[] = [...root.unknownPaths];
  for (const section of Object.keys(sections) as Section[]) {
    const declared = (config as Readonly<Record<string, unknown>> | null)?.[section];
    if (!isObject(declared)) continue;
    const schema = sections[section] as unknown as SchemaNode;
    for (const name of Object.keys(declared)) {
      const subject = { path: [section, name] as ConfigPath, origin: {} };
      const validation = validateEach(declared[name], subject.path, spelling, (corrections) => {
        const later = options.later && ((path: ConfigPath) => options.later?.valueAt(section, name, path, corrections));
        const { value, unknownPaths } = refersToEnvironment ? effectiveValue(corrections, schema, { env, later }) : knownParts(corrections);
        return { value, unknownPaths, findings: schemaFindings({ section, value, unknownPaths, schema, subject }, rules, locate) };
      });
      const { value, unknownPaths, findings: mistakes } = validation;
      if (mistakes.length === 0 && unknownPaths.length === 0) {
        if (isObject(value)) declarations.push({ section, name, value, unknownPaths, origin: subject.origin } as Declaration);
        continue;
      }
      append(findings, mistakes);
      unset.push(...pathsToWaitFor(unknownPaths, mistakes).map((path) => [section, name, ...path]));
      if (!isObject(value)) continue;
      const isIllTyped = mistakes.some(({ ruleId, verdict }) => ruleId === 'property-type' && verdict === 'fail');
      const declaration = { section, name, value, unknownPaths: pathsToWaitFor(unknownPaths, mistakes), origin: {} } as Declaration;
      (isIllTyped ? illTyped : declarations).push(declaration);
    }
  }
  const isSound = !findings.some(({ ruleId, path = [] }) => ruleId === 'property-type' && !Object.hasOwn(sections, String(path[0])));
  const settings = isSound && isObject(root.value) ? (root.value as Partial<StackConfig>) : {};
  return {
    index: new StackIndex(settings, declarations, referencesOf, locate, stack.readFile, illTyped),
    declarations,
    findings: findings.map((each) => spelling.locate(each)),
    unset,
    spelling,
  };
}

const nothingUnknown: readonly ConfigPath[] = Object.freeze([]);

/** A value of which nothing is open: most configurations refer to no variable. */
function knownParts(value: unknown): Effective {
  return { value, unknownPaths: nothingUnknown };
}

interface Validation extends Effective {
  readonly findings: readonly Finding[];
}

/** A key may be misspelt within one that is misspelt; more depth is rare enough to be found in a second run. */
const mostRounds = 5;

/** Validates a value; where keys are misspelt, once more with those that were meant, so that nothing follows from them. */
function validateEach(
  source: unknown,
  at: ConfigPath,
  spelling: Spelling,
  validate: (value: unknown) => Validation,
): Validation & { readonly written: unknown } {
  let current = source;
  let result = validate(current);
  const misspelt: Finding[] = [];
  for (let round = 0; round < mostRounds && spelling.learn(result.findings); round++) {
    misspelt.push(...result.findings.filter(({ fix }) => fix?.key !== undefined));
    current = spelling.correct(source, at);
    result = validate(current);
  }
  if (misspelt.length === 0) return { ...result, written: source };
  return { ...result, findings: [...misspelt, ...result.findings], written: current };
}

function withoutDeclarations(config: unknown): unknown {
  if (!isObject(config)) return config;
  return Object.fromEntries(Object.entries(config).filter(([key]) => !Object.hasOwn(sections, key)));
}

function mergeFrame(config: Readonly<Record<string, unknown>>, root: unknown): unknown {
  return { ...config, ...(root as object) };
}
