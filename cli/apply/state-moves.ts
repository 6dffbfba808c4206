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
import type { MovedAddress } from '../../stacks/terraform/plan.js';
import { readManagedResources, type ResourceInState } from '../../stacks/terraform/state-file.js';
import type { Terraform } from '../../stacks/terraform/terraform.js';
import { describeMove } from './plan-summary.js';
import { type Progress, runTask } from './progress.js';
import type { RunnableStack, ApplySession, StateMove } from './session.js';
import { terraformOf } from './plan-stacks.js';

/** Deletes the copies of states that were made for a plan. */
export function removeStateCopies({ stacks }: ApplySession): void {
  for (const { directory } of stacks)
    if (basename(dirname(directory)) === copiesFolder)
      rmSync(directory, { recursive: true, force: true });
}

const copiesFolder = 'moved';

/**
 * What is changed: copies of the states, which only a plan reads, or, after a confirmation, the
 * states in their backends.
 */
export type MoveMode = 'copies' | { readonly confirm: ConfirmMoves };
/** Called with the moves before a state changes; throws to leave all states unchanged. */
export type ConfirmMoves = (moves: readonly StateMove[]) => Promise<void>;

/**
 * Moves the resources that `moved` names from the states of other stacks to those of the session.
 * No object changes. Resources that an earlier run moved, also one that was killed half-way, stay
 * where they are.
 *
 * @returns the session, whose stacks plan with the moved states.
 * @throws CAS2109 when a state is not known, or both states have the same resource.
 */
export async function moveStates(
  session: ApplySession,
  mode: MoveMode,
  progress: Progress,
): Promise<ApplySession> {
  if (session.stacks.every(({ moves }) => moves === undefined)) return session;
  const folder = mkdtempSync(join(tmpdir(), 'castellan-moved-'));
  try {
    return await runTask(progress, 'Move states', async (printLine) => {
      const copies = new StateCopies(session, folder);
      const moves: StateMove[] = [];
      let hasTransfers = false;
      // whole stacks first: their resources may move on to another stack
      for (const [stack, kind] of moveSteps(session))
        for (const transfer of await transfersTo(stack, kind, copies)) {
          hasTransfers = true;
          await copies.move(transfer);
          for (const { from, to } of transfer.addresses) {
            moves.push({
              from: { stack: transfer.from.name, address: from },
              to: { stack: stack.name, address: to },
            });
          }
          for (const address of transfer.alreadyMoved)
            printLine(
              `${transfer.from.name}: ${address} is removed: an earlier run moved it to ${stack.name}`,
            );
        }
      if (!hasTransfers) return session;
      for (const move of moves) printLine(describeMove(move));
      if (mode !== 'copies') {
        await mode.confirm(moves);
        // the targets are saved first (a stack that is both is saved twice), so that a run that is
        // killed in between loses no resource
        await copies.saveTargets();
        await copies.removeMovedResources();
        await copies.saveSources();
        return { ...session, moves };
      }
      await copies.removeMovedResources();
      const stacks = session.stacks.map((each) => copies.withStateCopy(each));
      return { ...session, moves, stacks };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The resources that move from the state of one stack to that of another. */
interface StateTransfer {
  /** The stack whose state has the resources. */
  readonly from: RunnableStack;
  /** The stack that declares them now. */
  readonly to: RunnableStack;
  /** The addresses before and after. */
  readonly addresses: readonly MovedAddress[];
  /** Addresses that a killed run has added to the target, but not removed from the source. */
  readonly alreadyMoved: readonly string[];
}

/** Whether `moved` names whole stacks or single addresses. */
type MoveKind = 'stacks' | 'addresses';

/** The stacks with the kinds of their moves, in the order in which they move. */
function moveSteps({ stacks }: ApplySession): readonly (readonly [RunnableStack, MoveKind])[] {
  return (['stacks', 'addresses'] as const).flatMap((kind) =>
    stacks.map((stack) => [stack, kind] as const),
  );
}

/** The transfers of one kind to a stack that are still to be done. */
async function transfersTo(
  targetStack: RunnableStack,
  kind: MoveKind,
  copies: StateCopies,
): Promise<readonly StateTransfer[]> {
  const { stacks = [], addresses = [] } = targetStack.moves ?? {};
  const transfers: StateTransfer[] = [];
  const addTransfers = async (
    name: string,
    select: (sourceResources: readonly ResourceInState[]) => readonly MovedAddress[],
  ): Promise<void> => {
    const sourceStack = copies.find(name, targetStack);
    const targetResources = await copies.resources(targetStack);
    if (sourceStack === undefined) {
      const missingMove = select([]).find((each) => !targetResources.has(each.to));
      if (missingMove === undefined) return;
      throw new CastellanError(
        'CAS2109',
        `moved takes ${missingMove.from} from the stack ${name}, whose state is not known here`,
      );
    }
    const sourceResources = await copies.resources(sourceStack);
    const pendingMoves = select([...sourceResources.values()]).filter((each) =>
      sourceResources.has(each.from),
    );
    const duplicates = pendingMoves.filter((each) => targetResources.has(each.to));
    for (const each of duplicates)
      requireSameObject(each, sourceResources, targetResources, [name, targetStack.name]);
    if (pendingMoves.length > 0)
      transfers.push({
        from: sourceStack,
        to: targetStack,
        addresses: pendingMoves.filter((each) => !duplicates.includes(each)),
        alreadyMoved: duplicates.map((each) => each.from),
      });
  };
  for (const name of kind === 'stacks' ? stacks : [])
    await addTransfers(name, (sourceResources) =>
      sourceResources.map(addressOf).map((each) => ({ from: each, to: each })),
    );
  const sourceNames = kind === 'addresses' ? addresses.map(({ stack }) => stack) : [];
  for (const name of new Set(sourceNames))
    await addTransfers(name, () => addresses.filter(({ stack }) => stack === name));
  return transfers;
}

/** @throws CAS2109 when an address of both states is not the same object */
function requireSameObject(
  { from, to }: MovedAddress,
  sourceResources: ReadonlyMap<string, ResourceInState>,
  targetResources: ReadonlyMap<string, ResourceInState>,
  [source, target]: readonly [string, string],
): void {
  const idsOf = (resource: ResourceInState | undefined): string =>
    JSON.stringify(resource?.instances.map(({ attributes }) => attributes?.id));
  if (idsOf(sourceResources.get(from)) !== idsOf(targetResources.get(to)))
    throw new CastellanError(
      'CAS2109',
      `${source} has ${from} and ${target} has ${to}, which are different objects: remove one from its state, or the entry in moved`,
    );
}

const addressOf = ({ type, name }: ResourceInState): string => `${type}.${name}`;

/**
 * The backend of a stack, made from that of another one by replacing the other stack's name;
 * undefined if the backend does not have that name.
 */
function renamedBackend(
  name: string,
  { name: otherName, file }: RunnableStack,
): object | undefined {
  const { terraform } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly terraform: { readonly backend: object };
  };
  const otherNamePattern = new RegExp(`(?<![A-Za-z0-9-])${otherName}(?![A-Za-z0-9])`, 'g');
  let isNamed = false;
  const backend = JSON.parse(JSON.stringify(terraform.backend), (key, value: unknown) => {
    if (typeof value !== 'string' || !stateNameSettings.has(key) || !value.match(otherNamePattern))
      return value;
    isNamed = true;
    return value.replace(otherNamePattern, name);
  }) as object;
  return isNamed ? backend : undefined;
}

/** The settings of backends that distinguish states. */
const stateNameSettings: ReadonlySet<string> = new Set(['path', 'key', 'name', 'prefix']);

/** The states of the stacks, as copies in a folder until they are saved. */
class StateCopies {
  readonly #copies = new Map<string, { readonly stack: RunnableStack; readonly file: string }>();
  readonly #transfers: StateTransfer[] = [];

  constructor(
    private readonly session: ApplySession,
    private readonly folder: string,
  ) {}

  /**
   * A stack by its name. A stack that this command does not plan is found by its last synthesis, or
   * by the backend of the receiving stack with the name replaced.
   */
  find(name: string, receiver: RunnableStack): RunnableStack | undefined {
    const plannedStack = this.session.stacks.find((each) => each.name === name);
    if (plannedStack !== undefined) return plannedStack;
    const directory = join(dirname(receiver.directory), name);
    const unplannedStack = { ...receiver, name, directory, file: join(directory, 'cdk.tf.json') };
    if (existsSync(unplannedStack.file)) return unplannedStack;
    const backend = renamedBackend(name, receiver);
    if (backend === undefined) return undefined;
    mkdirSync(directory, { recursive: true });
    writeFileSync(unplannedStack.file, JSON.stringify({ terraform: { backend } }));
    return unplannedStack;
  }

  /** The resources of a stack by address, without those that move to another stack. */
  async resources(stack: RunnableStack): Promise<ReadonlyMap<string, ResourceInState>> {
    const movedAddresses = new Set(this.#addressesMovedFrom(stack.name));
    const resources = readManagedResources(await this.#copyOf(stack)).map(
      (each) => [addressOf(each), each] as const,
    );
    return new Map(resources.filter(([address]) => !movedAddresses.has(address)));
  }

  #addressesMovedFrom(name: string): readonly string[] {
    return this.#transfers
      .filter(({ from }) => from.name === name)
      .flatMap(({ addresses, alreadyMoved }) => [
        ...addresses.map((each) => each.from),
        ...alreadyMoved,
      ]);
  }

  async #copyOf(stack: RunnableStack): Promise<string> {
    const existing = this.#copies.get(stack.name);
    if (existing !== undefined) return existing.file;
    const file = `${stack.name}.tfstate`;
    const terraform = this.#terraformOf(stack);
    await terraform.init();
    const text = await terraform.pullState();
    if (text.trim() !== '') writeFileSync(join(this.folder, file), text, { mode: 0o600 });
    const copy = { stack, file: join(this.folder, file) };
    this.#copies.set(stack.name, copy);
    return copy.file;
  }

  /**
   * Adds resources to the copy of the target's state; {@link removeMovedResources} removes them
   * from the source's.
   */
  async move(transfer: StateTransfer): Promise<void> {
    const [from, to] = [await this.#copyOf(transfer.from), await this.#copyOf(transfer.to)];
    const sourceCopy = join(this.folder, 'source.tfstate');
    cpSync(from, sourceCopy);
    await this.#terraformOf({ ...transfer.to, directory: this.folder }).moveState(
      sourceCopy,
      to,
      transfer.addresses,
    );
    this.#transfers.push(transfer);
  }

  /** Saves the states that resources were added to. */
  async saveTargets(): Promise<void> {
    const transfers = this.#transfers.filter(({ addresses }) => addresses.length > 0);
    for (const stack of new Set(transfers.map(({ to }) => to))) {
      const file = await this.#save(stack);
      // a push changes the serial of the state: the copy needs the new one for the next push
      writeFileSync(file, await this.#terraformOf(stack).pullState());
    }
  }

  /** Saves the states that resources were removed from. */
  async saveSources(): Promise<void> {
    for (const stack of this.#sources()) await this.#save(stack);
  }

  async #save(stack: RunnableStack): Promise<string> {
    const file = await this.#copyOf(stack);
    await this.#terraformOf(stack).pushState(file);
    return file;
  }

  /** Removes the moved resources from the copies of the source states. */
  async removeMovedResources(): Promise<void> {
    for (const stack of this.#sources())
      await this.#terraformOf({ ...stack, directory: this.folder }).removeFromState(
        this.#addressesMovedFrom(stack.name),
        await this.#copyOf(stack),
      );
  }

  #sources(): readonly RunnableStack[] {
    return [...new Map(this.#transfers.map(({ from }) => [from.name, from])).values()];
  }

  #terraformOf(stack: RunnableStack): Terraform {
    return terraformOf(stack, this.session, () => undefined);
  }

  /** A stack that plans with the copy of its state. */
  withStateCopy(stack: RunnableStack): RunnableStack {
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
