import type { TProperties, TSchema } from '@sinclair/typebox';
import { containerApp } from '../../kinds/container-app/container-app.js';
import { containerAppEnvironment } from '../../kinds/container-app/environment.js';
import { eventhouse } from '../../kinds/eventhouse/eventhouse.js';
import { eventstream } from '../../kinds/eventstream/eventstream.js';
import { group } from '../../kinds/group/group.js';
import { registration } from '../../kinds/registration/registration.js';
import { metadataOf } from '../../kinds/schema/property-metadata.js';
import { valueAtPath, stepsOf } from '../../kinds/schema/path-steps.js';
import { azureSchema } from '../../kinds/stack/azure.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import { type Declaration, isDynamic, isUnified } from './stack-index.js';

/**
 * A change that replaces a resource: of which property, from and to which value, and what is lost.
 */
export interface ReplacingChange {
  /** The name in the declaration; `azure.NAME` for a setting of the stack. */
  readonly property: string;
  /** The previous value, or a word for it, such as `declared`; undefined for none. */
  readonly before: unknown;
  readonly now: unknown;
  /** What is lost when the resource is replaced, in words. */
  readonly loss: string;
}

/** The replaceable kinds, by section. */
const kinds = {
  groups: group,
  registrations: registration,
  environments: containerAppEnvironment,
  containerApps: containerApp,
  eventhouses: eventhouse,
  eventstreams: eventstream,
} as const;

/** A section with replaceable resources. */
export type ReplacedSection = keyof typeof kinds;

type ComputedValues = {
  readonly [Name in ReplacedSection]?: Readonly<
    Record<string, (declared: Declaration<Name>) => unknown>
  >;
};

const nameInCloud = ({ name, value }: Declaration<'containerApps' | 'environments'>): string =>
  value.name ?? name;
/**
 * The official provider has no sensitivity labels: an item with a label is a resource of
 * Castellan's own provider.
 */
const label = ({ value }: Declaration<'eventhouses' | 'eventstreams'>): string | undefined =>
  value.sensitivityLabelSettings === undefined ? undefined : 'a label';

/** Properties whose value depends on more than their declaration. */
const computedValues: ComputedValues = {
  groups: {
    kind: ({ value }) => (isUnified(value) ? 'unified' : 'security'),
    mailNickname: ({ name, value }) => value.mailNickname ?? name,
    dynamicMembership: ({ value }) => (isDynamic(value) ? 'a rule' : 'members'),
  },
  environments: { name: nameInCloud },
  containerApps: { name: nameInCloud },
  eventhouses: { sensitivityLabelSettings: label },
  eventstreams: { sensitivityLabelSettings: label },
};

/**
 * The changes between two declarations for which the official providers delete the resource and
 * create another one: those of properties whose description says so. Apps and environments are in
 * the resource group of the stack, whose change replaces them as well.
 */
export function replacingChanges<Name extends ReplacedSection>(
  before: DeclarationWithSettings<Name>,
  now: DeclarationWithSettings<Name>,
): readonly ReplacingChange[] {
  const { section } = now.declaration;
  const ownChanges = changesBetween(valuesOf(before), valuesOf(now));
  if (section === 'registrations')
    return registrationTypeChange(ownChanges, valuesOf(before), valuesOf(now));
  if (section !== 'environments' && section !== 'containerApps') return ownChanges;
  const placementChanges = changesBetween(
    azurePlacement(before.settings),
    azurePlacement(now.settings),
  );
  return [
    ...ownChanges,
    ...placementChanges.map((change) => ({ ...change, property: `azure.${change.property}` })),
  ];
}

/** A declaration, with the settings of its stack. */
interface DeclarationWithSettings<Name extends ReplacedSection> {
  readonly declaration: Declaration<Name>;
  readonly settings: Partial<StackConfig>;
}

interface Value {
  /** A list is one text with its entries in alphabetical order. */
  readonly value: unknown;
  /** What is lost when the resource is replaced, in words. */
  readonly loss: string;
}
type Values = ReadonlyMap<string, Value>;

function valuesOf<Name extends ReplacedSection>({
  declaration,
}: DeclarationWithSettings<Name>): Values {
  const { section, value } = declaration;
  const computed = (computedValues[section] ?? {}) as Readonly<
    Record<string, (declared: Declaration<Name>) => unknown>
  >;
  return replacingValues(kinds[section].properties, (name, schema) => {
    if (computed[name] !== undefined) return computed[name](declaration);
    const { api = name, conflictsWith } = metadataOf(schema);
    // the API's own path may be declared instead of ours; a value that excludes this property
    // leaves it undeclared
    const initial: unknown = conflictsWith === undefined ? schema['default'] : undefined;
    return value[name as keyof typeof value] ?? valueAtPath(value, stepsOf(api)) ?? initial;
  });
}

function azurePlacement({ azure = {} }: Partial<StackConfig>): Values {
  const { location, resourceGroup } = azure;
  // regions are equal in any letter case and with or without spaces
  const place: Readonly<Record<string, unknown>> = {
    // a group that the stack created is deleted when it becomes one that exists
    resourceGroup:
      typeof resourceGroup === 'object' ? `existing ${resourceGroup.existing}` : resourceGroup,
    location: location?.toLowerCase().replaceAll(' ', ''),
  };
  return replacingValues(azureSchema.properties, (name) => place[name]);
}

/** The values of the properties whose change replaces the resource. */
function replacingValues(
  properties: TProperties,
  read: (name: string, schema: TSchema) => unknown,
): Values {
  const entries = Object.entries(properties).flatMap(
    ([name, schema]): readonly (readonly [string, Value])[] => {
      const { replacementLoses } = metadataOf(schema);
      if (replacementLoses === undefined) return [];
      const value = read(name, schema);
      return [
        [
          name,
          {
            value:
              schema['type'] === 'array'
                ? [...((value ?? []) as readonly string[])].sort().join(' ')
                : value,
            loss: replacementLoses,
          },
        ],
      ];
    },
  );
  return new Map(entries);
}

function changesBetween(before: Values, now: Values): readonly ReplacingChange[] {
  return [...now].flatMap(([property, { value, loss }]) => {
    const previousValue = before.get(property)?.value;
    return previousValue === value ? [] : [{ property, before: previousValue, now: value, loss }];
  });
}

/**
 * The change of a registration's resource type: it is an `azuread_application` if it declares one
 * of these properties, otherwise an `azuread_application_registration`.
 */
function registrationTypeChange(
  changes: readonly ReplacingChange[],
  before: Values,
  now: Values,
): readonly ReplacingChange[] {
  const hasAnyValue = (values: Values): boolean =>
    [...values.values()].some(({ value }) => value !== '' && value !== undefined);
  if (hasAnyValue(before) === hasAnyValue(now)) return [];
  const declaredIf = (isDeclared: boolean): string | undefined =>
    isDeclared ? 'declared' : undefined;
  return changes.slice(0, 1).map((change) => ({
    ...change,
    before: declaredIf(hasAnyValue(before)),
    now: declaredIf(hasAnyValue(now)),
  }));
}
