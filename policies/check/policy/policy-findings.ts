import type * as ajv from 'ajv/dist/2020.js';
import type { Finding } from '../../../core/findings/finding.js';
import { didYouMean, nearest } from '../../../core/text/nearest.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import { type Locate, makeFinding } from '../../engine/finding-maker.js';
import type { ReportDescriptor, Rule } from '../../engine/rule.js';
import { schemaAt, type SchemaNode } from '../../engine/schema-paths.js';
import { valueAt } from '../../engine/schema-validation.js';
import { policyRule } from '../../rules/policy-rules.js';
import type { PolicyConfig, RuleSetting } from '../../../kinds/policy/schema.js';

/** The mistakes in the rule ids of a policy, and in the options that it sets. */
export function policyFindings(policy: CheckedPolicy, rules: readonly Rule[]): readonly Finding[] {
  return [
    ...missingRuleFindings(policy, rules),
    ...optionFindings(policy.config, rules, policy.locate),
  ];
}

interface CheckedPolicy {
  readonly config: PolicyConfig;
  readonly locate: Locate;
}

/** Checks the options that a policy sets against the options of each rule. */
function optionFindings(
  config: PolicyConfig,
  rules: readonly Rule[],
  locate: Locate,
): readonly Finding[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const settings: readonly (readonly [ConfigPath, Readonly<Record<string, RuleSetting>>])[] = [
    [['rules'], config.rules ?? {}],
    ...(config.scopes ?? []).map(
      (scope, index) => [['scopes', index, 'rules'] as ConfigPath, scope.rules] as const,
    ),
  ];
  return settings.flatMap(([place, ruleSettings]) =>
    Object.entries(ruleSettings).flatMap(([id, setting]) => {
      const rule = byId.get(id);
      if (rule === undefined || typeof setting !== 'object' || setting.options === undefined)
        return [];
      const path = [...place, id, 'options'];
      return optionReports(rule, setting.options).map((report) =>
        makeFinding(policyRule, report, { path, origin: {} }, locate),
      );
    }),
  );
}

/** Rule ids in a policy that do not exist. */
function missingRuleFindings(policy: CheckedPolicy, rules: readonly Rule[]): readonly Finding[] {
  const ids = rules.map(({ id }) => id);
  const existingIds = new Set(ids);
  const subject = { path: [], origin: {} };
  const findingsIfMissing = (
    ruleId: string,
    path: readonly (string | number)[],
    at: 'key' | 'value',
  ): Finding[] => {
    if (existingIds.has(ruleId)) return [];
    const hint = didYouMean(nearest(ruleId, ids));
    return [
      makeFinding(
        policyRule,
        { messageId: 'noSuchRule', path, at, parameters: { given: ruleId, hint } },
        subject,
        policy.locate,
      ),
    ];
  };
  const { rules: settings = {}, scopes = [], suppressions = [] } = policy.config;
  return [
    ...Object.keys(settings).flatMap((id) => findingsIfMissing(id, ['rules', id], 'key')),
    ...scopes.flatMap((scope, index) =>
      Object.keys(scope.rules).flatMap((id) =>
        findingsIfMissing(id, ['scopes', index, 'rules', id], 'key'),
      ),
    ),
    ...suppressions.flatMap(({ rule }, index) =>
      findingsIfMissing(rule, ['suppressions', index, 'rule'], 'value'),
    ),
  ];
}

function optionReports(
  rule: Rule,
  options: Readonly<Record<string, unknown>>,
): readonly ReportDescriptor[] {
  const schema = rule.options as
    (SchemaNode & { readonly additionalProperties?: unknown }) | undefined;
  const names = Object.keys(schema?.properties ?? {});
  const isClosed =
    (schema?.additionalProperties ?? false) === false && schema?.patternProperties === undefined;
  const undeclaredOptions = isClosed
    ? Object.keys(options).filter((name) => !names.includes(name))
    : [];
  const reports = undeclaredOptions.map((option): ReportDescriptor => {
    const hint = didYouMean(
      nearest(option, names),
      names.length === 0 ? '; it has none' : `; allowed: ${names.join(', ')}`,
    );
    return {
      messageId: 'option',
      path: [option],
      at: 'key',
      parameters: { given: option, rule: rule.id, hint },
    };
  });
  return schema === undefined ? reports : [...reports, ...valueReports(rule.id, schema, options)];
}

function valueReports(
  rule: string,
  schema: SchemaNode,
  options: Readonly<Record<string, unknown>>,
): readonly ReportDescriptor[] {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loading it takes longer than most checks
  const { default: Ajv } = require('ajv/dist/2020.js') as typeof ajv;
  const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
  if (validate(options)) return [];
  const places = new Map<string, ConfigPath>();
  for (const { keyword, instancePath, params } of validate.errors ?? []) {
    if (keyword === 'additionalProperties' && instancePath === '') continue;
    const missing = (params as { readonly missingProperty?: unknown }).missingProperty;
    const path = [
      ...pathOfPointer(instancePath),
      ...(typeof missing === 'string' ? [missing] : []),
    ];
    places.set(path.join('\0'), path);
  }
  return [...places.values()].map((path) => {
    const value = valueAt(options, path);
    const parameters = {
      option: path.join('.') || 'options',
      rule,
      given: value === undefined ? 'nothing' : JSON.stringify(value),
    };
    return {
      messageId: 'value',
      path,
      parameters: { ...parameters, allowed: describeSchema(schemaAt(schema, path)) },
    };
  });
}

function pathOfPointer(pointer: string): ConfigPath {
  const parts = pointer.split('/').slice(1);
  return parts.map((step) =>
    /^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~'),
  );
}

type LimitedSchema = SchemaNode &
  Readonly<Partial<Record<'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems', number>>>;

/** The values that a schema allows, in words. */
function describeSchema(schema: LimitedSchema | undefined): string {
  if (schema === undefined) return 'what its description says';
  if (schema.enum !== undefined)
    return schema.enum.map((value) => JSON.stringify(value)).join(', ');
  const words: Readonly<Record<string, string>> = {
    string: 'text',
    integer: 'an integer',
    number: 'a number',
    boolean: 'true or false',
    array: `a list of ${describeSchema(schema.items)}`,
    object: 'a map',
  };
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  const { minimum, maximum, minLength, pattern } = schema;
  return [
    types.map((type) => words[type] ?? type).join(' or ') || schema.description || 'another value',
    ...(minimum === undefined
      ? []
      : [maximum === undefined ? `of at least ${String(minimum)}` : `from ${String(minimum)}`]),
    ...(maximum === undefined
      ? []
      : [`${minimum === undefined ? 'of at most' : 'to'} ${String(maximum)}`]),
    ...((minLength ?? 0) === 0 ? [] : ['that is not empty']),
    ...(pattern === undefined ? [] : [`that matches ${pattern}`]),
  ].join(' ');
}
