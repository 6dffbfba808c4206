import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RegisterCommand, CliIo } from '../command.js';
import {
  type EnvironmentFlags,
  environmentOption,
  withoutDefaultEnvironment,
  targets,
} from '../apply/options.js';
import { ChoiceOption } from '../choice-option.js';
import { addFormat, formatOf, printText } from '../format.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { listFolder } from '../../core/source/list-folder.js';
import { environmentFolder } from '../../core/project/environment-folder.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import type { EngineName } from '../../stacks/terraform/engine-release.js';
import { isEncrypted, localStateFileOf } from '../../stacks/terraform/state-file.js';
import { Terraform } from '../../stacks/terraform/terraform.js';
import { findTerraformProgram } from '../apply/terraform-program.js';

const formats = ['text', 'json', 'env'] as const;

/**
 * `castellan output [NAME]`: prints URLs and ids of applied resources, and the outputs of their
 * stacks.
 */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(
    program
      .command('output')
      .description(
        'Print addresses and ids of what was applied: for people, as JSON, or as variables for a shell.',
      )
      .argument(
        '[name]',
        'one value, such as containerApps.shop.url, or everything of one declaration, such as shop',
      ),
    formats,
  )
    .addOption(new ChoiceOption('--target <target>', targets).default('sandbox'))
    .option(...environmentOption)
    .action(
      async (
        name: string | undefined,
        flags: EnvironmentFlags & {
          readonly format?: string;
          readonly json?: boolean;
          readonly target: string;
        },
      ) => {
        const format = formatOf(flags, formats);
        done(
          await printOutputs(
            { name, format, target: flags.target, ...withoutDefaultEnvironment(flags) },
            io,
          ),
        );
      },
    );
};

interface OutputOptions {
  /** Of a value, or of a declaration whose values are printed; undefined for all values. */
  readonly name: string | undefined;
  readonly format: 'text' | 'json' | 'env';
  readonly target: string;
  readonly environment?: string;
}

interface StateResource {
  /** `managed`, or `data` for what is only read. */
  readonly mode: string;
  readonly type: string;
  /** The name of its block. */
  readonly name: string;
  readonly instances: readonly { readonly attributes?: Readonly<Record<string, unknown>> }[];
}

interface State {
  readonly outputs?: Readonly<
    Record<string, { readonly value: unknown; readonly sensitive?: boolean }>
  >;
  readonly resources?: readonly StateResource[];
}

/** The section of each resource type, and the attribute with the id that people use. */
const sections: Readonly<Record<string, readonly [section: string, id: string]>> = {
  azurerm_resource_group: ['resourceGroups', 'id'],
  azurerm_container_app_environment: ['environments', 'id'],
  azurerm_container_app: ['containerApps', 'id'],
  azuread_application_registration: ['registrations', 'client_id'],
  azuread_application: ['registrations', 'client_id'],
  azuread_group: ['groups', 'object_id'],
  azuread_group_without_members: ['groups', 'object_id'],
  castellan_group: ['groups', 'id'],
  fabric_workspace: ['workspaces', 'id'],
  castellan_workspace: ['workspaces', 'id'],
  fabric_eventhouse: ['eventhouses', 'id'],
  castellan_eventhouse: ['eventhouses', 'id'],
  fabric_eventstream: ['eventstreams', 'id'],
  castellan_eventstream: ['eventstreams', 'id'],
};

/**
 * Prints values from the states of the applied stacks. Never a secret: sensitive outputs are
 * omitted.
 *
 * @throws CAS8001 for an unknown name, listing the known ones.
 */
async function printOutputs(options: OutputOptions, io: CliIo): Promise<number> {
  const { name, format } = options;
  const values = valuesByKey(await readStates(options, io));
  const selection = name === undefined ? [...values] : selectOutputs(name, values);
  if (format === 'json')
    io.stdout.write(`${JSON.stringify(Object.fromEntries(selection), null, 2)}\n`);
  else if (format === 'env')
    for (const [key, value] of selection)
      io.stdout.write(`${variableOf(key)}='${value.replaceAll("'", "'\\''")}'\n`);
  else if (selection.length === 1 && name !== undefined)
    io.stdout.write(`${selection[0]?.[1] ?? ''}\n`);
  else for (const [key, value] of selection) printText(io.stdout, `${key}  ${value}\n`);
  if (values.size === 0) {
    const environmentFlag = options.environment === undefined ? '' : ` -e ${options.environment}`;
    printText(io.stderr, `nothing is applied: \`castellan up${environmentFlag}\` applies\n`);
  }
  return exitCodes.clean;
}

/** The values of all stacks; a key that several stacks have begins with the stack. */
function valuesByKey(states: ReadonlyMap<string, State>): ReadonlyMap<string, string> {
  const stacks = [...states].map(([stack, state]) => ({
    stack,
    values: new Map(outputValues(state)),
  }));
  const isInSeveral = (key: string): boolean =>
    stacks.filter(({ values }) => values.has(key)).length > 1;
  return new Map(
    stacks.flatMap(({ stack, values }) =>
      [...values].map(([key, value]) => [isInSeveral(key) ? `${stack}.${key}` : key, value]),
    ),
  );
}

/** The states of the applied stacks, by the stacks' names. */
async function readStates(
  { target, environment }: OutputOptions,
  io: CliIo,
): Promise<ReadonlyMap<string, State>> {
  if (target !== 'sandbox' && target !== 'azure')
    throw new CastellanError('CAS8001', `--target is sandbox or azure, not "${target}"`);
  const stacksFolder = resolve(
    io.cwd,
    environmentFolder(environment),
    target === 'sandbox' ? '.' : target,
    'stacks',
  );
  const states = new Map<string, State>();
  for (const name of [...listFolder(stacksFolder)].sort()) {
    const directory = join(stacksFolder, name);
    const file = localStateFileOf(directory);
    const text =
      file === undefined
        ? await pullState(directory, io)
        : isEncrypted(file)
          ? await pullState(directory, io, 'tofu')
          : existsSync(file)
            ? readFileSync(file, 'utf8')
            : '';
    if (text.trim() !== '') states.set(name, parseState(text, name));
  }
  return states;
}

/** @throws CAS1001 for a state that is being written, or of which a killed run left half. */
function parseState(text: string, stack: string): State {
  try {
    return JSON.parse(text) as State;
  } catch (cause) {
    throw new CastellanError(
      'CAS1001',
      `the state of ${stack} is incomplete: \`castellan up\` puts it right`,
      { cause },
    );
  }
}

/** A state in a backend, or an encrypted one. @param engine the only one that can read it */
async function pullState(directory: string, io: CliIo, engine?: EngineName): Promise<string> {
  const program = await findTerraformProgram({ download: 'refused', engine }, io, () => undefined);
  return new Terraform({ program, directory, env: io.env }).pullState();
}

function outputValues({
  outputs = {},
  resources = [],
}: State): readonly (readonly [string, string])[] {
  const declaredOutputs = Object.entries(outputs).flatMap(([name, { value, sensitive }]) =>
    sensitive === true
      ? []
      : [[name, typeof value === 'string' ? value : JSON.stringify(value)] as const],
  );
  const ids = resources.flatMap(({ mode, type, name, instances }) => {
    const section = sections[type];
    const attributes = instances[0]?.attributes;
    if (mode !== 'managed' || section === undefined || attributes === undefined) return [];
    const key = `${section[0]}.${name}`;
    const url = type === 'azurerm_container_app' ? addressOf(attributes) : undefined;
    const id = attributes[section[1]];
    return [
      ...(url === undefined ? [] : [[`${key}.url`, url] as const]),
      ...(typeof id === 'string'
        ? [[`${key}.${section[1] === 'client_id' ? 'clientId' : 'id'}`, id] as const]
        : []),
    ];
  });
  return [...ids.sort(([one], [other]) => (one < other ? -1 : 1)), ...declaredOutputs];
}

function addressOf({ ingress }: Readonly<Record<string, unknown>>): string | undefined {
  const [first] = (Array.isArray(ingress) ? ingress : []) as readonly { readonly fqdn?: unknown }[];
  return typeof first?.fqdn === 'string' && first.fqdn !== ''
    ? `https://${first.fqdn}/`
    : undefined;
}

function selectOutputs(
  name: string,
  values: ReadonlyMap<string, string>,
): readonly (readonly [string, string])[] {
  const entries = [...values].filter(([key]) => key === name || `.${key}.`.includes(`.${name}.`));
  if (entries.length > 0) return entries;
  const names = [...values.keys()];
  const knownNames = [...names, ...names.map((key) => key.split('.').at(-2) ?? key)];
  const hint = didYouMean(
    nearest(name, knownNames),
    names.length === 0 ? '' : `; there are ${names.join(', ')}`,
  );
  throw new CastellanError('CAS8001', `there is no output "${name}"${hint}`);
}

/** `CONTAINER_APPS_SHOP_URL` for `containerApps.shop.url`. */
function variableOf(key: string): string {
  return key
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^(\d)/, '_$1')
    .toUpperCase();
}
