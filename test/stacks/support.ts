import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StackConfig } from '../../policies/index.js';
import { synthesize, type SynthesizedStack, type SynthesizeOptions } from '../../stacks/index.js';
import { type TerraformJson, withoutComments } from '../constructs/support/synthesized.js';

/** A minimal configuration with more sections. */
export function config(sections: Partial<StackConfig> = {}): StackConfig {
  return { version: 1, stack: 'shop', azure: { location: 'westeurope' }, ...sections };
}

/** Synthesizes configurations into a temporary folder, and returns the written files' content. */
export function synthesizedConfig(
  configs: StackConfig | readonly StackConfig[],
  options: Partial<SynthesizeOptions> = {},
) {
  const outdir = mkdtempSync(join(tmpdir(), 'castellan-stacks-'));
  try {
    const list = (Array.isArray(configs) ? configs : [configs]) as readonly StackConfig[];
    const stacks = synthesize({
      stacks: list.map((each) => ({ config: each })),
      outdir,
      env: {},
      ...options,
    });
    const texts = stacks.map(({ file }) => readFileSync(file, 'utf8'));
    const json = texts.map(
      (text) =>
        ({
          resource: {},
          data: {},
          ...(withoutComments(JSON.parse(text)) as object),
        }) as TerraformJson,
    );
    return {
      stacks,
      texts,
      json: json[0] as TerraformJson,
      all: json,
      manifest: readFileSync(join(outdir, 'manifest.json'), 'utf8'),
    };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

export type { SynthesizedStack };
