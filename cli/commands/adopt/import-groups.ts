import { readFileSync } from 'node:fs';
import type { ApplyOptions } from '../../apply/options.js';
import { createProgress, type PrintLine, runTask } from '../../apply/progress.js';
import { checkStacks } from '../../apply/check-stacks.js';
import { openSession } from '../../apply/open-session.js';
import { terraformOf } from '../../apply/plan-stacks.js';
import { withApplyLock } from '../../apply/apply-lock.js';
import type { CliIo } from '../../command.js';
import type { Terraform } from '../../../stacks/terraform/terraform.js';

/**
 * Imports adopted groups into the Terraform state of their stack, so that a plan shows no changes.
 * Resources in the state are skipped.
 *
 * @param groupIds the object id of each group, by its name in the stack.
 * @param options those of the stack: its configuration, target and environment.
 * @returns the number of imported groups and properties.
 */
export async function importGroups(
  groupIds: ReadonlyMap<string, string>,
  options: ApplyOptions,
  io: CliIo,
): Promise<number> {
  const progress = createProgress(io);
  const loadedStacks = await checkStacks(options, io, progress, 'plan');
  return withApplyLock(options, io, async () => {
    const session = await openSession(loadedStacks, options, io, progress);
    let count = 0;
    for (const stack of session.stacks)
      count += await runTask(
        progress,
        `Take ${groupIds.size} ${groupIds.size === 1 ? 'group' : 'groups'} into the state of ${stack.name}`,
        (printLine) =>
          importInto(
            terraformOf(stack, session, printLine),
            importsOf(readFileSync(stack.file, 'utf8'), groupIds),
            printLine,
          ),
      );
    return count;
  });
}

/** Imports what the state lacks. @returns the number of imported resources */
async function importInto(
  terraform: Terraform,
  imports: readonly Import[],
  printLine: PrintLine,
): Promise<number> {
  await terraform.init();
  const existingAddresses = new Set(await terraform.stateList());
  const missing = imports.filter(({ address }) => !existingAddresses.has(address));
  for (const { address, id } of missing) {
    printLine(address);
    await terraform.import(address, id);
  }
  return missing.length;
}

/** An object to import into the state. */
export interface Import {
  /** Terraform's address: `azuread_group.sales`. */
  readonly address: string;
  /** The id that `terraform import` takes: `/groups/ID` for an `azuread_group`. */
  readonly id: string;
}

type Resources = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>
>;

const groupTypes = ['azuread_group', 'azuread_group_without_members'];

/**
 * The addresses of adopted groups in the synthesized Terraform JSON of their stack: the group
 * itself, and the resources beside it for properties that the official provider lacks.
 */
export function importsOf(
  terraformJson: string,
  groupIds: ReadonlyMap<string, string>,
): readonly Import[] {
  const { resource = {} } = JSON.parse(terraformJson) as { readonly resource?: Resources };
  const imports: Import[] = [];
  const idByAddress = new Map<string, string>();
  for (const type of groupTypes)
    for (const name of Object.keys(resource[type] ?? {})) {
      const id = groupIds.get(name);
      if (id === undefined) continue;
      idByAddress.set(`${type}.${name}`, id);
      imports.push({ address: `${type}.${name}`, id: `/groups/${id}` });
    }
  for (const [key, config] of Object.entries(resource['castellan_group_properties'] ?? {})) {
    const groupAddress = /^\$\{([\w-]+\.[\w-]+)\.object_id\}$/.exec(
      String(config['group_object_id']),
    )?.[1];
    const id = groupAddress === undefined ? undefined : idByAddress.get(groupAddress);
    if (id !== undefined) imports.push({ address: `castellan_group_properties.${key}`, id });
  }
  return imports;
}
