import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CastellanStack, type CastellanStackProps } from '../../../constructs/index.js';

type Blocks = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;

/** Terraform JSON as it is written, without cdktf's comments. */
export interface TerraformJson {
  readonly resource: Blocks;
  readonly data: Blocks;
  readonly provider: Readonly<Record<string, unknown>>;
  readonly variable: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>>;
  readonly terraform: Readonly<Record<string, unknown>>;
}

/** The cloud settings of the stacks of the tests. */
export const westEurope: CastellanStackProps = {
  azure: {
    location: 'westeurope',
    resourceGroup: 'rg-shop',
    tenantId: '11111111-2222-4333-8444-555555555555',
  },
};

/** Synthesizes a stack `shop` with what is declared in it, as a user's program does. */
export function synthesized(
  declare: (stack: CastellanStack) => void,
  props: CastellanStackProps = westEurope,
): TerraformJson {
  const outdir = mkdtempSync(join(tmpdir(), 'castellan-constructs-'));
  try {
    const app = new App({ outdir });
    declare(new CastellanStack(app, 'shop', props));
    app.synth();
    const text = readFileSync(join(outdir, 'stacks/shop/cdk.tf.json'), 'utf8');
    return {
      resource: {},
      data: {},
      variable: {},
      output: {},
      ...(withoutComments(JSON.parse(text)) as Partial<TerraformJson>),
    } as TerraformJson;
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** Terraform ignores `//`; so do the tests. */
export function withoutComments(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutComments);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== '//')
      .map(([key, each]) => [key, withoutComments(each as unknown)]),
  );
}
