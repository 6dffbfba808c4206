import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** A name in an address with its instance key, if any: `web["a"]`. */
export interface AddressStep {
  readonly name: string;
  /** The key as Terraform writes it in brackets: `0` or `"a"`. */
  readonly key?: string;
}

/** The parts of a resource instance's address. */
export interface InstanceAddress {
  /** The module instances, outermost first. */
  readonly modules: readonly AddressStep[];
  readonly type: string;
  readonly name: string;
  /** The instance key as Terraform writes it in brackets: `0` or `"a"`. */
  readonly key?: string;
}

/**
 * The steps of an address or a reference: names separated by dots, each with the key that follows
 * in brackets.
 *
 * @example stepsOf('module.a["x.y"].azuread_group.g[0].id')
 */
export function stepsOf(address: string): readonly AddressStep[] {
  const steps: AddressStep[] = [];
  const pattern = /([^.[\]]+)(?:\[("(?:[^"\\]|\\.)*"|[^\]]*)\])?(?:\.|$|(?=\[))/gy;
  for (let match = pattern.exec(address); match?.[1] !== undefined; match = pattern.exec(address))
    steps.push({ name: match[1], ...omitUndefined({ key: match[2] }) });
  return steps;
}

/** Splits off the modules at the start of steps. */
export function splitModules(steps: readonly AddressStep[]): {
  readonly modules: readonly AddressStep[];
  readonly rest: readonly AddressStep[];
} {
  let end = 0;
  while (steps[end]?.name === 'module' && steps[end + 1] !== undefined) end += 2;
  return {
    modules: steps.slice(0, end).filter((_, index) => index % 2 === 1),
    rest: steps.slice(end),
  };
}

/** Parses the address of a managed resource; undefined for anything else. */
export function parseAddress(address: string): InstanceAddress | undefined {
  const { modules, rest } = splitModules(stepsOf(address));
  const [type, resourceStep] = rest;
  if (type === undefined || resourceStep === undefined || rest.length !== 2) return undefined;
  return {
    modules,
    type: type.name,
    name: resourceStep.name,
    ...omitUndefined({ key: resourceStep.key }),
  };
}

/** Writes an address in Terraform's form. */
export function printAddress({ modules, type, name, key }: InstanceAddress): string {
  return [
    ...modules.map((each) => `module.${printStep(each)}`),
    type,
    printStep({ name, ...omitUndefined({ key }) }),
  ].join('.');
}

function printStep({ name, key }: AddressStep): string {
  return key === undefined ? name : `${name}[${key}]`;
}
