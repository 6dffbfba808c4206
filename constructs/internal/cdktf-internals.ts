// eslint-disable-next-line @typescript-eslint/no-require-imports -- the module itself, whose function is replaced
import creationTraces = require('cdktf/lib/tokens/private/stack-trace');
import { ValidateBinaryVersion } from 'cdktf/lib/validations';
import type { TerraformResource, TerraformStack } from 'cdktf';
import type { Construct, IValidation } from 'constructs';
import packageJson from 'cdktf/package.json';

// Everything in this package that depends on members of cdktf and constructs which are not public,
// tested with cdktf 0.21 and its successor cdktn (`npm run test:cdktn`). Fast synthesis needs it.

/** `CASTELLAN_SYNTH=plain`: without fast synthesis. */
export const isFastSynthesisOff = process.env['CASTELLAN_SYNTH'] === 'plain';

// modules that cdktf does not document
export { resolve } from 'cdktf/lib/_tokens';
export { deepMerge } from 'cdktf/lib/util';
export { addCustomSynthesis, StackSynthesizer } from 'cdktf/lib/synthesize/synthesizer';

/** Members of a stack that the output depends on and cdktf does not publish. */
export function stackFields(stack: TerraformStack): {
  readonly overrides: Record<string, unknown>;
  readonly version: string;
} {
  const { rawOverrides, cdktfVersion } = stack as unknown as {
    readonly rawOverrides: Record<string, unknown>;
    readonly cdktfVersion: string;
  };
  return { overrides: rawOverrides, version: cdktfVersion };
}

/** Members of a resource that its output depends on and cdktf does not publish. */
export function resourceFields(resource: TerraformResource): {
  readonly isImported: boolean;
  readonly hasOverrides: boolean;
  readonly metaArguments: unknown;
  attributes(): unknown;
} {
  const fields = resource as unknown as {
    readonly _imported?: unknown;
    readonly rawOverrides: object;
    readonly terraformMetaArguments: unknown;
    synthesizeAttributes(): unknown;
  };
  return {
    isImported: fields._imported !== undefined,
    hasOverrides: Object.keys(fields.rawOverrides).length > 0,
    metaArguments: fields.terraformMetaArguments,
    attributes: () => fields.synthesizeAttributes(),
  };
}

/**
 * How cdktf encodes tokens: in text, as numbers below -1e289, and as one number for any map of
 * numbers.
 */
const encodedToken = /TfToken\[|Map Token Value$|-[\d.]+e\+?\d{3}|-[\d.]{100}/;
const encodedNumberMap = -123456789;
/** Below every number that a resource has, and above every encoded number. */
const encodedNumberLimit = -1e200;

/** Whether a text contains no encoded token. */
export function isPlainText(value: string): boolean {
  return !encodedToken.test(value);
}

/** Whether a number is no encoded token. */
export function isPlainNumber(value: number): boolean {
  return !(value < encodedNumberLimit) && value !== encodedNumberMap;
}

/**
 * Whether the end of an empty list or map gets a line of its own: cdktf's writer does that, cdktn's
 * does not.
 */
export const breaksEmptyCollections = packageJson.name !== 'cdktn';

/** The validations of a construct; undefined if this version of constructs keeps them elsewhere. */
export function validationsOf(construct: Construct): readonly IValidation[] | undefined {
  const { node } = construct as unknown as {
    readonly node: { readonly _validations?: readonly IValidation[] };
  };
  return '_validations' in node ? (node._validations ?? []) : undefined;
}

/**
 * A key of the program and the version that a validation requires; undefined for validations that
 * run no program.
 */
export function versionRequirement(validation: IValidation): string | undefined {
  return validation instanceof ValidateBinaryVersion ? JSON.stringify(validation) : undefined;
}

let isTracingLazy = false;

/**
 * Formats the trace of where a token was created on first access, which only an error needs. cdktf
 * formats each at once, and ts-node then maps each frame through a source map. This replaces a
 * function of cdktf, as cdktf has no option for it.
 */
export function formatTracesLazily(): void {
  if (isTracingLazy) return;
  isTracingLazy = true;
  const replacement: typeof creationTraces.captureStackTrace = (calledBy = replacement) => {
    const holder: { stack?: string } = {};
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = Number.MAX_SAFE_INTEGER;
    Error.captureStackTrace(holder, calledBy);
    Error.stackTraceLimit = limit;
    return new Proxy<string[]>([], {
      get: (lines, key): unknown => {
        const [, ...frames] = holder.stack?.split('\n') ?? [];
        delete holder.stack;
        lines.push(...frames.map((line) => line.replace(/^\s*at\s+/, '')));
        return Reflect.get(lines, key);
      },
    });
  };
  creationTraces.captureStackTrace = replacement;
}
