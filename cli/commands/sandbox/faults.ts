import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { type Fault, type FaultPlan, noFaults } from '../../../sandbox/faults/fault.js';
import type { FaultsStatus } from '../../../sandbox/faults/injector.js';
import { faultPresets, faultPlanOfPreset } from '../../../sandbox/faults/presets.js';
import { parseFaults } from '../../../sandbox/faults/fault-file.js';
import type { CliIo } from '../../command.js';

/**
 * The faults that `castellan sandbox faults` sets; undefined where it only prints the present ones.
 *
 * @throws CAS4023 for a preset or file that is not valid, CAS8001 for both together.
 */
export function faultPlanOf(
  {
    presetOrOff,
    file,
  }: { readonly presetOrOff: string | undefined; readonly file: string | undefined },
  io: Pick<CliIo, 'cwd'>,
): FaultPlan | undefined {
  if (presetOrOff !== undefined && file !== undefined)
    throw new CastellanError('CAS8001', `give either "${presetOrOff}" or --file ${file}`);
  if (file === undefined)
    return presetOrOff === undefined
      ? undefined
      : presetOrOff === 'off'
        ? noFaults
        : faultPlanOfPreset(presetOrOff);
  let content: string;
  try {
    content = readFileSync(resolve(io.cwd, file), 'utf8');
  } catch (cause) {
    throw new CastellanError('CAS4023', `${file} can't be read: ${(cause as Error).message}`, {
      cause,
    });
  }
  return parseFaults(content, file);
}

/** The presets, as a result and as text. */
export function presetList(): [object, string] {
  const presets = Object.entries(faultPresets).map(([name, preset]) => ({ name, ...preset }));
  const lines = presets.map(
    ({ name, summary, issueUrl }) => `${name}\n  ${summary}\n  ${issueUrl}\n`,
  );
  return [{ presets }, lines.join('')];
}

/** The injected faults, a line each. */
export function describeFaults({ name, faults, met }: FaultsStatus): string {
  if (faults.length === 0) return 'no faults\n';
  const lines = faults.map(
    (fault, index) => `  ${describeFault(fault)}: met ${String(met[index] ?? 0)} requests\n`,
  );
  return `${name ?? 'faults'}:\n${lines.join('')}`;
}

function describeFault({ fault, ...where }: Fault): string {
  const parts = Object.entries(where).map(([key, value]) => `${key} ${String(value)}`);
  return [fault, ...parts].join(', ');
}
