import { join } from 'node:path';
import type { SourceLocation } from '../../core/findings/finding.js';
import { CastellanConstruct } from './castellan-construct.js';
import type { Construct, IConstruct } from './cdktf.js';
import { callerLocation } from './caller-location.js';
import { isStack } from './stack-nodes.js';

/** The folder of the constructs: no line is recorded for resources that its code creates. */
const constructsFolder = join(__dirname, '../');

const creationLocations = new WeakMap<IConstruct, SourceLocation>();

/** Called for every created construct. */
type CreationListener = (child: Construct) => void;

/** The listeners by the node of the construct that they observe. */
const listenersByNode = new WeakMap<object, Set<CreationListener>>();

/**
 * Starts recording the line of the program that creates each Terraform resource and each stack in a
 * scope, which cdktf does not record. Constructs of this package record theirs themselves.
 *
 * @param onCreation called for every construct created in the scope, after it has its place in the
 *   tree and before it has children.
 */
export function recordCreations(scope: IConstruct, onCreation?: CreationListener): void {
  const nodeListeners = observeChildren(scope.node);
  if (onCreation !== undefined) nodeListeners.add(onCreation);
}

/** The line that created a resource or a stack, if recorded. */
export function creationLocationOf(construct: IConstruct): SourceLocation | undefined {
  return creationLocations.get(construct);
}

/** A construct's node: every new child passes through this method. */
interface ParentNode {
  addChild(child: Construct, name: string): void;
}

function observeChildren(node: object): Set<CreationListener> {
  const existing = listenersByNode.get(node);
  if (existing !== undefined) return existing;
  const nodeListeners = new Set<CreationListener>();
  listenersByNode.set(node, nodeListeners);
  const parent = node as ParentNode;
  const addChild = parent.addChild.bind(node);
  parent.addChild = (child, name) => {
    addChild(child, name);
    if (child instanceof CastellanConstruct) return;
    if (isResource(child) || isStack(child)) recordCreation(child);
    observeOnceItHasNode(child, nodeListeners);
  };
  return nodeListeners;
}

/** Records the line of the program that creates a construct; for its constructor to call. */
export function recordCreation(construct: Construct): void {
  const location = callerLocation(
    construct.constructor as unknown as (...args: never[]) => unknown,
  );
  if (location !== undefined && !location.file.startsWith(constructsFolder))
    creationLocations.set(construct, location);
}

/** Whether a construct is a resource, a data source or a provider of a binding. */
function isResource({ constructor }: Construct): boolean {
  return typeof (constructor as { readonly tfResourceType?: unknown }).tfResourceType === 'string';
}

/** Observes a child as soon as it has a node: when it is added to its parent, it has none yet. */
function observeOnceItHasNode(child: Construct, inherited: ReadonlySet<CreationListener>): void {
  const setNode = (node: unknown): void => {
    Object.defineProperty(child, 'node', {
      value: node,
      writable: true,
      enumerable: true,
      configurable: true,
    });
    if (node === null || typeof node !== 'object') return;
    const childListeners = observeChildren(node);
    for (const listener of inherited) {
      childListeners.add(listener);
      listener(child);
    }
  };
  Object.defineProperty(child, 'node', { configurable: true, get: () => undefined, set: setNode });
}
