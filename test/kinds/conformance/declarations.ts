import type { TSchema } from '@sinclair/typebox';
import { type NodeListName, nodeLists, nodeTypes } from '../../../kinds/eventstream/nodes/index.js';
import { declaredNodeSchema } from '../../../kinds/eventstream/declared-nodes.js';
import { groupLifecyclePolicy } from '../../../kinds/group/lifecycle-policy.js';
import { type Section, sections } from '../../../kinds/stack/schema.js';
import { idOf, sampleOf } from './sample-values.js';

/**
 * Something that may be declared: its description, and one valid declaration in which a value at a
 * time is changed.
 */
export interface Declarable {
  readonly label: string;
  readonly schema: TSchema;
  readonly base: object;
  /** The configuration of a stack that declares it. */
  readonly configOf: (declaration: unknown) => object;
  /** Whether Terraform gets all of it, as a document; otherwise what its description names. */
  readonly isDocument: boolean;
}

type Node = Readonly<Record<string, unknown>>;

/**
 * One valid declaration of each kind; a kind of a new section doesn't compile until it has its
 * line.
 */
const validDeclarations: Readonly<Record<Section, object>> = {
  principals: { user: 'ada@thing.example' },
  registrations: { displayName: 'Thing' },
  environments: { name: 'thing' },
  containerApps: {
    // a container beside its own may not have its name, and the samples are called thing
    name: 'app',
    image: 'thing:1',
    targetPort: 80,
    cpu: 0.25,
    memory: '0.5Gi',
    ingress: { external: true },
    secrets: { kept: '${env:THING}' },
  },
  groups: { kind: 'unified', displayName: 'Thing', mailNickname: 'thing' },
  workspaces: { displayName: 'Thing', capacityId: idOf(0) },
  eventhouses: { workspace: idOf(0), displayName: 'Thing' },
  eventstreams: { workspace: idOf(0), displayName: 'Thing' },
};

/** What has to be declared beside it: principals are only looked up for those who name them. */
const requiredSections: Partial<Readonly<Record<Section, object>>> = {
  principals: {
    groups: {
      other: { kind: 'security', displayName: 'Other', owners: [idOf(0)], members: ['thing'] },
    },
  },
};

const stackOf = (otherSections: object): object => ({
  version: 1,
  stack: 'thing',
  azure: { location: 'westeurope' },
  ...otherSections,
});

/**
 * The sign-in of an app is tried by itself: with it, other properties of the app have other limits.
 */
const { auth, ...properties } = sections.containerApps.properties;
const withoutSignIn: TSchema = { ...sections.containerApps, properties };

const kinds = (Object.keys(sections) as Section[]).map((section): Declarable => ({
  label: section,
  schema: section === 'containerApps' ? withoutSignIn : sections[section],
  base: validDeclarations[section],
  isDocument: false,
  configOf: (declaration) =>
    stackOf({ [section]: { thing: declaration }, ...requiredSections[section] }),
}));

const signIn: Declarable = {
  label: 'sign-in of containerApps',
  schema: auth as TSchema,
  base: { providers: { codehost: { clientId: 'thing', clientSecret: 'secret:kept' } } },
  isDocument: false,
  configOf: (auth) =>
    stackOf({ containerApps: { thing: { ...validDeclarations.containerApps, auth } } }),
};

const lifecyclePolicy: Declarable = {
  label: 'groupLifecyclePolicy',
  schema: groupLifecyclePolicy.schema,
  base: { groupLifetimeInDays: 180, managedGroupTypes: 'All' },
  isDocument: false,
  configOf: (declaration) => stackOf({ groupLifecyclePolicy: declaration }),
};

/** Nodes that a description alone can't make: what one needs depends on the others. */
const validNodes: Readonly<Record<string, Node>> = {
  Join: { inputNodes: ['in', 'other'] },
  Eventhouse: { eventhouse: idOf(0) },
};

const inputs = ['in', 'other'].map((name) => ({
  name,
  type: 'SampleData',
  properties: { type: 'Bicycles' },
}));
const nodesOf = (list: NodeListName): readonly Declarable[] =>
  Object.keys(nodeTypes[list]).map((type, index): Declarable => {
    const schema = declaredNodeSchema(list).anyOf?.[index] as TSchema;
    const inputProperties = list === 'sources' ? {} : { inputNodes: ['in'] };
    const base: Node = { ...(sampleOf(schema) as Node), ...inputProperties, ...validNodes[type] };
    return {
      label: `${type} of ${list}`,
      schema,
      base,
      isDocument: true,
      configOf: (node) => {
        const definition = { sources: inputs, [list]: [node] };
        return stackOf({
          eventstreams: { thing: { ...validDeclarations.eventstreams, definition } },
        });
      },
    };
  });

/** Everything that may be declared: each section, and each type of node of an eventstream. */
export const declarables: readonly Declarable[] = [
  ...kinds,
  signIn,
  lifecyclePolicy,
  ...nodeLists.flatMap(nodesOf),
];
