import { ContainerApp, type ContainerAppProps } from '../container-app/container-app.js';
import type { OwnerReference } from '../directory/group.js';
import type { IGroup, IPrincipal } from '../directory/references.js';
import { SecurityGroup } from '../directory/security-group.js';
import { Registration } from '../identity/registration.js';
import { Construct } from '../internal/cdktf.js';
import { metaArgumentsOfPart, splitMetaArguments } from '../internal/meta-arguments.js';

/** The properties of an app with its group and registration; `lifecycle` is that of the app. */
export interface SignedInAppProps extends Omit<ContainerAppProps, 'auth' | 'image' | 'targetPort'> {
  /** The name that people see when they sign in; the name of the group begins with it. */
  readonly displayName: string;
  /** The container image. */
  readonly image: string;
  /** The port that the app listens on. */
  readonly targetPort: number;
  /** The owners of the group and of the registration; two are recommended. */
  readonly owners: readonly OwnerReference[];
  /**
   * Who gets in, besides those that {@link SignedInApp.grantAccess} lets in. @default no one yet
   */
  readonly users?: readonly (IPrincipal | IGroup | string)[] | undefined;
}

/**
 * A container app that people sign in to with the directory: with its registration, and the
 * security group of those who get in.
 *
 * @example
 * const shop = new SignedInApp(this, 'shop', {
 *   displayName: 'Shop',
 *   image: 'ghcr.io/contoso/shop:1.4.2',
 *   targetPort: 8080,
 *   owners: [ada, grace],
 * });
 * shop.grantAccess(shoppers);
 */
export class SignedInApp extends Construct {
  /** The group whose members get in. */
  readonly users: SecurityGroup;
  /** The registration with which the app signs people in. */
  readonly registration: Registration;
  /** The app. */
  readonly app: ContainerApp;

  constructor(scope: Construct, id: string, props: SignedInAppProps) {
    super(scope, id);
    const [meta, { displayName, owners, users, ...app }] = splitMetaArguments(props);
    this.users = new SecurityGroup(this, 'users', {
      displayName: `${displayName} users`,
      description: `Who may sign in to ${displayName}`,
      owners,
      members: users,
      ...metaArgumentsOfPart(meta, 'users'),
    });
    this.registration = new Registration(this, 'registration', {
      displayName,
      owners,
      ...metaArgumentsOfPart(meta, 'registration'),
    });
    this.app = new ContainerApp(this, 'app', {
      ...app,
      ...metaArgumentsOfPart(meta, 'app'),
      lifecycle: meta.lifecycle,
      auth: {
        redirectTo: 'directory',
        providers: {
          directory: { registration: this.registration, allowedGroups: [this.users] },
        },
      },
    });
  }

  /** Lets the members of another group, or one user or service principal, sign in. */
  grantAccess(principal: IGroup | IPrincipal): void {
    this.app.grantAccess(principal);
  }
}
