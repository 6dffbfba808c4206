import { omitUndefined } from '../../core/values/omit-undefined.js';
import { PlanConfiguration } from '../../policies/sources/plan/plan-configuration.js';
import { checkedResourceTypes } from '../../policies/sources/plan/declaring-types.js';
import type { PlannedResource } from '../../policies/engine/planned-resource.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import {
  type Construct,
  DefaultTokenResolver,
  type IConstruct,
  StringConcat,
  TerraformDataSource,
  type TerraformElement,
  TerraformResource,
  TerraformStack,
  Tokenization,
} from '../internal/cdktf.js';
import { deepMerge, stackFields } from '../internal/cdktf-internals.js';
import { isMovedAway } from '../internal/moved-away.js';
import { addressOf } from '../internal/terraform-address.js';
import { creationLocationOf } from '../internal/recorded-creation.js';

/** A resource of a tree. */
export interface TreeResource extends PlannedResource {
  /** Whether a construct of this package created it. */
  readonly isOfCastellan: boolean;
}

/**
 * The resources of a stack, or of a part of it, in the form of a plan that creates them, where
 * references are known only after apply: resources of other constructs that declare something, such
 * as an `azuread_group` of the plain bindings, and all of the requested types.
 */
export function treeResources(
  scope: Construct,
  isWanted: (type: string) => boolean,
): readonly TreeResource[] {
  const resources: TreeResource[] = [];
  const visit = (node: IConstruct, parentOwner: CastellanConstruct | undefined): void => {
    const owner = node instanceof CastellanConstruct ? node : parentOwner;
    if (TerraformResource.isTerraformResource(node)) {
      const { terraformResourceType: type } = node;
      const isOfCastellan = owner !== undefined;
      if (
        (isWanted(type) || (!isOfCastellan && checkedResourceTypes.has(type))) &&
        !isMovedAway(node)
      )
        resources.push({ ...toPlanned(node, owner), isOfCastellan });
    }
    for (const child of node.node.children) if (!TerraformStack.isStack(child)) visit(child, owner);
  };
  visit(scope, undefined);
  return resources;
}

const resolver = new DefaultTokenResolver(new StringConcat());

/** @param owner the construct of this package that created the resource, if any. */
function toPlanned(resource: TerraformResource, owner?: CastellanConstruct): PlannedResource {
  const location = owner === undefined ? creationLocationOf(resource) : owner.creationLocation;
  return plannedResource(resource, writtenAttributes(resource), {
    constructPath: resource.node.path,
    ...omitUndefined({ location, usedAt: owner?.usedAt }),
  });
}

type Attributes = Readonly<Record<string, unknown>>;
type Blocks = Readonly<Record<string, Readonly<Record<string, Attributes>>>>;

/**
 * The attributes of a resource or a data source as they are written: with its overrides, those of
 * its stack, and resolved tokens.
 */
export function writtenAttributes(block: TerraformResource | TerraformDataSource): Attributes {
  const { '//': _metadata, ...attributes } = attributesIn(writtenTerraform(block), block) ?? {};
  const overrides = attributesIn(stackFields(TerraformStack.of(block)).overrides, block);
  if (overrides === undefined) return attributes;
  deepMerge(attributes, overrides);
  return resolveTokens(attributes, block) as Attributes;
}

/** The attributes that Terraform JSON has for a resource or a data source, if any. */
function attributesIn(
  terraform: unknown,
  block: TerraformResource | TerraformDataSource,
): Attributes | undefined {
  const { resource, data } = terraform as { readonly resource?: Blocks; readonly data?: Blocks };
  const blocks = TerraformDataSource.isTerraformDataSource(block) ? data : resource;
  return blocks?.[block.terraformResourceType]?.[block.friendlyUniqueId];
}

/** The Terraform JSON of an element as it is written, with resolved tokens. */
export function writtenTerraform(element: TerraformElement): unknown {
  return resolveTokens(element.toTerraform(), element);
}

function resolveTokens(value: unknown, scope: TerraformElement): unknown {
  return Tokenization.resolve(value, { scope, resolver, preparing: false });
}

/** A resource in the form of a plan that creates it. */
export function plannedResource(
  resource: TerraformResource,
  attributes: Attributes,
  origin: NonNullable<PlannedResource['origin']>,
): PlannedResource {
  return {
    address: addressOf(resource),
    mode: 'managed',
    type: resource.terraformResourceType,
    name: resource.friendlyUniqueId,
    providerName: '',
    actions: ['create'],
    before: null,
    after: unescapeInterpolation(attributes),
    afterUnknown: unknownShape(attributes),
    replacePaths: [],
    origin,
  };
}

/** The references of a tree's resources, in the form of a plan's configuration. */
export function treeConfiguration(resources: readonly PlannedResource[]): PlanConfiguration {
  const configuration = new PlanConfiguration();
  for (const { address, after } of resources) {
    const expressions = Object.entries(after as Readonly<Record<string, unknown>>).map(
      ([name, value]) => [name, expressionOf(value)],
    );
    configuration.declare(
      address,
      Object.fromEntries(expressions) as Readonly<Record<string, unknown>>,
    );
  }
  return configuration;
}

/**
 * A value in the form of a plan's configuration: `${azurerm_container_app.web.id}` is a reference,
 * alone or in a list.
 */
function expressionOf(value: unknown): object {
  const texts = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
  const references = texts.flatMap((text) =>
    [...text.matchAll(/\$\{([A-Za-z][\w-]*(?:\.[\w-]+)+)\}/g)].map((match) => match[1]),
  );
  return references.length === 0 ? { constant_value: value } : { references };
}

/** `${` of an expression or `%{` of a directive; doubled, they are text. */
const templateStart = /(?:^|[^$])\$\{|(?:^|[^%])%\{/;

/** The shape of a value, with `true` in place of each text that is a template. */
function unknownShape(value: unknown): unknown {
  if (typeof value === 'string') return templateStart.test(value);
  if (Array.isArray(value)) return value.map(unknownShape);
  if (value === null || typeof value !== 'object') return false;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, unknownShape(each)]));
}

/** Text as the service receives it: `$${` becomes `${`, and `%%{` becomes `%{`. */
function unescapeInterpolation(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/([$%])\1\{/g, '$1{');
  if (Array.isArray(value)) return value.map(unescapeInterpolation);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, unescapeInterpolation(each)]),
  );
}
