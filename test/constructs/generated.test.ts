import { constructProps } from '../../scripts/construct-props.js';

/** The text of one exported type. */
const source = constructProps();
const typeNamed = (name: string): string =>
  new RegExp(`export (?:interface|type) ${name} [\\s\\S]*?\\n(?=\\n|$)`).exec(source)?.[0] ?? '';

describe('the props of the constructs, which `npm run generate` writes from the descriptions', () => {
  it('have the purpose, the limits and the default of each property in their comments', () => {
    const eventhouse = typeNamed('EventhouseDeclaration');
    expect(eventhouse).toContain(
      '  /** The name: letters, digits, underscores, periods and hyphens. At most 123 characters. */\n  readonly displayName: string;\n',
    );
    expect(eventhouse).toMatch(
      /322\. @default 0 \*\/\n {2}readonly minimumConsumptionUnits\?: number \| undefined;\n/,
    );
    expect(typeNamed('EnvironmentDeclaration')).toContain(
      '/** How many days logs are kept. From 30 to 730. */',
    );
    expect(typeNamed('ContainerAppDeclaration')).toContain(
      '/** Concurrent requests per replica. At least 1. */',
    );
  });

  it('offer the allowed words, and distinguish required from optional', () => {
    expect(typeNamed('WorkspaceDeclaration')).toContain(
      "    readonly role: 'Admin' | 'Contributor' | 'Member' | 'Viewer';\n",
    );
    expect(typeNamed('GroupDeclaration')).toMatch(
      /readonly displayName: string;[\s\S]*readonly description\?: string \| undefined;/,
    );
    expect(typeNamed('RegistrationDeclaration')).toContain(
      "readonly allowedMemberTypes: readonly ('User' | 'Application')[];",
    );
  });

  it('state the form of sizes and times', () => {
    expect(typeNamed('ContainerAppDeclaration')).toContain('readonly memory?: MemorySize |');
    expect(typeNamed('ContainerAppDeclaration')).toContain(
      'readonly timeToExpiration?: TimeSpan |',
    );
  });

  it('accept a secret only as its source', () => {
    expect(typeNamed('ContainerAppDeclaration')).toContain(
      'readonly secrets?: Readonly<Record<string, Secret>> | undefined;',
    );
  });

  it('type eventstream nodes by their type, and accept unknown types', () => {
    const streams = typeNamed('EventstreamStream');
    expect(streams).toContain("    readonly type: 'DerivedStream';\n");
    expect(streams).toContain('    readonly inputNodes: readonly EventstreamInput[];\n');
    expect(streams).toMatch(/\| OtherNode;\n$/);
  });

  it('accept a variable of a library in place of ids', () => {
    expect(typeNamed('DataConnectionIdOrConnectionReference')).toMatch(
      /readonly dataConnectionId: string;[\s\S]*\} \| \{[\s\S]*readonly connectionReference: string;/,
    );
  });
});
