import { Group } from '../../constructs/directory/group.js';
import { GroupLifecyclePolicy } from '../../constructs/directory/group-lifecycle-policy.js';
import { ExistingPrincipal } from '../../constructs/directory/existing-principal.js';
import { Registration } from '../../constructs/identity/registration.js';
import { isGuid } from '../../core/values/guid.js';
import { type Construct, Lazy } from '../../constructs/internal/cdktf.js';
import type { StackConfig } from '../../kinds/index.js';
import type { Declared, StackBuilder } from './stack-builder.js';
import { type DeclaredSection, missingTargetError } from './declared-section.js';

/** The principals, groups and registrations of a stack. */
export class DirectoryObjects {
  readonly principals: DeclaredSection<ExistingPrincipal>;
  readonly groups: DeclaredSection<Group>;
  readonly registrations: DeclaredSection<Registration>;

  constructor(stack: StackBuilder) {
    this.principals = stack.section(
      'principals',
      (scope, name, props) => new ExistingPrincipal(scope, name, props),
    );
    this.groups = stack.section('groups', (scope, name, props) =>
      this.createGroup(scope, name, props),
    );
    this.registrations = stack.section('registrations', (scope, name, { owners, ...props }) => {
      return new Registration(scope, name, {
        ...props,
        owners: owners?.map((each) => this.existingPrincipal(each, `registrations.${name}`)),
      });
    });
  }

  /**
   * Creates all declarations; principals only when another declaration refers to them, because
   * looking up an unused one could only fail.
   */
  declareGroupsAndRegistrations(): void {
    this.groups.createAll();
    this.registrations.createAll();
  }

  /**
   * Creates the expiration policy; `Selected` includes every unified group of the stack that does
   * not opt out.
   */
  declareLifecyclePolicy(
    scope: Construct,
    policy: StackConfig['groupLifecyclePolicy'],
    groups: StackConfig['groups'],
  ): void {
    if (policy === undefined) return;
    const renewable = Object.entries(groups ?? {}).filter(
      ([, { expirationPolicy }]) => expirationPolicy?.renewable !== false,
    );
    const unified = renewable
      .map(([name]) => this.groups.get(name, 'groupLifecyclePolicy'))
      .filter(({ kind }) => kind === 'unified');
    new GroupLifecyclePolicy(scope, 'group-lifecycle-policy', { ...policy, groups: unified });
  }

  /** A principal by name, or an object id. */
  existingPrincipal(name: string, usedBy: string): ExistingPrincipal | string {
    return this.principals.has(name) || !isGuid(name) ? this.principals.get(name, usedBy) : name;
  }

  /** Whether a group or principal of the stack has this name. */
  has(name: string): boolean {
    return this.groups.has(name) || this.principals.has(name);
  }

  /** A group of the stack or a principal by name, or an object id. */
  groupOrExistingPrincipal(name: string, usedBy: string): ExistingPrincipal | Group | string {
    if (this.groups.has(name)) return this.groups.get(name, usedBy);
    if (this.principals.has(name)) return this.principals.get(name, usedBy);
    if (isGuid(name)) return name;
    throw missingTargetError(name, usedBy, [this.groups, this.principals]);
  }

  /**
   * A group of the stack or a principal by name; object ids are not accepted, because the kind must
   * be known.
   */
  grantee(name: string, usedBy: string): ExistingPrincipal | Group {
    if (this.groups.has(name)) return this.groups.get(name, usedBy);
    if (this.principals.has(name)) return this.principals.get(name, usedBy);
    throw missingTargetError(name, usedBy, [this.groups, this.principals]);
  }

  private createGroup(scope: Construct, name: string, declared: Declared<'groups'>): Group {
    const { owners, members, acceptedSenders, rejectedSenders, ...props } = declared;
    const resolveAll = (names: readonly string[] | undefined) =>
      names?.map((each) => this.groupOrExistingPrincipal(each, `groups.${name}`));
    // a group may be a sender of its own, and two groups of each other
    const resolveSenders = (names: readonly string[] | undefined) =>
      names?.map((each) =>
        this.groups.isInProgress(each)
          ? { objectId: Lazy.stringValue({ produce: () => this.groups.get(each, name).objectId }) }
          : this.groupOrExistingPrincipal(each, `groups.${name}`),
      );
    return new Group(scope, name, {
      ...props,
      owners: owners?.map((each) => this.existingPrincipal(each, `groups.${name}`)),
      members: resolveAll(members),
      acceptedSenders: resolveSenders(acceptedSenders),
      rejectedSenders: resolveSenders(rejectedSenders),
    });
  }
}
