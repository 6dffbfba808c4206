import { dirname, isAbsolute, resolve } from 'node:path';
import type { SourceLocation } from '../../core/findings/finding.js';
import { withLocation } from '../../constructs/internal/castellan-construct.js';
import { SectionScope } from '../../constructs/internal/section-scope.js';
import type { Construct } from '../../constructs/internal/cdktf.js';
import type { MetaArguments } from '../../constructs/internal/meta-arguments.js';
import type { CastellanStack } from '../../constructs/stack/castellan-stack.js';
import type { Section as SectionName, StackConfig } from '../../kinds/index.js';
import { formerPlaces, type Move } from '../../kinds/stack/moved.js';
import { DeclaredSection } from './declared-section.js';

/** A configuration with resolved environment references, and the locations of its values. */
export interface StackDeclaration {
  readonly config: StackConfig;
  /** The place in a file that the value at a path of the configuration comes from. */
  readonly locate?: (path: readonly (string | number)[]) => SourceLocation | undefined;
  /** The configuration file; paths in it are relative to it. */
  readonly file?: string;
  /** The moves of all stacks that are synthesized together. @default none */
  readonly moves?: readonly Move[];
}

/** One declaration in a section, typed by the schema of castellan.yaml. */
export type Declared<Name extends SectionName> = NonNullable<StackConfig[Name]>[string];

/** A declaration with its earlier places. */
type WithFormerPlaces<Name extends SectionName> = Declared<Name> & Pick<MetaArguments, 'movedFrom'>;

/** A stack and its configuration, whose sections are turned into constructs. */
export class StackBuilder {
  constructor(
    private readonly stack: CastellanStack,
    private readonly declaration: StackDeclaration,
  ) {}

  /**
   * The declarations of a section; findings about their constructs point at their line of the
   * configuration.
   */
  section<Name extends SectionName, Thing>(
    sectionName: Name,
    create: (scope: Construct, name: string, props: WithFormerPlaces<Name>) => Thing,
  ): DeclaredSection<Thing> {
    const declared = (this.declaration.config[sectionName] ?? {}) as Readonly<
      Record<string, Declared<Name>>
    >;
    let scope: SectionScope | undefined;
    return new DeclaredSection(sectionName, Object.keys(declared), (name) => {
      scope ??= new SectionScope(this.stack, sectionName);
      const sectionScope = scope;
      return withLocation(this.declaration.locate?.([sectionName, name]), () =>
        create(sectionScope, name, {
          ...(declared[name] as Declared<Name>),
          ...this.movedFrom(sectionName, name),
        }),
      );
    });
  }

  private movedFrom(section: SectionName, name: string): Pick<MetaArguments, 'movedFrom'> {
    const { config, moves = [] } = this.declaration;
    const earlierPlaces = formerPlaces(moves, { stack: config.stack, section, name });
    const ownNames = new Set([
      config.stack,
      ...formerPlaces(moves, { stack: config.stack }).map((each) => each.stack),
    ]);
    const formerAddresses = earlierPlaces.flatMap(({ stack, name: formerName = '' }) =>
      ownNames.has(stack) ? formerName : `${stack}:${formerName}`,
    );
    return formerAddresses.every((address) => address === name)
      ? {}
      : { movedFrom: formerAddresses };
  }

  /** Resolves a path in the configuration, relative to its file. */
  resolvePath(path: string): string {
    return isAbsolute(path) ? path : resolve(dirname(this.declaration.file ?? '.'), path);
  }
}
