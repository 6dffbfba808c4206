import { isObject } from '../../core/values/is-object.js';
import { appendAll } from '../../core/values/append.js';
import type { Finding } from '../../core/findings/finding.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { LoadedStack } from '../model/loaded-stack.js';
import { rules as catalogue } from '../rules/index.js';
import { type Section, sections, type StackConfig, stackSchema } from '../../kinds/stack/schema.js';
import { type Locate, withoutRepeats } from '../engine/finding-maker.js';
import { referencesOf } from '../engine/references.js';
import type { ResolvedValues } from '../engine/resolved-values.js';
import type { Rule } from '../engine/rule.js';
import { withoutInvalidParts } from '../engine/valid-parts.js';
import { type RunOptions, runRules } from '../engine/run-rules.js';
import { unknownPathsForRules, schemaFindings } from '../rules/declaration/schema-findings.js';
import { propertyType } from '../rules/declaration/schema-rules.js';
import type { SchemaNode } from '../engine/schema-paths.js';
import { CorrectedKeys } from '../engine/corrected-keys.js';
import { type Declaration, StackIndex, startsWith } from '../engine/stack-index.js';
import { type EffectiveValue, effectiveValue } from '../engine/effective-value.js';

/** The context of a check and its rules. */
export interface CheckOptions {
  /** The environment for `${env:NAME}`, usually `process.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The rules to run. @default all rules */
  readonly rules?: readonly Rule[];
  /** The current time, for date checks. @default now */
  readonly now?: Date;
  /** The options of rules, by id. */
  readonly ruleOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Resolves values that are missing in the environment from a plan or a state. */
  readonly resolvedValues?: ResolvedValues | undefined;
}

/** A stack after schema validation, ready for the rules. */
export interface PreparedStack {
  readonly index: StackIndex;
  /** The declarations that are well-formed enough for rules. */
  readonly declarations: readonly Declaration[];
  /** Those of the schema; the rules' are not among them yet. */
  readonly findings: readonly Finding[];
  /** Corrections of misspelt keys; declarations are checked as if they were spelt right. */
  readonly correctedKeys: CorrectedKeys;
  /** The paths of values of a wrong type, without which the rules judge their declarations. */
  readonly mistypedPaths: readonly ConfigPath[];
  /** The paths of values that refer to unset variables. */
  readonly unsetPaths: readonly ConfigPath[];
}

/**
 * Checks a stack as declared in its files: the schema first, then every rule on the well-formed
 * declarations.
 *
 * @example
 * const { stacks } = await loadConfig({ paths: ['castellan.yaml'], cwd: process.cwd() });
 * const findings = stacks.flatMap((stack) => checkStack(stack, { env: process.env }));
 */
export function checkStack(stack: LoadedStack, options: CheckOptions): readonly Finding[] {
  const prepared = prepareStack(stack, options);
  const { findings, correctedKeys } = prepared;
  const ruleFindings = runRulesOnStack(prepared, options.rules ?? catalogue, {
    ...options,
    scope: 'stack',
  });
  return withoutRepeats([
    ...findings,
    ...ruleFindings.map((each) => correctedKeys.withOriginalPath(each)),
  ]);
}

/**
 * Runs every rule on the declarations. A rule that reads a value of a wrong type can't judge it,
 * which the schema has said already.
 */
export function runRulesOnStack(
  { index, mistypedPaths }: Pick<PreparedStack, 'index' | 'mistypedPaths'>,
  rules: readonly Rule[],
  options: RunOptions,
): readonly Finding[] {
  return withoutFindingsOfMistypedValues(runRules(index, rules, options), mistypedPaths);
}

/** The findings without those that have no verdict because a value has a wrong type. */
export function withoutFindingsOfMistypedValues(
  findings: readonly Finding[],
  mistypedPaths: readonly ConfigPath[],
): readonly Finding[] {
  if (mistypedPaths.length === 0) return findings;
  return findings.filter(
    ({ verdict, path = [] }) =>
      verdict !== 'unknown' || !mistypedPaths.some((each) => startsWith(path, each)),
  );
}

/** Validates a stack and builds the index for its rules. */
export function prepareStack(stack: LoadedStack, options: CheckOptions): PreparedStack {
  const rules = options.rules ?? catalogue;
  const correctedKeys = new CorrectedKeys();
  const locate: Locate = (path, at) => stack.locate(correctedKeys.toOriginal(path), at);
  const { env } = options;
  const refersToEnvironment = stack.layers.mayContain('${');
  const wholeSchema = stackSchema as unknown as SchemaNode;
  const root = validateCorrected(stack.config, [], correctedKeys, (config) => {
    const effective = effectiveValue(withoutDeclarations(config), wholeSchema, { env });
    const { value, unknownPaths } = effective;
    const configWithSettings = isObject(config) ? mergeSettings(config, value) : config;
    const subject = { path: [], origin: {} };
    return {
      ...effective,
      findings: schemaFindings(
        { section: 'stack', value: configWithSettings, unknownPaths, schema: wholeSchema, subject },
        rules,
        locate,
      ),
    };
  });
  const { correctedValue: config } = root;
  const findings: Finding[] = [...root.findings];
  const declarations: Declaration[] = [];
  const mistypedPaths: ConfigPath[] = [];
  const unsetPaths: ConfigPath[] = [...root.unknownPaths];
  for (const section of Object.keys(sections) as Section[]) {
    const declared = (config as Readonly<Record<string, unknown>> | null)?.[section];
    if (!isObject(declared)) continue;
    const schema = sections[section] as unknown as SchemaNode;
    for (const name of Object.keys(declared)) {
      const subject = { path: [section, name] as ConfigPath, origin: {} };
      const validation = validateCorrected(
        declared[name],
        subject.path,
        correctedKeys,
        (corrected) => {
          const resolveUnknown =
            options.resolvedValues &&
            ((path: ConfigPath) => options.resolvedValues?.valueAt(section, name, path, corrected));
          const effective = refersToEnvironment
            ? effectiveValue(corrected, schema, { env, resolveUnknown })
            : entirelyKnownValue(corrected);
          const { value, unknownPaths } = effective;
          return {
            ...effective,
            findings: schemaFindings(
              { section, value, unknownPaths, schema, subject },
              rules,
              locate,
            ),
          };
        },
      );
      const { value, unknownPaths, findings: mistakes } = validation;
      // a plan or a state was made with the secrets
      if (options.resolvedValues === undefined)
        unsetPaths.push(...validation.unsetSecrets.map((path) => [section, name, ...path]));
      if (mistakes.length === 0 && unknownPaths.length === 0) {
        if (isObject(value))
          declarations.push({
            section,
            name,
            value,
            unknownPaths,
            origin: subject.origin,
          } as Declaration);
        continue;
      }
      appendAll(findings, mistakes);
      unsetPaths.push(
        ...unknownPathsForRules(unknownPaths, mistakes).map((path) => [section, name, ...path]),
      );
      if (!isObject(value)) continue;
      const invalidPaths = mistakes
        .filter(({ ruleId, verdict }) => ruleId === 'property-type' && verdict === 'fail')
        .map(({ path = [] }) => path.slice(2));
      const valid =
        invalidPaths.length === 0
          ? { value, removedPaths: [] }
          : withoutInvalidParts(value, invalidPaths, schema);
      mistypedPaths.push(...valid.removedPaths.map((path) => [section, name, ...path]));
      declarations.push({
        section,
        name,
        value: valid.value,
        unknownPaths: [...unknownPathsForRules(unknownPaths, mistakes), ...valid.removedPaths],
        origin: {},
      } as unknown as Declaration);
    }
  }
  const areSettingsValid = !findings.some(
    ({ ruleId, path = [] }) =>
      ruleId === 'property-type' && !Object.hasOwn(sections, String(path[0])),
  );
  const settings =
    areSettingsValid && isObject(root.value) ? (root.value as Partial<StackConfig>) : {};
  return {
    index: new StackIndex(settings, declarations, referencesOf, locate, stack.readFile),
    declarations,
    findings: findings.map((each) => withWrittenText(correctedKeys.withOriginalPath(each), stack)),
    unsetPaths,
    mistypedPaths,
    correctedKeys,
  };
}

/**
 * A fix that makes text of a number or a boolean, with the text as it is written: 007 is "007", and
 * an id keeps more digits than a number can have.
 */
function withWrittenText(finding: Finding, { layers }: LoadedStack): Finding {
  const { ruleId, fix, path = [] } = finding;
  if (ruleId !== propertyType.id || typeof fix?.value !== 'string') return finding;
  const found = layers.find(path);
  if (found === undefined) return finding;
  const { node, document } = found;
  const text = document.source.text.slice(node.start, node.end);
  // an alias, a tag or quotes are not the text
  if (!/^[\w.+-]+$/.test(text)) return finding;
  return { ...finding, fix: { ...fix, value: text, description: `write ${JSON.stringify(text)}` } };
}

const noPaths: readonly ConfigPath[] = Object.freeze([]);

/** A value without variables, which has no unknown parts: most configurations use no variables. */
function entirelyKnownValue(value: unknown): EffectiveValue {
  return { value, unknownPaths: noPaths, unsetSecrets: noPaths };
}

interface Validation extends EffectiveValue {
  readonly findings: readonly Finding[];
}

/** A misspelt key may contain another one; deeper nesting is rare enough for a second run. */
const maxCorrectionRounds = 5;

/**
 * Validates a value, and if keys are misspelt, once more with the corrected keys, so that there are
 * no consequential findings. `correctedValue` has the corrected keys, and its variables are not
 * resolved.
 */
function validateCorrected(
  source: unknown,
  path: ConfigPath,
  correctedKeys: CorrectedKeys,
  validate: (value: unknown) => Validation,
): Validation & { readonly correctedValue: unknown } {
  let current = source;
  let result = validate(current);
  const misspelt: Finding[] = [];
  for (
    let round = 0;
    round < maxCorrectionRounds && correctedKeys.addFrom(result.findings);
    round++
  ) {
    misspelt.push(...result.findings.filter(({ fix }) => fix?.key !== undefined));
    current = correctedKeys.correct(source, path);
    result = validate(current);
  }
  if (misspelt.length === 0) return { ...result, correctedValue: source };
  return { ...result, findings: [...misspelt, ...result.findings], correctedValue: current };
}

function withoutDeclarations(config: unknown): unknown {
  if (!isObject(config)) return config;
  return Object.fromEntries(
    Object.entries(config).filter(([key]) => !Object.hasOwn(sections, key)),
  );
}

function mergeSettings(config: Readonly<Record<string, unknown>>, settings: unknown): unknown {
  return { ...config, ...(settings as object) };
}
