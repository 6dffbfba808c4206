import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../../core/findings/finding.js';
import type { PlannedResource } from '../../policies/engine/planned-resource.js';
import type { Rule } from '../../policies/engine/rule.js';
import { ResourceChecker } from '../../policies/sources/plan/check-plan.js';
import { declaringTypes } from '../../policies/sources/plan/declaring-types.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import {
  type Construct,
  DefaultTokenResolver,
  type IPostProcessor,
  type IResolvable,
  type IResolveContext,
  StringConcat,
  TerraformElement,
  TerraformResource,
  Tokenization,
} from '../internal/cdktf.js';
import { createdAttributes } from '../internal/created-attributes.js';
import { isMovedAway } from '../internal/moved-away.js';
import { plannedResource, treeConfiguration, writtenAttributes } from './tree-resources.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

/** What judges resources. */
export interface ChangedFindingsOptions {
  readonly rules: readonly Rule[];
  readonly ruleOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly now: Date;
}

/**
 * The findings about resources of this package's constructs that are written otherwise than the
 * constructs created them: after overrides, setters, Aspects and Lazy values. Findings that the
 * resource had before, or that its declaration has, are not repeated.
 */
export function changedFindings(
  scope: Construct,
  options: ChangedFindingsOptions,
  known: readonly Finding[],
): readonly Finding[] {
  const before: PlannedResource[] = [];
  const after: PlannedResource[] = [];
  for (const construct of scope.node.findAll()) {
    if (!(construct instanceof CastellanConstruct)) continue;
    const resources = construct.node.children.flatMap((each) => versionsOf(each, construct));
    if (resources.every(({ isChanged }) => !isChanged)) continue;
    before.push(...resources.map((each) => each.before));
    after.push(...resources.map((each) => each.after));
  }
  if (after.length === 0) return [];
  const keyOf = ({ ruleId, path = [] }: Finding): string => `${ruleId} ${path.join('/')}`;
  const previous = new Set([...known, ...judge(before, options)].filter(isFailure).map(keyOf));
  return judge(after, options).filter((each) => isFailure(each) && !previous.has(keyOf(each)));
}

const isFailure = ({ verdict }: Finding): boolean => verdict === 'fail';

function judge(
  resources: readonly PlannedResource[],
  { rules, ruleOptions, now }: ChangedFindingsOptions,
): readonly Finding[] {
  const resourceJudge = new ResourceChecker({
    rules,
    ruleOptions,
    now,
    locate: () => undefined,
    targets: new Set(),
    configuration: treeConfiguration(resources),
  });
  for (const resource of resources) resourceJudge.add(resource);
  return resourceJudge.finish().findings;
}

interface Versions {
  readonly before: PlannedResource;
  readonly after: PlannedResource;
  readonly isChanged: boolean;
}

function versionsOf(resource: Construct, owner: CastellanConstruct): readonly Versions[] {
  if (
    !TerraformElement.isTerraformElement(resource) ||
    !TerraformResource.isTerraformResource(resource) ||
    isMovedAway(resource) ||
    !declaringTypes.has(resource.terraformResourceType)
  )
    return [];
  const created = createdAttributes(resource);
  if (created === undefined) return [];
  const { createdAt: location, usedAt } = owner;
  const origin = {
    constructPath: owner.node.path,
    ...omitUndefined({ location, usedAt }),
  };
  const [was, is] = [
    resolved(resource, created),
    withoutMetaArguments(writtenAttributes(resource)),
  ];
  return [
    {
      before: plannedResource(resource, was, origin),
      after: plannedResource(resource, is, origin),
      isChanged: !isDeepStrictEqual(plain(was), plain(is)),
    },
  ];
}

type Attributes = Readonly<Record<string, unknown>>;

/** The attributes as created: a Lazy value was not known then. */
function resolved(resource: TerraformResource, attributes: Attributes): Attributes {
  return Tokenization.resolve(attributes, {
    scope: resource,
    resolver: new CreationResolver(new StringConcat()),
    preparing: false,
  }) as Attributes;
}

class CreationResolver extends DefaultTokenResolver {
  override resolveToken(
    token: IResolvable,
    context: IResolveContext,
    postProcessor: IPostProcessor,
  ): unknown {
    return token.constructor.name.startsWith('Lazy')
      ? '${later}'
      : super.resolveToken(token, context, postProcessor);
  }
}

const metaArguments = new Set([
  'depends_on',
  'provider',
  'lifecycle',
  'for_each',
  'count',
  'provisioner',
  'connection',
]);

function withoutMetaArguments(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).filter(([name]) => !metaArguments.has(name)),
  );
}

function plain(value: Attributes): unknown {
  return JSON.parse(JSON.stringify(value));
}
