import { parse } from 'yaml';
import { singular } from '../construct-props.js';
import { schemaAt, type SchemaNode } from '../../policies/engine/schema-paths.js';
import { type Section, sections } from '../../kinds/index.js';

type Declared = Readonly<Record<string, unknown>>;
type Config = Readonly<Record<string, unknown>> & {
  readonly stack?: string;
  /** The stack's cloud settings, which the construct takes as its prop `azure`. */
  readonly azure?: Declared;
};

/** A declaration of the configuration: its section, name and properties. */
interface Declaration {
  readonly section: Section;
  /** The key in its section. */
  readonly name: string;
  /** Its properties, as declared. */
  readonly value: Declared;
}

/** The order of sections in examples; but each declaration comes after those that it refers to. */
const sectionOrder: readonly Section[] = [
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
 * that is impossible: no declarations, sections that examples don't have, cyclic references,
 * references to undeclared names, or values from the environment that are no secrets.
 */
export function typescriptExample(yaml: string): string | undefined {
  const config = parse(yaml) as Config;
  const declarations = sectionOrder.flatMap((section) =>
    Object.entries((config[section] ?? {}) as Readonly<Record<string, Declared>>).map(
      ([name, value]): Declaration => ({ section, name, value }),
    ),
  );
  const hasOtherKeys = Object.keys(config).some(
    (key) => !['version', 'stack', 'azure', 'dialect', ...sectionOrder].includes(key),
  );
  if (
    declarations.length === 0 ||
    hasOtherKeys ||
    declarations.some(({ value }) => value === null || typeof value !== 'object')
  )
    return undefined;
  return new Program(config, declarations).source();
}

/** Writes the declarations as statements of a program, in the order of their references. */
class Program {
  readonly #variables = new Map<Declaration, string>();
  /** The declarations to which others refer, which need a variable. */
  readonly #referencedDeclarations = new Set<Declaration>();
  readonly #classes = new Set(['App', 'CastellanStack']);
  /** The declarations whose statements are being written (`open`) or are written. */
  readonly #state = new Map<Declaration, 'open' | 'done'>();
  readonly #statements: { readonly declaration: Declaration; readonly text: string }[] = [];
  /** Whether everything so far can be written as a program. */
  #isExpressible = true;

  constructor(
    private readonly config: Config,
    private readonly declarations: readonly Declaration[],
  ) {}

  /** The program's source; undefined if it is impossible. */
  source(): string | undefined {
    for (const declaration of this.declarations) this.#declare(declaration);
    if (!this.#isExpressible) return undefined;
    const stackProps = this.#stackProps();
    const statements = this.#statements.map(({ declaration, text }) =>
      this.#referencedDeclarations.has(declaration)
        ? `const ${this.#variable(declaration)} = ${text};`
        : `${text};`,
    );
    const names = [...this.#classes].sort().join(', ');
    const head = [
      `import { ${names} } from 'castellan/constructs';`,
      '',
      `const stack = new CastellanStack(new App(), '${this.config.stack ?? 'example'}'${stackProps});`,
    ];
    return [...head, ...statements, ''].join('\n');
  }

  /** The third argument of the stack, with a comma before it; empty if it needs none. */
  #stackProps(): string {
    const needsLocation = this.declarations.some(
      ({ section }) => section === 'containerApps' || section === 'environments',
    );
    const azure = { ...(needsLocation && { location: 'westeurope' }), ...this.config.azure };
    return Object.keys(azure).length === 0 ? '' : `, ${printValue({ azure }, 0, 55)}`;
  }

  /** Adds the statement of a declaration, after those of the declarations that it refers to. */
  #declare(declaration: Declaration): void {
    const state = this.#state.get(declaration);
    if (state === 'open') this.#isExpressible = false; // a cycle of references
    if (state !== undefined) return;
    this.#state.set(declaration, 'open');
    if (declaration.section === 'principals') {
      const lookup = principalLookup(declaration);
      if (lookup === undefined) {
        this.#isExpressible = false;
        return;
      }
      this.#classes.add(lookup.className);
      this.#state.set(declaration, 'done');
      this.#statements.push({
        declaration,
        text: `${lookup.className}.${lookup.method}(stack, '${declaration.name}', ${lookup.args})`,
      });
      return;
    }
    const { className, props } = constructOf(declaration);
    const value = this.#withReferences(declaration.section, props, []);
    this.#classes.add(className);
    this.#state.set(declaration, 'done');
    const propsArgument =
      Object.keys(props).length === 0
        ? ''
        : `, ${printValue(value, 0, 25 + className.length + 2 * declaration.name.length)}`;
    this.#statements.push({
      declaration,
      text: `new ${className}(stack, '${declaration.name}'${propsArgument})`,
    });
  }

  /** The value with references to other declarations replaced by their variables. */
  #withReferences(section: Section, value: unknown, path: readonly (string | number)[]): unknown {
    if (typeof value === 'string') return this.#stringValue(section, value, path);
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

  /** A string, or the expression that it stands for: a reference or a secret. */
  #stringValue(section: Section, value: string, path: readonly (string | number)[]): unknown {
    const schema = schemaAt(sections[section] as unknown as SchemaNode, path);
    if (schema?.['x-secret'] === true) return this.#secretExpression(value);
    if (value.includes('${')) this.#isExpressible = false;
    const isEventhouse = section === 'eventstreams' && path.at(-1) === 'eventhouse';
    const referredSections = isEventhouse
      ? ['eventhouses']
      : (schema?.['x-references'] ?? []).filter((kind) => kind !== 'secrets');
    if (referredSections.length === 0) return value;
    const declaration = this.declarations.find(
      (each) => referredSections.includes(each.section) && each.name === value,
    );
    if (declaration === undefined) {
      if (!/^[0-9a-f-]{36}$/i.test(value)) this.#isExpressible = false;
      return value;
    }
    this.#declare(declaration);
    this.#referencedDeclarations.add(declaration);
    return new Expression(this.#variable(declaration));
  }

  /** The `Secret` of a reference in one of its three forms. */
  #secretExpression(reference: string): unknown {
    this.#classes.add('Secret');
    const [, variable] = /^\$\{env:(\w+)\}$/.exec(reference) ?? [];
    if (variable !== undefined) return new Expression(`Secret.fromEnvironment('${variable}')`);
    const [, kind, name = ''] = /^(keyvault|secret):(.+)$/.exec(reference) ?? [];
    if (kind === undefined) this.#isExpressible = false;
    const method = kind === 'keyvault' ? 'fromKeyVault' : 'fromApp';
    return new Expression(`Secret.${method}(${stringLiteral(name)})`);
  }

  /** The name of a declaration's variable. */
  #variable(declaration: Declaration): string {
    const existing = this.#variables.get(declaration);
    if (existing !== undefined) return existing;
    const camel = declaration.name.replace(/[^A-Za-z0-9]+(\w)/g, (_, letter: string) =>
      letter.toUpperCase(),
    );
    const usedNames = new Set([...this.#variables.values(), 'stack']);
    const name = usedNames.has(camel)
      ? `${camel}${declaration.section[0]?.toUpperCase() ?? ''}${declaration.section.slice(1, -1)}`
      : camel;
    this.#variables.set(declaration, name);
    return name;
  }
}

/** Classes whose name is not the singular of their section. */
const classNames: Readonly<Partial<Record<Section, string>>> = {
  environments: 'ContainerAppEnvironment',
};

/** The class of a declaration's construct, and its props. */
function constructOf({ section, value }: Declaration): {
  readonly className: string;
  readonly props: Declared;
} {
  if (section !== 'groups')
    return { className: classNames[section] ?? singular(section), props: value };
  const { kind, ...props } = value;
  if (kind === 'unified') return { className: 'UnifiedGroup', props };
  return kind === 'security'
    ? { className: 'SecurityGroup', props }
    : { className: 'Group', props: value };
}

/** The method of a construct that looks a principal up; undefined where no method can. */
function principalLookup({
  value,
}: Declaration):
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

/** A value that the program writes as an expression: a declaration's variable, or a `Secret`. */
class Expression {
  constructor(readonly code: string) {}
}

/** The longest line of an example. */
const maxWidth = 110;

/** A value as TypeScript, on one line if it fits after the `prefixLength` characters before it. */
function printValue(value: unknown, indentation: number, prefixLength = 0): string {
  const line = onOneLine(value);
  if (
    line.length + indentation + prefixLength <= maxWidth ||
    value === null ||
    typeof value !== 'object' ||
    value instanceof Expression
  )
    return line;
  const inner = ' '.repeat(indentation + 2);
  const parts = Array.isArray(value)
    ? value.map((each) => printValue(each, indentation + 2))
    : Object.entries(value).map(
        ([key, each]) => `${propertyKey(key)}: ${printValue(each, indentation + 2)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${' '.repeat(indentation)}${close}`;
}

function onOneLine(value: unknown): string {
  if (value instanceof Expression) return value.code;
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
