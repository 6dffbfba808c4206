import type { LoadedStack } from '../../policies/model/loaded-stack.js';
import { currentPlace, type Move } from '../../kinds/stack/moved.js';

/** A stack before a change, and as the change has it. */
export interface StackVersions {
  readonly before: LoadedStack;
  readonly after: LoadedStack;
}

/** The present name of an app that has another one than before. */
interface RenamedApp {
  readonly name: string;
  /** Whether `moved` says so; otherwise it is the only app that is new, in place of the only one gone. */
  readonly isDeclared: boolean;
}

/** The apps of a stack that a change renames, by their former names. */
export function renamedApps(
  { before, after }: StackVersions,
  moves: readonly Move[],
): ReadonlyMap<string, RenamedApp> {
  const [formerNames, names] = [appNames(before), appNames(after)];
  const renamed = new Map<string, RenamedApp>();
  const stack = String(before.config.stack);
  for (const former of formerNames) {
    const { name = former } = currentPlace(moves, {
      stack,
      section: 'containerApps',
      name: former,
    });
    if (name !== former && names.includes(name)) renamed.set(former, { name, isDeclared: true });
  }
  const gone = formerNames.filter((name) => !names.includes(name) && !renamed.has(name));
  const declared = new Set([...renamed.values()].map(({ name }) => name));
  const added = names.filter((name) => !formerNames.includes(name) && !declared.has(name));
  const [onlyGone, onlyAdded] = [gone[0], added[0]];
  if (gone.length === 1 && added.length === 1 && onlyGone !== undefined && onlyAdded !== undefined)
    renamed.set(onlyGone, { name: onlyAdded, isDeclared: false });
  return renamed;
}

function appNames({ config }: LoadedStack): readonly string[] {
  return Object.keys(config.containerApps ?? {});
}
