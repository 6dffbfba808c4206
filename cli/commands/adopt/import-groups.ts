import { readFileSync } from 'node:fs';
import type { Group } from '../../../clients/directory/index.js';
import { readApplyOptions } from '../../apply/options.js';
import { createProgress } from '../../apply/progress.js';
import { openSession } from '../../apply/open-session.js';
import { terraformOf } from '../../apply/terraform-of.js';
import type { CliIo } from '../../command.js';
import { importsOf } from './addresses.js';

/**
 * Takes adopted groups into the Terraform state of their stack, so that a plan shows no changes. What the state knows already is left
 * alone.
 *
 * @returns how many groups and properties were taken in.
 */
export async function importGroups(file: string, groups: readonly Group[], target: string, io: CliIo): Promise<number> {
  const progress = createProgress(io);
  const session = await openSession(readApplyOptions([file], { target, download: true }), io, progress, 'plan');
  let taken = 0;
  for (const stack of session.stacks) {
    const imports = importsOf(readFileSync(stack.file, 'utf8'), groups);
    await progress.run([
      {
        title: `Take ${groups.length} ${groups.length === 1 ? 'group' : 'groups'} into the state of ${stack.name}`,
        work: async (say) => {
          const terraform = terraformOf(stack, session, say);
          await terraform.init();
          const known = new Set(await terraform.stateList());
          for (const { address, id } of imports) {
            if (known.has(address)) continue;
            say(address);
            await terraform.import(address, id);
            taken += 1;
          }
        },
      },
    ]);
  }
  return taken;
}
