import type { Construct } from '../internal/cdktf.js';
import { Group, type SecurityGroupProps } from './group.js';

/**
 * A group that controls access to resources. Its members may be users, other security groups,
 * devices, service principals and contacts.
 *
 * @example
 * new SecurityGroup(this, 'storefront-admins', { displayName: 'Storefront administrators', owners: [ada, grace], members: [ada] });
 * @see https://github.com/castellan/castellan/blob/main/docs/reference/directory-rules.md, "What
 *   the service does"
 */
export class SecurityGroup extends Group {
  constructor(scope: Construct, id: string, props: SecurityGroupProps) {
    super(scope, id, { kind: 'security', ...props });
  }
}
