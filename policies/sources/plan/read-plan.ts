import { createReadStream } from 'node:fs';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { JsonElementSplitter } from './json-elements.js';

/** One resource of a plan, as `terraform show -json` prints it: the parts that rules read. */
export interface PlannedResource {
  /** The full address, such as `module.shop.azuread_group.shoppers[0]`. */
  readonly address: string;
  readonly mode: 'managed' | 'data';
  readonly type: string;
  readonly name: string;
  readonly providerName: string;
  readonly actions: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
  /** The shape of what is known only after apply: `true` where a value is unknown. */
  readonly afterUnknown: unknown;
  /** The attributes that force a replacement. */
  readonly replacePaths: readonly (readonly (string | number)[])[];
  /** The id in the live service, where a state knows it. */
  readonly liveId?: string;
}

interface ResourceChangeJson {
  readonly address: string;
  readonly mode: 'managed' | 'data';
  readonly type: string;
  readonly name: string;
  readonly provider_name?: string;
  readonly change: {
    readonly actions: string[];
    readonly before: unknown;
    readonly after: unknown;
    readonly after_unknown?: unknown;
    readonly replace_paths?: (string | number)[][];
  };
}

const pieces = 1 << 20;

/**
 * Reads the resources of a plan (`terraform show -json`) one after another, in memory that doesn't grow with the plan.
 *
 * @throws CAS7101 when the file can't be read, is no JSON or ends too early.
 */
export async function* readPlan(file: string): AsyncGenerator<PlannedResource> {
  const splitter = new JsonElementSplitter(new Set(['resource_changes']));
  let size = 0;
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: pieces }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      for (const { bytes } of splitter.push(chunk))
        yield resourceOf(JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) as ResourceChangeJson);
    }
  } catch (cause) {
    throw new CastellanError('CAS7101', `${file} can't be read as a plan: ${(cause as Error).message}`, { details: { file }, cause });
  }
  if (size === 0 || !splitter.complete) {
    throw new CastellanError(
      'CAS7101',
      `${file} ${size === 0 ? 'is empty' : 'ends in the middle of its JSON'}; expected is what terraform show -json prints`,
      { details: { file } },
    );
  }
}

function resourceOf({ address, mode, type, name, provider_name, change }: ResourceChangeJson): PlannedResource {
  return {
    address,
    mode,
    type,
    name,
    providerName: provider_name ?? '',
    actions: change.actions,
    before: change.before,
    after: change.after,
    afterUnknown: change.after_unknown,
    replacePaths: change.replace_paths ?? [],
  };
}
