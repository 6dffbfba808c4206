import { parse } from 'yaml';
import { singular } from '../construct-props.js';
import { schemaAt, type SchemaNode } from '../../policies/engine/schema-paths.js';
import { type Section, sections } from '../../kinds/index.js';

type Declared = Readonly<Record<string, unknown>>;
type Config = Readonly<Record<string, unknown>> & {
  readonly stack?: string;
  readonly azure?: Declared;
};

interface Item {
  readonly section: Section;
  readonly name: string;
  readonly value: Declared;
}

/** The usual order of sections; a declaration comes after those that it refers to in any case. */
const order: readonly Section[] = [
  'principals',
  'registrations',
  'environments',
  'groups',
  'workspaces',
  'eventhouses',
  'eventstreams',
  'containerApps',
];

/**
 * Converts a configuration to a program with the constructs that declares the same. Undefined where
 * that is impossible: cyclic references, references to undeclared names, or values from the
 * environment.
 */
export function typescriptExample(yaml: string): string | undefined {
  const config = parse(yaml) as Config;
  const items = order.flatMap((section) =>
    Object.entries((config[section] ?? {}) as Readonly<Record<string, Declared>>).map(
      ([name, value]): Item => ({ section, name, value }),
    ),
  );
  const hasOther = Object.keys(config).some(
    (key) => !['version', 'stack', 'azure', 'dialect', ...order].includes(key),
  );
  if (
    items.length === 0 ||
    hasOther ||
    items.some(({ value }) => value === null || typeof value !== 'object')
  )
    return undefined;
  return new Program(config, items).text();
}

class Program {
  readonly #variables = new Map<Item, string>();
  readonly #used = new Set<Item>();
  readonly #classes = new Set(['App', 'CastellanStack']);
  readonly #state = new Map<Item, 'open' | 'done'>();
  readonly #statements: { readonly item: Item; readonly text: string }[] = [];
  /** Whether everything so far can be written as a program. */
  #isExpressible = true;

  constructor(
    private readonly config: Config,
    private readonly items: readonly Item[],
  ) {}

  text(): string | undefined {
    for (const item of this.items) this.#declare(item);
    if (!this.#isExpressible) return undefined;
    const settings = this.#settings();
    const statements = this.#statements.map(({ item, text }) =>
      this.#used.has(item) ? `const ${this.#variable(item)} = ${text};` : `${text};`,
    );
    const names = [...this.#classes].sort().join(', ');
    const head = [
      `import { ${names} } from 'castellan/constructs';`,
      '',
      `const stack = new CastellanStack(new App(), '${this.config.stack ?? 'example'}'${settings});`,
    ];
    return [...head, ...statements, ''].join('\n');
  }

  #settings(): string {
    const needsPlace = this.items.some(
      ({ section }) => section === 'containerApps' || section === 'environments',
    );
    const azure = { ...(needsPlace && { location: 'westeurope' }), ...this.config.azure };
    return Object.keys(azure).length === 0 ? '' : `, ${print({ azure }, 0, 55)}`;
  }

  #declare(item: Item): void {
    const state = this.#state.get(item);
    if (state === 'open') this.#isExpressible = false; // a cycle of references
    if (state !== undefined) return;
    this.#state.set(item, 'open');
    if (item.section === 'principals') {
      const lookup = principalLookup(item);
      if (lookup === undefined) {
        this.#isExpressible = false;
        return;
      }
      this.#classes.add(lookup.className);
      this.#state.set(item, 'done');
      this.#statements.push({
        item,
        text: `${lookup.className}.${lookup.method}(stack, '${item.name}', ${lookup.args})`,
      });
      return;
    }
    const { className, props } = constructOf(item);
    const value = this.#withReferences(item.section, props, []);
    this.#classes.add(className);
    this.#state.set(item, 'done');
    const end =
      Object.keys(props).length === 0
        ? ''
        : `, ${print(value, 0, 25 + className.length + 2 * item.name.length)}`;
    this.#statements.push({ item, text: `new ${className}(stack, '${item.name}'${end})` });
  }

  /** The value with references to other declarations replaced by their variables. */
  #withReferences(section: Section, value: unknown, path: readonly (string | number)[]): unknown {
    if (typeof value === 'string') return this.#text(section, value, path);
    if (Array.isArray(value))
      return value.map((each, index) => this.#withReferences(section, each, [...path, index]));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        key,
        this.#withReferences(section, each, [...path, key]),
      ]),
    );
  }

  #text(section: Section, value: string, path: readonly (string | number)[]): unknown {
    const schema = schemaAt(sections[section] as unknown as SchemaNode, path);
    if (schema?.['x-secret'] === true) return this.#secret(value);
    if (value.includes('${')) this.#isExpressible = false;
    const isEventhouse = section === 'eventstreams' && path.at(-1) === 'eventhouse';
    const kinds = isEventhouse
      ? ['eventhouses']
      : (schema?.['x-references'] ?? []).filter((kind) => kind !== 'secrets');
    if (kinds.length === 0) return value;
    const item = this.items.find((each) => kinds.includes(each.section) && each.name === value);
    if (item === undefined) {
      if (!/^[0-9a-f-]{36}$/i.test(value)) this.#isExpressible = false;
      return value;
    }
    this.#declare(item);
    this.#used.add(item);
    return new Reference(this.#variable(item));
  }

  /** The `Secret` of a reference in one of its three forms. */
  #secret(reference: string): unknown {
    this.#classes.add('Secret');
    const [, variable] = /^\$\{env:(\w+)\}$/.exec(reference) ?? [];
    if (variable !== undefined) return new Reference(`Secret.fromEnvironment('${variable}')`);
    const [, kind, name = ''] = /^(keyvault|secret):(.+)$/.exec(reference) ?? [];
    if (kind === undefined) this.#isExpressible = false;
    const method = kind === 'keyvault' ? 'fromKeyVault' : 'fromApp';
    return new Reference(`Secret.${method}(${stringLiteral(name)})`);
  }

  #variable(item: Item): string {
    const known = this.#variables.get(item);
    if (known !== undefined) return known;
    const camel = item.name.replace(/[^A-Za-z0-9]+(\w)/g, (_, letter: string) =>
      letter.toUpperCase(),
    );
    const names = new Set([...this.#variables.values(), 'stack']);
    const name = names.has(camel)
      ? `${camel}${item.section[0]?.toUpperCase() ?? ''}${item.section.slice(1, -1)}`
      : camel;
    this.#variables.set(item, name);
    return name;
  }
}

/** Classes whose name does not follow from their section. */
const classes: Readonly<Partial<Record<Section, string>>> = {
  registrations: 'Registration',
  environments: 'ContainerAppEnvironment',
};

function constructOf({ section, value }: Item): {
  readonly className: string;
  readonly props: Declared;
} {
  if (section !== 'groups')
    return { className: classes[section] ?? singular(section), props: value };
  const { kind, ...props } = value;
  if (kind === 'unified') return { className: 'UnifiedGroup', props };
  return kind === 'security'
    ? { className: 'SecurityGroup', props }
    : { className: 'Group', props: value };
}

/** The method of a construct that looks a principal up; undefined where no method can. */
function principalLookup({
  value,
}: Item):
  { readonly className: string; readonly method: string; readonly args: string } | undefined {
  const { groupKind, ...names } = value;
  const [[kind = '', name = ''] = []] = Object.entries(names);
  const methods = lookupMethods[kind];
  if (methods === undefined || typeof name !== 'string' || Object.keys(names).length !== 1)
    return undefined;
  // only the lookup of a group has the option `kind`
  if (groupKind !== undefined && kind !== 'group') return undefined;
  const [className, byName] = methods;
  const options = groupKind === undefined ? '' : `, { kind: ${stringLiteral(String(groupKind))} }`;
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name);
  const method = isId ? 'fromObjectId' : byName;
  if (method === undefined) return undefined;
  return {
    className,
    method,
    args: `${stringLiteral(name)}${options}`,
  };
}

/** The classes of principals, with the methods that look one up by its name. */
const lookupMethods: Readonly<Record<string, readonly [className: string, byName?: string]>> = {
  user: ['User', 'fromPrincipalName'],
  servicePrincipal: ['ServicePrincipal', 'fromDisplayName'],
  group: ['Group', 'fromDisplayName'],
  device: ['Device'],
  contact: ['Contact'],
};

/** An expression of the program: a variable that holds a declaration, or the source of a secret. */
class Reference {
  constructor(readonly variable: string) {}
}

/** The longest line of an example. */
const maxWidth = 110;

/** A value as TypeScript, on one line if it fits after a text of the length `before`. */
function print(value: unknown, indentation: number, before = 0): string {
  const line = onOneLine(value);
  if (
    line.length + indentation + before <= maxWidth ||
    value === null ||
    typeof value !== 'object' ||
    value instanceof Reference
  )
    return line;
  const inner = ' '.repeat(indentation + 2);
  const parts = Array.isArray(value)
    ? value.map((each) => print(each, indentation + 2))
    : Object.entries(value).map(
        ([key, each]) => `${propertyKey(key)}: ${print(each, indentation + 2)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${' '.repeat(indentation)}${close}`;
}

function onOneLine(value: unknown): string {
  if (value instanceof Reference) return value.variable;
  if (typeof value === 'string') return stringLiteral(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (value === null || typeof value !== 'object') return String(value);
  const entries = Object.entries(value).map(([key, each]) => {
    const text = onOneLine(each);
    return text === key ? key : `${propertyKey(key)}: ${text}`;
  });
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function stringLiteral(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return escaped.includes("'") && !escaped.includes('"')
    ? `"${escaped}"`
    : `'${escaped.replaceAll("'", "\\'")}'`;
}

function propertyKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : stringLiteral(key);
}
