import type { CastellanStack } from '../constructs/stack/castellan-stack.js';
import { declareContainerApps } from './declared/container-apps.js';
import type { StackDeclaration } from './declared/declared-stack.js';
import { DeclaredStack } from './declared/declared-stack.js';
import { DeclaredDirectory } from './declared/directory.js';
import { declareItems } from './declared/items.js';

/**
 * Makes the constructs that a configuration declares.
 *
 * @throws CAS2007 for a reference that leads nowhere, CAS2008 where declarations refer to each other in a circle.
 */
export function buildStack(stack: CastellanStack, declaration: StackDeclaration): void {
  const declared = new DeclaredStack(stack, declaration);
  const directory = new DeclaredDirectory(declared);
  directory.declareAll();
  directory.declareLifecyclePolicy(stack, declaration.config.groupLifecyclePolicy, declaration.config.groups);
  declareContainerApps(declared, directory);
  declareItems(declared, directory);
}
