import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import Draft07, { type ErrorObject } from 'ajv';
import Draft2019 from 'ajv/dist/2019.js';
import Draft2020 from 'ajv/dist/2020.js';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json';
import { isObject } from '../../core/values/is-object.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { Rule, RuleContext } from '../engine/rule.js';
import { startsWith } from '../engine/stack-index.js';
import type { PackConfig } from '../../kinds/policy/schema.js';
import { unknownPlaceholder } from '../../kinds/schema/readers.js';
import { type Section, sections } from '../../kinds/stack/schema.js';
import { checkRuleId } from './guard-rule.js';
import { parseJson } from './parse-json.js';

interface PackSchema {
  readonly $id?: string;
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
}

/** A rule that validates every declaration of a section by a custom JSON Schema. */
export function schemaRule(file: string, pack: PackConfig): Rule {
  const { resources } = pack;
  const schema = parseJson(basename(file), readFileSync(file, 'utf8')) as PackSchema;
  if (
    resources === undefined &&
    (pack.section === undefined || !Object.hasOwn(sections, pack.section))
  )
    throw new Error(
      `say by resources which Terraform types the schema is for, or by section which declarations: ${Object.keys(sections).join(', ')}`,
    );
  const validate = validatorFor(schema).compile(schema);
  const id = pack.id ?? checkRuleId(basename(file).replace(/(\.schema)?\.json$/, ''));
  return {
    id,
    title: pack.title ?? schema.title ?? `Declarations satisfy ${basename(file)}.`,
    why: schema.description ?? 'A schema of your own demands it.',
    severity: pack.severity ?? 'error',
    source: basename(file),
    sections: pack.section === undefined ? [] : [pack.section as Section],
    ...(resources !== undefined && {
      resources,
      checkResource: ({ values, unknown: unknownPaths }, context) =>
        judge(values, unknownPaths, context, 'this resource'),
    }),
    messages: { schema: '{property} {reason}' },
    check: ({ value, unknownPaths }, context) =>
      judge(value, unknownPaths, context, 'this declaration'),
  };

  /** The unknown values of a resource without mistakes on which the schema makes demands. */
  function decisivePaths(
    value: unknown,
    unknownPaths: readonly ConfigPath[],
  ): readonly ConfigPath[] {
    return unknownPaths.filter((path) => {
      if (validate(withPlaceholder(value, path))) return false;
      const mistakes = (validate.errors ?? []).filter(
        ({ params }) => !('additionalProperty' in params || 'unevaluatedProperty' in params),
      );
      return mistakes.some((each) =>
        startsWith(mistakeOf(each).path.map(String), path.map(String)),
      );
    });
  }

  function judge(
    value: unknown,
    unknownPaths: readonly ConfigPath[],
    context: Pick<RuleContext, 'report' | 'unknown'>,
    subjectName: string,
  ): void {
    if (validate(value)) {
      for (const path of decisivePaths(value, unknownPaths)) context.unknown(path);
      return;
    }
    const mistakes = (validate.errors ?? []).map(mistakeOf);
    const undecidedPaths = mistakes.flatMap(({ path }) =>
      unknownPaths.filter((each) => startsWith(path.map(String), each.map(String))),
    );
    for (const path of new Set(undecidedPaths)) context.unknown(path);
    for (const { valuePath, path, reason, isOfAlternative } of mistakes) {
      const isUndecided = unknownPaths.some((each) =>
        startsWith(path.map(String), each.map(String)),
      );
      if (isUndecided || (isOfAlternative && undecidedPaths.length > 0)) continue;
      context.report({
        messageId: 'schema',
        path,
        parameters: {
          property: valuePath.length === 0 ? subjectName : valuePath.join('.'),
          reason,
        },
      });
    }
  }
}

/** The validator for the draft that a schema is written in. */
function validatorFor({ $schema: draft = '2020-12' }: PackSchema): Pick<Draft07, 'compile'> {
  const options = { allErrors: true, strict: false };
  if (/draft-0[67]/.test(draft)) return new Draft07(options).addMetaSchema(draft06);
  if (draft.includes('2019-09')) return new Draft2019(options);
  if (draft.includes('2020-12')) return new Draft2020(options);
  throw new Error(
    `its $schema is ${draft}; known are those of the drafts 06, 07, 2019-09 and 2020-12`,
  );
}

/** A value with a placeholder at a path, which plans leave out. */
function withPlaceholder(value: unknown, [step, ...rest]: ConfigPath): unknown {
  if (step === undefined) return unknownPlaceholder;
  if (Array.isArray(value))
    return value.map((each, index): unknown =>
      index === step ? withPlaceholder(each, rest) : (each as unknown),
    );
  const members = isObject(value) ? value : {};
  return { ...members, [step]: withPlaceholder(members[step], rest) };
}

/** Schemas with alternatives: while one is undecided, so are the mistakes in the others. */
const alternativesPattern = /\/(anyOf|oneOf|not|if|contains)(\/|$)/;

/** A mistake: the path of the value, or of the property that is missing in it, and the reason. */
function mistakeOf({
  instancePath,
  schemaPath,
  keyword,
  message = 'is not allowed',
  params,
}: ErrorObject): {
  readonly valuePath: ConfigPath;
  readonly path: ConfigPath;
  readonly reason: string;
  readonly isOfAlternative: boolean;
} {
  const valuePath = instancePath
    .split('/')
    .slice(1)
    .map((step) =>
      /^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~'),
    );
  const { missingProperty, additionalProperty, allowedValue, allowedValues } = params as Readonly<
    Record<string, unknown>
  >;
  const step = missingProperty ?? additionalProperty;
  const allowedList =
    keyword === 'const'
      ? [allowedValue]
      : keyword === 'enum'
        ? (allowedValues as readonly unknown[])
        : undefined;
  return {
    valuePath,
    path: typeof step === 'string' ? [...valuePath, step] : valuePath,
    reason:
      allowedList === undefined
        ? message
        : `must be ${allowedList.map((each) => JSON.stringify(each)).join(' or ')}`,
    isOfAlternative: alternativesPattern.test(schemaPath),
  };
}
