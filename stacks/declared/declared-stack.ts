import { dirname, isAbsolute, resolve } from 'node:path';
import type { SourceLocation } from '../../core/findings/finding.js';
import { withLocation, Section } from '../../constructs/internal/castellan-construct.js';
import type { Construct } from '../../constructs/internal/cdktf.js';
import type { CastellanStack } from '../../constructs/stack/castellan-stack.js';
import type { Section as SectionName, StackConfig } from '../../kinds/index.js';
import { SectionOf } from './section-of.js';

/** A configuration with its references to the environment resolved, and where its values stand. */
export interface StackDeclaration {
  readonly config: StackConfig;
  readonly locate?: (path: readonly (string | number)[]) => SourceLocation | undefined;
  /** The configuration file, which the paths in it are seen from. */
  readonly file?: string;
}

/** One declaration of a section: what the schema of castellan.yaml says of it. */
export type Declared<Name extends SectionName> = NonNullable<StackConfig[Name]>[string];

/** A stack that is being made from its configuration. */
export class DeclaredStack {
  constructor(
    private readonly stack: CastellanStack,
    private readonly declaration: StackDeclaration,
  ) {}

  /** The declarations of a section; their constructs are found at their line of the configuration. */
  section<Name extends SectionName, Thing>(
    name: Name,
    create: (scope: Construct, name: string, props: Declared<Name>) => Thing,
  ): SectionOf<Thing> {
    const declared = (this.declaration.config[name] ?? {}) as Readonly<Record<string, Declared<Name>>>;
    let scope: Section | undefined;
    return new SectionOf(name, Object.keys(declared), (each) => {
      scope ??= new Section(this.stack, name);
      const place = scope;
      return withLocation(this.declaration.locate?.([name, each]), () => create(place, each, declared[each] as Declared<Name>));
    });
  }

  /** A path of the configuration, seen from the folder of its file. */
  path(path: string): string {
    return isAbsolute(path) ? path : resolve(dirname(this.declaration.file ?? '.'), path);
  }
}
