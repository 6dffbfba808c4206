import { join } from 'node:path';
import type { SourceLocation } from '../../core/findings/finding.js';
import { CastellanConstruct } from './castellan-construct.js';
import type { Construct, IConstruct } from './cdktf.js';
import { creationFrame } from './creation-frame.js';

/** Resources that this package creates have no line of the program. */
const ownFolder = join(__dirname, '../');

const created = new WeakMap<IConstruct, SourceLocation>();

/** Called for every created construct. */
type Listener = (child: Construct) => void;

const listeners = new WeakMap<object, Set<Listener>>();

/**
 * From now on records the program line that creates each Terraform resource in a scope;
 * cdktf records no such line. Constructs of this package record theirs themselves.
 *
 * @param onCreation called for every construct created in the scope, after it has its place in the
 *   tree and before it has children.
 */
export function recordCreations(scope: IConstruct, onCreation?: Listener): void {
  const known = watch(scope.node);
  if (onCreation !== undefined) known.add(onCreation);
}

/** The line that created a resource, if recorded. */
export function recordedCreation(resource: IConstruct): SourceLocation | undefined {
  return created.get(resource);
}

/** The method of a construct's node that every new child passes through. */
interface Parent {
  addChild(child: Construct, name: string): void;
}

function watch(node: object): Set<Listener> {
  const known = listeners.get(node);
  if (known !== undefined) return known;
  const own = new Set<Listener>();
  listeners.set(node, own);
  const parent = node as Parent;
  const addChild = parent.addChild.bind(node);
  parent.addChild = (child, name) => {
    addChild(child, name);
    if (child instanceof CastellanConstruct) return;
    remember(child);
    watchOnce(child, own);
  };
  return own;
}

function remember(child: Construct): void {
  const { tfResourceType } = child.constructor as { readonly tfResourceType?: unknown };
  if (typeof tfResourceType !== 'string') return;
  const location = creationFrame(child.constructor as unknown as (...args: never[]) => unknown);
  if (location !== undefined && !location.file.startsWith(ownFolder)) created.set(child, location);
}

/** A child has no node yet when it is added to its parent: it is observed as soon as it has one. */
function watchOnce(child: Construct, inherited: ReadonlySet<Listener>): void {
  const define = (node: unknown): void => {
    Object.defineProperty(child, 'node', {
      value: node,
      writable: true,
      enumerable: true,
      configurable: true,
    });
    if (node === null || typeof node !== 'object') return;
    const own = watch(node);
    for (const listener of inherited) {
      own.add(listener);
      listener(child);
    }
  };
  Object.defineProperty(child, 'node', { configurable: true, get: () => undefined, set: define });
}
