import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { MovedAddress } from '../../stacks/engine/plan.js';
import { managedResources, type ResourceInState } from '../../stacks/engine/state-file.js';
import type { Terraform } from '../../stacks/engine/terraform.js';
import { describeMove } from './plan-summary.js';
import { type Progress, step } from './progress.js';
import type { PreparedStack, Session, StateMove } from './session.js';
import { terraformOf } from './plan-stacks.js';

/** Deletes the copies of states that a plan has read. */
export function removeCopies({ stacks }: Session): void {
  for (const { directory } of stacks)
    if (basename(dirname(directory)) === copiesFolder)
      rmSync(directory, { recursive: true, force: true });
}

const copiesFolder = 'moved';

/**
 * Whether the states in their backends are changed, once what moves was confirmed, or copies that
 * only a plan reads.
 */
export type MoveMode = 'copies' | { readonly confirm: Confirm };
/** Called with what moves before a state changes; throws to leave everything as it is. */
export type Confirm = (moved: readonly StateMove[]) => Promise<void>;

/**
 * Moves what `moved` names from the states of other stacks to those of the session, and nothing
 * else: no object changes. What was moved before, also by a run that was killed half-way, is left
 * as it is.
 *
 * @returns the session, whose stacks plan with the moved states.
 * @throws CAS2109 when a state is not known, or both states have the same resource.
 */
export async function moveStates(
  session: Session,
  mode: MoveMode,
  progress: Progress,
): Promise<Session> {
  if (session.stacks.every(({ moves }) => moves === undefined)) return session;
  const folder = mkdtempSync(join(tmpdir(), 'castellan-moved-'));
  try {
    return await step(progress, 'Move states', async (say) => {
      const states = new States(session, folder);
      const moved: StateMove[] = [];
      let isPending = false;
      // whole stacks first: what they declare may move on to another one
      for (const [stack, kind] of stepsOf(session))
        for (const part of await partsOf(stack, kind, states)) {
          isPending = true;
          await states.move(part);
          for (const { from, to } of part.addresses) {
            moved.push({
              from: { stack: part.from.name, address: from },
              to: { stack: stack.name, address: to },
            });
          }
          for (const address of part.leftOver)
            say(
              `${part.from.name}: ${address} is removed: an earlier run moved it to ${stack.name}`,
            );
        }
      if (!isPending) return session;
      for (const each of moved) say(describeMove(each));
      if (mode !== 'copies') {
        await mode.confirm(moved);
        // twice, because a run that is killed between the two must not lose what stacks exchange
        await states.saveReceiving();
        await states.removeMoved();
        await states.saveGiving();
        return { ...session, moved };
      }
      await states.removeMoved();
      const stacks = session.stacks.map((each) => states.onCopy(each));
      return { ...session, moved, stacks };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What one stack gets from another one. */
interface Part {
  readonly from: PreparedStack;
  readonly to: PreparedStack;
  /** What moves. */
  readonly addresses: readonly MovedAddress[];
  /** What a killed run has moved already, but not removed where it was. */
  readonly leftOver: readonly string[];
}

type Kind = 'stacks' | 'addresses';

function stepsOf({ stacks }: Session): readonly (readonly [PreparedStack, Kind])[] {
  return (['stacks', 'addresses'] as const).flatMap((kind) =>
    stacks.map((stack) => [stack, kind] as const),
  );
}

async function partsOf(to: PreparedStack, kind: Kind, states: States): Promise<readonly Part[]> {
  const { stacks = [], addresses = [] } = to.moves ?? {};
  const parts: Part[] = [];
  const add = async (
    name: string,
    select: (there: readonly ResourceInState[]) => readonly MovedAddress[],
  ): Promise<void> => {
    const from = states.find(name, to);
    const own = await states.resources(to);
    if (from === undefined) {
      const wanted = select([]).find((each) => !own.has(each.to));
      if (wanted === undefined) return;
      throw new CastellanError(
        'CAS2109',
        `moved takes ${wanted.from} from the stack ${name}, whose state is not known here`,
      );
    }
    const there = await states.resources(from);
    const pending = select([...there.values()]).filter((each) => there.has(each.from));
    const doubles = pending.filter((each) => own.has(each.to));
    for (const each of doubles) requireSame(each, there, own, [name, to.name]);
    if (pending.length > 0)
      parts.push({
        from,
        to,
        addresses: pending.filter((each) => !doubles.includes(each)),
        leftOver: doubles.map((each) => each.from),
      });
  };
  for (const name of kind === 'stacks' ? stacks : [])
    await add(name, (there) => there.map(addressOf).map((each) => ({ from: each, to: each })));
  const sources = kind === 'addresses' ? addresses.map(({ stack }) => stack) : [];
  for (const name of new Set(sources))
    await add(name, () => addresses.filter(({ stack }) => stack === name));
  return parts;
}

function requireSame(
  { from, to }: MovedAddress,
  there: ReadonlyMap<string, ResourceInState>,
  own: ReadonlyMap<string, ResourceInState>,
  [source, target]: readonly [string, string],
): void {
  const idsOf = (resource: ResourceInState | undefined): string =>
    JSON.stringify(resource?.instances.map(({ attributes }) => attributes?.id));
  if (idsOf(there.get(from)) !== idsOf(own.get(to)))
    throw new CastellanError(
      'CAS2109',
      `${source} has ${from} and ${target} has ${to}, which are different objects: remove one from its state, or the entry in moved`,
    );
}

const addressOf = ({ type, name }: ResourceInState): string => `${type}.${name}`;

/** The backend of a stack by that of another one, if the other one's has its stack's name. */
function backendOf(name: string, { name: other, file }: PreparedStack): object | undefined {
  const { terraform } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly terraform: { readonly backend: object };
  };
  const named = new RegExp(`(?<![A-Za-z0-9-])${other}(?![A-Za-z0-9])`, 'g');
  let isNamed = false;
  const backend = JSON.parse(JSON.stringify(terraform.backend), (key, value: unknown) => {
    if (typeof value !== 'string' || !namesOfStates.has(key) || !value.match(named)) return value;
    isNamed = true;
    return value.replace(named, name);
  }) as object;
  return isNamed ? backend : undefined;
}

/** The settings of backends that tell states apart. */
const namesOfStates: ReadonlySet<string> = new Set(['path', 'key', 'name', 'prefix']);

/** The states of the stacks, as copies in a folder until they are saved. */
class States {
  readonly #copies = new Map<string, { readonly stack: PreparedStack; readonly file: string }>();
  readonly #parts: Part[] = [];

  constructor(
    private readonly session: Session,
    private readonly folder: string,
  ) {}

  /**
   * A stack by its name. One that is not planned now is known by its last run, or its state is
   * where that of the other stack is, under its name.
   */
  find(name: string, beside: PreparedStack): PreparedStack | undefined {
    const planned = this.session.stacks.find((each) => each.name === name);
    if (planned !== undefined) return planned;
    const directory = join(dirname(beside.directory), name);
    const earlier = { ...beside, name, directory, file: join(directory, 'cdk.tf.json') };
    if (existsSync(earlier.file)) return earlier;
    const backend = backendOf(name, beside);
    if (backend === undefined) return undefined;
    mkdirSync(directory, { recursive: true });
    writeFileSync(earlier.file, JSON.stringify({ terraform: { backend } }));
    return earlier;
  }

  /** What a stack has, without what moves to another one. */
  async resources(stack: PreparedStack): Promise<ReadonlyMap<string, ResourceInState>> {
    const gone = new Set(this.#goneFrom(stack.name));
    const resources = managedResources(await this.#copyOf(stack)).map(
      (each) => [addressOf(each), each] as const,
    );
    return new Map(resources.filter(([address]) => !gone.has(address)));
  }

  #goneFrom(name: string): readonly string[] {
    return this.#parts
      .filter(({ from }) => from.name === name)
      .flatMap(({ addresses, leftOver }) => [...addresses.map((each) => each.from), ...leftOver]);
  }

  async #copyOf(stack: PreparedStack): Promise<string> {
    const known = this.#copies.get(stack.name);
    if (known !== undefined) return known.file;
    const file = `${stack.name}.tfstate`;
    const engine = this.#engineOf(stack);
    await engine.init();
    const text = await engine.pullState();
    if (text.trim() !== '') writeFileSync(join(this.folder, file), text, { mode: 0o600 });
    const copy = { stack, file: join(this.folder, file) };
    this.#copies.set(stack.name, copy);
    return copy.file;
  }

  /** Adds resources to the copy of the receiving state; {@link removeMoved} takes them away. */
  async move(part: Part): Promise<void> {
    const [from, to] = [await this.#copyOf(part.from), await this.#copyOf(part.to)];
    const giving = join(this.folder, 'giving.tfstate');
    cpSync(from, giving);
    await this.#engineOf({ ...part.to, directory: this.folder }).moveState(
      giving,
      to,
      part.addresses,
    );
    this.#parts.push(part);
  }

  async saveReceiving(): Promise<void> {
    const receiving = this.#parts.filter(({ addresses }) => addresses.length > 0);
    for (const stack of new Set(receiving.map(({ to }) => to))) {
      const file = await this.#save(stack);
      // a file as the backend has another serial once it is written
      writeFileSync(file, await this.#engineOf(stack).pullState());
    }
  }

  async saveGiving(): Promise<void> {
    for (const stack of this.#giving()) await this.#save(stack);
  }

  async #save(stack: PreparedStack): Promise<string> {
    const file = await this.#copyOf(stack);
    await this.#engineOf(stack).pushState(file);
    return file;
  }

  /** Removes what moved from the copies of the giving states. */
  async removeMoved(): Promise<void> {
    for (const stack of this.#giving())
      await this.#engineOf({ ...stack, directory: this.folder }).removeFromState(
        this.#goneFrom(stack.name),
        await this.#copyOf(stack),
      );
  }

  #giving(): readonly PreparedStack[] {
    return [...new Map(this.#parts.map(({ from }) => [from.name, from])).values()];
  }

  #engineOf(stack: PreparedStack): Terraform {
    return terraformOf(stack, this.session, () => undefined);
  }

  /** A stack that plans with the copy of its state. */
  onCopy(stack: PreparedStack): PreparedStack {
    const copy = this.#copies.get(stack.name);
    if (copy === undefined) return stack;
    const directory = join(dirname(dirname(stack.directory)), copiesFolder, stack.name);
    rmSync(directory, { recursive: true, force: true });
    cpSync(stack.directory, directory, {
      recursive: true,
      filter: (path) => basename(path) !== '.terraform',
    });
    const file = join(directory, 'cdk.tf.json');
    const json = JSON.parse(readFileSync(file, 'utf8')) as { terraform: object };
    const state = join(directory, 'moved.tfstate');
    if (existsSync(copy.file)) cpSync(copy.file, state);
    const backend = { local: { path: state } };
    writeFileSync(file, JSON.stringify({ ...json, terraform: { ...json.terraform, backend } }));
    return { ...stack, directory, file };
  }
}
